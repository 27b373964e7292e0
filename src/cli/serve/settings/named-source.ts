import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { findValue } from '../../settings/find-value.js';
import { keyOf } from '../../settings/option-names.js';
import { type OptionText, type ParsedOptions, variablesOf } from '../../settings/options.js';
import { type Origin, originLabel, type SettingSources } from '../../settings/setting-sources.js';
import type { ReadSettings, SettingsReader } from '../../settings/settings-reader.js';
import type { AccountSettings } from './account-settings.js';
import { type DataSettings, dataOptions } from './data-settings.js';
import type { SimulationSettings } from './simulation-settings.js';

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

/** The options that say where the data is. */
const sourceOptions = [dataOptions.fixtures, dataOptions.databaseUrl, dataOptions.storage] as const;

/**
 * How much an option that says where the data is weighs against the others: a variable that may be meant for
 * another program least of all.
 */
const weights: Readonly<Record<Origin['kind'], number>> = {
  option: 4,
  variable: 3,
  file: 2,
  generic: 1,
  default: 0,
};

const weightOf = (option: OptionText, parsed: ParsedOptions, sources: SettingSources): number => {
  const found = findValue(option, parsed, sources);
  if (E.isLeft(found)) return weights.variable;
  return weights[found.right.origin.kind];
};

/** The sources without those that name other data with less weight. */
const onlyHeaviest = (parsed: ParsedOptions, sources: SettingSources): SettingSources => {
  const weighed = sourceOptions.map((option) => ({ option, weight: weightOf(option, parsed, sources) }));
  const heaviest = Math.max(...weighed.map(({ weight }) => weight));
  const dropped = weighed.flatMap(({ option, weight }) => (weight < heaviest ? option : []));
  const variables = dropped.flatMap(variablesOf);
  const keys = dropped.map(({ flags }) => keyOf(flags));
  return {
    environment: Object.fromEntries(
      Object.entries(sources.environment).filter(([name]) => !variables.includes(name)),
    ),
    file: new Map(Array.from(sources.file).filter(([key]) => !keys.includes(key))),
  };
};

/** A reader for which only the data counts that is named with the most weight. */
export const readingOneSource = <Settings>(reader: SettingsReader<Settings>): SettingsReader<Settings> => ({
  ...reader,
  narrow: onlyHeaviest,
  read: (parsed, sources) => reader.read(parsed, onlyHeaviest(parsed, sources)),
});

type Settings = t.TypeOf<typeof DataSettings> &
  t.TypeOf<typeof AccountSettings> &
  t.TypeOf<typeof SimulationSettings>;

/** The option that is given and has a meaning over fixtures alone; null if none is. */
const fixturesOnly = ({ state, scenario, failRate }: Settings): string | null => {
  if (state !== undefined) return '--state';
  if (scenario !== undefined) return '--scenario';
  return failRate > 0 ? '--fail-rate' : null;
};

/** What named the data, and the database to serve, if any. */
export const sourceOf = ({
  settings,
  origins,
  notes,
}: ReadSettings<Settings>): Readonly<{ databaseUrl: string | undefined; source: NamedSource }> => {
  const { databaseUrl, storage, fixtures } = settings;
  const label = (setting: keyof Settings): string | null => {
    const origin = origins.get(setting);
    return origin === undefined ? null : originLabel(origin);
  };
  const isGeneric = origins.get('databaseUrl')?.kind === 'generic';
  const only = fixturesOnly(settings);
  if (databaseUrl !== undefined && isGeneric && only !== null)
    return {
      databaseUrl: undefined,
      source: { name: null, isGeneric: false, ignored: `DATABASE_URL is ignored: ${only} needs fixtures` },
    };
  const named = (
    [
      ['storage', storage],
      ['databaseUrl', databaseUrl],
      ['fixtures', fixtures],
    ] as const
  ).find(([, value]) => value !== undefined);
  return {
    databaseUrl,
    source: {
      name: named === undefined ? null : label(named[0]),
      isGeneric: databaseUrl !== undefined && isGeneric,
      ignored: notes.find(isAboutDatabase) ?? null,
    },
  };
};

/** Whether a note says that the database does not count. */
export const isAboutDatabase = (note: string): boolean =>
  note.startsWith(`${dataOptions.databaseUrl.generic?.variable} `);
