import type * as t from 'io-ts';
import type { AccountSettings } from './account-settings.js';
import type { DataSettings } from './data-settings.js';
import type { SimulationSettings } from './simulation-settings.js';

type Settings = t.TypeOf<typeof DataSettings> &
  t.TypeOf<typeof AccountSettings> &
  t.TypeOf<typeof SimulationSettings>;

/**
 * The settings that cannot be used with `--storage`: one line for each, with the reason. `isWatchGiven`:
 * whether `--watch` is on the command line, because it is on by default.
 */
export const storageConflicts = (settings: Settings, isWatchGiven: boolean): readonly string[] => {
  if (settings.storage === undefined) return [];
  const { fixtures, databaseUrl, state, maxSignUps, scenario, watch, failRate } = settings;
  const conflicts: readonly (readonly [isGiven: boolean, line: string])[] = [
    [
      fixtures !== undefined,
      '--storage and --fixtures cannot be used together (nor can TRIAGE_STORAGE and TRIAGE_FIXTURES); choose one',
    ],
    [
      databaseUrl !== undefined,
      '--storage and --database-url cannot be used together (nor can TRIAGE_STORAGE and TRIAGE_DATABASE_URL); choose one',
    ],
    [
      state !== undefined,
      '--state cannot be used with --storage: the storage keeps sign-ups, sessions and tokens',
    ],
    [
      maxSignUps !== undefined,
      '--max-signups cannot be used with --storage: the storage decides how many accounts it keeps',
    ],
    [
      scenario !== undefined,
      '--scenario cannot be used with --storage: only fixtures can be changed while they are served',
    ],
    [
      isWatchGiven && watch,
      '--watch cannot be used with --storage: only fixtures are reloaded; restart the server instead',
    ],
    [
      failRate > 0,
      '--fail-rate cannot be used with --storage: it needs the mock controls, which exist only over fixtures',
    ],
  ];
  return conflicts.flatMap(([isGiven, line]) => (isGiven ? [line] : []));
};
