import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { isOnCommandLine } from '../../settings/find-value.js';
import type { OptionTexts } from '../../settings/options.js';
import { refined, type SettingsReader, settingsReader } from '../../settings/settings-reader.js';
import { AccountSettings, accountOptions } from './account-settings.js';
import { DataSettings, dataOptions } from './data-settings.js';
import { HttpsSettings, httpsConflicts, httpsOptions } from './https-settings.js';
import { LogSettings, logOptions } from './log-settings.js';
import { MonitoringSettings, monitoringOptions } from './monitoring-settings.js';
import { isAboutDatabase, type NamedSource, readingOneSource, sourceOf } from './named-source.js';
import { NetworkSettings, networkOptions } from './network-settings.js';
import { ResponseSettings, responseOptions } from './response-settings.js';
import { SimulationSettings, simulationOptions } from './simulation-settings.js';
import { storageConflicts } from './storage-conflicts.js';

/** All settings of `serve`. */
const ServeCodec = t.strict(
  {
    ...NetworkSettings.type.props,
    ...HttpsSettings.type.props,
    ...DataSettings.type.props,
    ...AccountSettings.type.props,
    ...ResponseSettings.type.props,
    ...SimulationSettings.type.props,
    ...LogSettings.type.props,
    ...MonitoringSettings.type.props,
  },
  'ServeSettings',
);
type CodecSettings = t.TypeOf<typeof ServeCodec>;

export type ServeSettings = CodecSettings &
  Readonly<{
    source: NamedSource;
    /** Why variables with common names, such as `HOST`, do not count. */
    notes: readonly string[];
  }>;

/** The options of `serve`, in the order of the help text. */
export const serveOptions: OptionTexts<keyof CodecSettings> = {
  ...networkOptions,
  ...httpsOptions,
  ...dataOptions,
  ...accountOptions,
  ...responseOptions,
  ...simulationOptions,
  ...logOptions,
  ...monitoringOptions,
};

/**
 * Reads the settings of `serve`, or of a command that serves with other defaults. `left`: one line for each
 * invalid setting, or for each conflict between valid ones.
 */
export const serveSettingsReader = (options: typeof serveOptions): SettingsReader<ServeSettings> =>
  refined(readingOneSource(settingsReader(ServeCodec, options)), (found, parsed) => {
    const notes = found.notes.filter((note) => !isAboutDatabase(note));
    const chosen = { ...found.settings, ...sourceOf(found), notes };
    const conflicts = [
      ...conflictsIn(chosen),
      ...httpsConflicts(chosen),
      ...storageConflicts(chosen, isOnCommandLine(options.watch, parsed)),
    ];
    return conflicts.length > 0 ? E.left(conflicts) : E.right(chosen);
  });

export const readServeSettings = serveSettingsReader(serveOptions);

const conflictsIn = ({
  databaseUrl,
  fixtures,
  state,
  scenario,
  failRate,
  mockControls,
}: ServeSettings): readonly string[] => [
  ...(databaseUrl !== undefined && fixtures !== undefined
    ? [
        '--fixtures and --database-url cannot be used together (nor can TRIAGE_FIXTURES and TRIAGE_DATABASE_URL); choose one',
      ]
    : []),
  ...(databaseUrl !== undefined && state !== undefined
    ? ['--state cannot be used with --database-url: the database keeps sign-ups, sessions and tokens']
    : []),
  ...(databaseUrl !== undefined && scenario !== undefined
    ? ['--scenario cannot be used with --database-url: only fixtures can be changed while they are served']
    : []),
  ...(failRate > 0 && (databaseUrl !== undefined || !mockControls)
    ? ['--fail-rate needs the mock controls, which exist over fixtures and without --no-mock-controls']
    : []),
];
