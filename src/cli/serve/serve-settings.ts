import { type SettingsOf, variableOf } from '../settings/option.js';
import { originLabel, type ReadSettings } from '../settings/read-settings.js';
import { serveOptions } from './serve-options.js';

type Options = typeof serveOptions;
type Found = ReadSettings<Options>;

/** What named the data to serve. */
export type NamedSource = Readonly<{
  /**
   * An option, a variable, or a place in the config file; null if the shipped fixtures are served by default.
   */
  name: string | null;
  /**
   * Whether only `DATABASE_URL` named a database. It may be that of another program, and is served only if it
   * has the schema of triage-api.
   */
  isGeneric: boolean;
  /** Why `DATABASE_URL` does not count; null if it does or is not set. */
  ignored: string | null;
}>;

/** The settings of `serve`. */
export type ServeSettings = SettingsOf<Options> &
  Readonly<{
    source: NamedSource;
    /** Why variables with common names, such as `HOST`, do not count. */
    notes: readonly string[];
  }>;

/** The settings of `serve`, with what named the data, and the database to serve, if any. */
export const serveSettings = ({ settings, origins, notes }: Found): ServeSettings => {
  const { databaseUrl, storage, fixtures } = settings;
  const isAboutDatabase = (note: string): boolean => note.startsWith('DATABASE_URL ');
  const others = notes.filter((note) => !isAboutDatabase(note));
  const isGeneric = databaseUrl !== undefined && origins.databaseUrl?.kind === 'common';
  const only = fixturesOnly(settings);
  if (isGeneric && only !== null) {
    const ignored = `DATABASE_URL is ignored: ${only} needs fixtures`;
    const source = { name: null, isGeneric: false, ignored };
    return { ...settings, databaseUrl: undefined, source, notes: others };
  }
  const [named] = Object.entries({ storage, databaseUrl, fixtures }).filter(([, each]) => each !== undefined);
  const origin = origins[named?.[0] ?? ''];
  const source: NamedSource = {
    name: origin === undefined ? null : originLabel(origin),
    isGeneric,
    ignored: notes.find(isAboutDatabase) ?? null,
  };
  return { ...settings, source, notes: others };
};

/** The option that is given and has a meaning over fixtures alone; null if none is. */
const fixturesOnly = ({ state, scenario, failRate }: Found['settings']): string | null => {
  if (state !== undefined) return '--state';
  if (scenario !== undefined) return '--scenario';
  return failRate > 0 ? '--fail-rate' : null;
};

/** What cannot be combined: one line for each conflict, with the reason. */
export const serveConflicts = (found: Found): readonly string[] => {
  const { databaseUrl, ...settings } = serveSettings(found);
  const { https, cert, key, storage, fixtures, state, scenario, watch, failRate, maxSignUps } = settings;
  const isStored = storage !== undefined;
  const isDatabase = databaseUrl !== undefined;
  const hasBoth = (one: keyof Options, other: keyof Options): string => {
    const variables = [one, other].map((name) => variableOf(serveOptions[name]));
    const flags = variables.map((each) => each?.replace('TRIAGE_', '--').replaceAll('_', '-').toLowerCase());
    return `${flags.join(' and ')} cannot be used together (nor can ${variables.join(' and ')}); choose one`;
  };
  const missing = [...(cert === undefined ? ['--cert'] : []), ...(key === undefined ? ['--key'] : [])];
  const given = ['--cert', '--key'].filter((name) => !missing.includes(name));
  const conflicts: readonly (readonly [isGiven: boolean, line: string])[] = [
    [isDatabase && fixtures !== undefined, hasBoth('fixtures', 'databaseUrl')],
    [
      isDatabase && state !== undefined,
      '--state cannot be used with --database-url: the database keeps sign-ups, sessions and tokens',
    ],
    [
      isDatabase && scenario !== undefined,
      '--scenario cannot be used with --database-url: only fixtures can be changed while they are served',
    ],
    [
      failRate > 0 && (isDatabase || !settings.mockControls),
      '--fail-rate needs the mock controls, which exist over fixtures and without --no-mock-controls',
    ],
    [
      https && missing.length > 0,
      `--https needs ${missing.join(' and ')}: mkcert makes both files, see docs/testing.md#https`,
    ],
    [!https && given.length > 0, `${given.join(' and ')} ${given.length === 1 ? 'needs' : 'need'} --https`],
    [isStored && fixtures !== undefined, hasBoth('storage', 'fixtures')],
    [isStored && isDatabase, hasBoth('storage', 'databaseUrl')],
    [
      isStored && state !== undefined,
      '--state cannot be used with --storage: the storage keeps sign-ups, sessions and tokens',
    ],
    [
      isStored && maxSignUps !== undefined,
      '--max-signups cannot be used with --storage: the storage decides how many accounts it keeps',
    ],
    [
      isStored && scenario !== undefined,
      '--scenario cannot be used with --storage: only fixtures can be changed while they are served',
    ],
    [
      isStored && watch && found.origins.watch?.kind === 'option',
      '--watch cannot be used with --storage: only fixtures are reloaded; restart the server instead',
    ],
    [
      isStored && failRate > 0,
      '--fail-rate cannot be used with --storage: it needs the mock controls, which exist only over fixtures',
    ],
  ];
  return conflicts.flatMap(([isGiven, line]) => (isGiven ? [line] : []));
};
