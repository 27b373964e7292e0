import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import * as E from '#fp-ts/Either';
import { problemsOf } from '../../contract/codecs/problem.js';
import {
  fileVariable,
  isInFile,
  keyOf,
  longFlag,
  negatedFlag,
  type Option,
  type Options,
  type SettingsOf,
  variableOf,
} from './option.js';

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The options that commander has parsed. */
export type ParsedOptions = Pick<Command, 'getOptionValue' | 'getOptionValueSource'>;

/** What the config file sets for a command, by the names of its keys. `place` is `file:line`. */
export type FileValues = ReadonlyMap<string, Readonly<{ value: unknown; place: string }>>;

/** Everything that settings come from, besides their defaults. */
export type Sources = Readonly<{ parsed: ParsedOptions; environment: Environment; file: FileValues }>;

/** Where the value of a setting comes from. */
export type Origin = Readonly<{
  kind: 'option' | 'variable' | 'file' | 'default';
  /** The option, the variable, or the place in the config file; for a default, the option. */
  name: string;
  /** The file that holds the value, which the variable names. */
  file?: string;
}>;

/** A setting: its value, where that comes from, and what is wrong with it. */
export type Setting = Readonly<{
  name: string;
  option: Option;
  origin: Origin;
  /** As it was given, and decoded; undefined if it is invalid. */
  given: unknown;
  value: unknown;
  /** One line, with the origin in front; null if the value is valid. */
  problem: string | null;
  /** Why a variable with a common name does not count; null if none is ignored. */
  note: string | null;
}>;

/** The settings of a command, where each comes from by its name, and what is to be said about variables. */
export type ReadSettings<O extends Options> = Readonly<{
  settings: SettingsOf<O>;
  origins: Readonly<Record<string, Origin>>;
  notes: readonly string[];
}>;

/** The origin as a reader looks it up. */
export const originLabel = ({ kind, name }: Origin): string => (kind === 'default' ? 'default' : name);

type Source = Pick<Setting, 'origin' | 'given' | 'note'> & Readonly<{ unreadable?: string }>;

/**
 * The value of a setting: from its option, else from its variable, else from the variable with a common name
 * if its value makes sense here, else from the config file, else the default.
 */
const findValue = (option: Option, { parsed, environment, file }: Sources): Source => {
  const key = keyOf(option);
  if (parsed.getOptionValueSource(key) === 'cli') {
    const given: unknown = parsed.getOptionValue(key);
    const name = given === false ? negatedFlag(option) : longFlag(option);
    return { origin: { kind: 'option', name }, given, note: null };
  }
  const { common, isSecret = false } = option;
  const own = fromVariable(variableOf(option), isSecret, environment);
  if (own !== null) return own;
  const given = environment[common?.variable ?? ''] || '';
  const shared: Source = {
    origin: { kind: 'variable', name: common?.variable ?? '' },
    given,
    note: null,
  };
  const note = given === '' ? foreignNote(option, environment) : whyIgnored(option, shared);
  if (given !== '' && note === null) return shared;
  const inFile = isInFile(option) ? file.get(key) : undefined;
  return inFile === undefined
    ? { origin: { kind: 'default', name: longFlag(option) }, given: option.default, note }
    : { origin: { kind: 'file', name: inFile.place }, given: inFile.value, note };
};

/** The value of a variable, or of the file that it names; null if neither is set. */
const fromVariable = (
  variable: string | null,
  isSecret: boolean,
  environment: Environment,
): Source | null => {
  if (variable === null) return null;
  const given = environment[variable] || '';
  const fileName = fileVariable(variable);
  const path = isSecret ? environment[fileName] || '' : '';
  const origin: Origin = { kind: 'variable', name: fileName, file: path };
  const inFile: Source = { origin, given: undefined, note: null };
  if (given !== '' && path !== '') {
    const unreadable = `environment variables ${variable} and ${fileName} are both set; set one of them`;
    return { ...inFile, unreadable };
  }
  if (given !== '') return { origin: { kind: 'variable', name: variable }, given, note: null };
  if (path === '') return null;
  try {
    // Editors and `echo` add a line break.
    return { ...inFile, given: readFileSync(path, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = reasons[code] ?? (code || String(error));
    const unreadable = `environment variable ${fileName}: cannot read ${JSON.stringify(path)}: ${reason}`;
    return { ...inFile, unreadable };
  }
};

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory',
};

/** Why a variable with a common name does not count; null if it does. */
const whyIgnored = (option: Option, { origin, given }: Source): string | null => {
  const decoded = option.common?.accepts.decode(given);
  if (decoded === undefined || E.isRight(decoded)) return null;
  const [{ message } = { message: '' }] = problemsOf(decoded.left);
  return `${origin.name} is ignored: ${message}; set ${variableOf(option)} for triage-api`;
};

/** The note about a variable of other programs; null if it is not set. */
const foreignNote = (option: Option, environment: Environment): string | null =>
  environment[option.foreign ?? '']
    ? `${option.foreign} is not used: it may belong to another program; set ${variableOf(option)} for triage-api`
    : null;

/** Every setting of a command, in the order of its help. */
export const findSettings = (options: Options, sources: Sources): readonly Setting[] =>
  Object.entries(options).map(([name, option]) => decoded({ name, option, ...findValue(option, sources) }));

const decoded = ({ unreadable = '', ...found }: Source & Pick<Setting, 'name' | 'option'>): Setting => {
  const { option, origin, given, note } = found;
  const problem = (text: string): Setting => ({ ...found, value: undefined, problem: text });
  if (unreadable !== '') return problem(unreadable);
  const result = option.codec.decode(given);
  if (E.isRight(result)) return { ...found, value: result.right, problem: null };
  const because = note === null ? '' : ` (${note})`;
  if (origin.kind === 'default') return problem(`${origin.name} is required${because}`);
  const [{ message } = { message: '' }] = problemsOf(result.left);
  return problem(
    `${origin.kind === 'variable' ? 'environment variable ' : ''}${origin.name}: ${message}${because}`,
  );
};

/** The settings of a command. `left`: one line for each invalid setting. */
export const readSettings = <O extends Options>(
  options: O,
  sources: Sources,
): E.Either<readonly string[], ReadSettings<O>> => {
  const found = findSettings(options, sources);
  const settings: Readonly<Record<string, unknown>> = Object.fromEntries(
    found.map(({ name, value }) => [name, value]),
  );
  const problems = found.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0 || !areSettingsOf(options, settings)) return E.left(problems);
  return E.right({
    settings,
    origins: Object.fromEntries(found.map(({ name, origin }) => [name, origin])),
    notes: found.flatMap(({ note }) => note ?? []),
  });
};

const areSettingsOf = <O extends Options>(
  options: O,
  settings: Readonly<Record<string, unknown>>,
): settings is SettingsOf<O> =>
  Object.entries(options).every(([name, { codec }]) => codec.is(settings[name]));
