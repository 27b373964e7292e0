import * as E from 'fp-ts/lib/Either.js';
import { defineCommand } from '../define-command.js';
import { serve } from '../serve/serve.js';
import { readServeSettingsWith, type ServeSettings, serveOptions } from '../serve/settings/serve-settings.js';
import type { SettingsReader } from '../settings/options.js';

/** The options of `serve`; a browser is opened unless it is turned off. */
const exploreOptions: typeof serveOptions = {
  ...serveOptions,
  open: {
    ...serveOptions.open,
    fallback: true,
    description: 'open the explorer in a browser; on by default',
  },
};

const readExploreSettings: SettingsReader<ServeSettings> = (parsed, environment) =>
  E.flatMap((settings: ServeSettings) =>
    settings.explorer
      ? E.right(settings)
      : E.left([
          'explore opens the explorer, which --no-explorer or TRIAGE_EXPLORER turns off; to serve without it, use serve',
        ]),
  )(readServeSettingsWith(exploreOptions)(parsed, environment));

/** `triage-api explore`. */
export const exploreCommand = defineCommand({
  name: 'explore',
  description: 'serve the API, and open the explorer in a browser',
  options: exploreOptions,
  readSettings: readExploreSettings,
  run: serve,
});
