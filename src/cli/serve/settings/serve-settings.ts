import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import {
  isOnCommandLine,
  type OptionTexts,
  type SettingsReader,
  settingsReader,
  withoutVariablesOf,
} from '../../settings/options.js';
import { AccountSettings, accountOptions } from './account-settings.js';
import { DataSettings, dataOptions } from './data-settings.js';
import { LogSettings, logOptions } from './log-settings.js';
import { MonitoringSettings, monitoringOptions } from './monitoring-settings.js';
import { NetworkSettings, networkOptions } from './network-settings.js';
import { ResponseSettings, responseOptions } from './response-settings.js';
import { SimulationSettings, simulationOptions } from './simulation-settings.js';

/** All settings of `serve`. */
export const ServeSettings = t.strict(
  {
    ...NetworkSettings.type.props,
    ...DataSettings.type.props,
    ...AccountSettings.type.props,
    ...ResponseSettings.type.props,
    ...SimulationSettings.type.props,
    ...LogSettings.type.props,
    ...MonitoringSettings.type.props,
  },
  'ServeSettings',
);
export type ServeSettings = t.TypeOf<typeof ServeSettings>;

/** The options of `serve`, in the order of the help text. */
export const serveOptions: OptionTexts<keyof ServeSettings> = {
  ...networkOptions,
  ...dataOptions,
  ...accountOptions,
  ...responseOptions,
  ...simulationOptions,
  ...logOptions,
  ...monitoringOptions,
};

/**
 * The options that say where the data is. If one is on the command line, the environment variables of both
 * are ignored.
 */
const sourceOptions = [serveOptions.fixtures, serveOptions.databaseUrl] as const;

/**
 * Reads the settings of `serve`. `left`: one line for each invalid setting, or for each conflict between
 * valid ones.
 */
export const readServeSettings: SettingsReader<ServeSettings> = (parsed, environment) => {
  const isOverridden = sourceOptions.some((option) => isOnCommandLine(option, parsed));
  return pipe(
    settingsReader(ServeSettings, serveOptions)(
      parsed,
      isOverridden ? withoutVariablesOf(sourceOptions, environment) : environment,
    ),
    E.flatMap((settings) => {
      const conflicts = conflictsIn(settings);
      return conflicts.length > 0 ? E.left(conflicts) : E.right(settings);
    }),
  );
};

const conflictsIn = ({
  databaseUrl,
  readDatabaseUrl,
  fixtures,
  state,
  scenario,
  providerStates,
  failRate,
  mockControls,
}: ServeSettings): readonly string[] => [
  ...(databaseUrl !== undefined && fixtures !== undefined
    ? [
        '--fixtures and --database-url cannot be used together (nor can TRIAGE_FIXTURES and DATABASE_URL); choose one',
      ]
    : []),
  ...(databaseUrl !== undefined && state !== undefined
    ? ['--state cannot be used with --database-url: the database keeps sign-ups, sessions and tokens']
    : []),
  ...(databaseUrl !== undefined && scenario !== undefined
    ? ['--scenario cannot be used with --database-url: only fixtures can be changed while they are served']
    : []),
  ...(providerStates !== undefined && (databaseUrl !== undefined || !mockControls)
    ? ['--provider-states needs the mock controls, which exist over fixtures and without --no-mock-controls']
    : []),
  ...(databaseUrl === undefined && readDatabaseUrl !== undefined
    ? ['--read-database-url needs --database-url, the primary of the replica']
    : []),
  ...(failRate > 0 && (databaseUrl !== undefined || !mockControls)
    ? ['--fail-rate needs the mock controls, which exist over fixtures and without --no-mock-controls']
    : []),
];
