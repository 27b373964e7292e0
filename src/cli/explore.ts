import * as E from '#fp-ts/Either';
import { defineCommand } from './define-command.js';
import { serve } from './serve/serve.js';
import { serveOptions, serveSettingsReader } from './serve/settings/serve-settings.js';
import { originLabel } from './settings/setting-sources.js';
import { refined } from './settings/settings-reader.js';

/** The options of `serve`; a browser is opened unless it is turned off. */
const exploreOptions: typeof serveOptions = {
  ...serveOptions,
  open: {
    ...serveOptions.open,
    fallback: true,
    description: 'open the explorer in a browser; on by default',
  },
};

const readExploreSettings = refined(serveSettingsReader(exploreOptions), ({ settings, origins }) => {
  if (settings.explorer) return E.right(settings);
  const origin = origins.get('explorer') ?? { kind: 'option', name: '--no-explorer' };
  return E.left([
    `explore opens the explorer, which ${originLabel(origin)} turns off; to serve without it, use serve`,
  ]);
});

/** `triage-api explore`. */
export const exploreCommand = defineCommand({
  name: 'explore',
  description: 'serve the API, and open the explorer in a browser',
  options: exploreOptions,
  sharesSettingsOf: 'serve',
  examples: [
    { does: 'look at the shipped fixtures', command: 'triage-api explore' },
    { does: 'look at fixtures of your own while you edit them', command: 'triage-api explore -f fixtures' },
  ],
  readSettings: readExploreSettings,
  run: serve,
});
