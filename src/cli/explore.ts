import { defineCommand } from './define-command.js';
import { serve } from './serve/serve.js';
import { serveGroups, serveOptions } from './serve/serve-options.js';
import { serveConflicts, serveSettings } from './serve/serve-settings.js';
import { originLabel } from './settings/read-settings.js';

/** `triage-api explore`: `serve`, but a browser is opened unless that is turned off. */
export const exploreCommand = defineCommand({
  name: 'explore',
  description: 'serve the API, and open the explorer in a browser',
  options: { ...serveOptions, open: { ...serveOptions.open, default: true } },
  groups: serveGroups,
  examples: {
    'look at the shipped fixtures': 'triage-api explore',
    'look at fixtures of your own while you edit them': 'triage-api explore -f fixtures',
  },
  conflicts: (found) => {
    const { explorer } = found.origins;
    if (found.settings.explorer || explorer === undefined) return serveConflicts(found);
    return [
      `explore opens the explorer, which ${originLabel(explorer)} turns off; to serve without it, use serve`,
    ];
  },
  run: (_settings, terminal, { version }, found) => serve(serveSettings(found), terminal, version),
});
