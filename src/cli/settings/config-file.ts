import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { JsonObject } from '../../common/json.js';
import { didYouMean } from '../../common/messages.js';
import { Optional } from '../../contract/codecs/combinators.js';
import { describe, mismatch, type Problem, problem, problemsOf } from '../../contract/codecs/problem.js';
import { type FileProblem, formatFileProblem } from '../../fixtures/file-problem.js';
import { readJsonFile } from '../../fixtures/json-file.js';
import { schemaOf } from '../../openapi/schema-of.js';
import { SettingCodec } from './codecs.js';
import type { FoundConfig } from './find-config.js';
import { isInFile, keyOf, longFlag, type Option, type Options, variableOf, variablesOf } from './option.js';
import { type FileValues, originLabel, type Setting } from './read-settings.js';

/**
 * An option as a config file sees it. Each command makes its own, because a bundle may have several copies of
 * a codec.
 */
export type FileSetting = Readonly<{
  key: string;
  option: Option;
  /** Whether a config file can set it. */
  isInFile: boolean;
  schema: JsonObject;
  /**
   * Its value in the form that its codec decodes, where a path is relative to the file. `left`: what is wrong
   * with it, with paths inside the value.
   */
  fromJson: (value: unknown, file: string) => E.Either<readonly Problem[], unknown>;
}>;

/** The options of a command that have a name in config files, also those that cannot be set there. */
export const fileSettings = (options: Options): readonly FileSetting[] =>
  Object.values(options)
    .filter((option) => variableOf(option) !== null)
    .map((option) => {
      const schema = settingSchema(option.codec);
      const fromJson: FileSetting['fromJson'] = (value, file) => valueFromJson(option, schema, value, file);
      return { key: keyOf(option), option, isInFile: isInFile(option), schema, fromJson };
    });

/** The JSON Schema of what a config file may have for an option. */
const settingSchema = (codec: t.Mixed): JsonObject => {
  if (codec instanceof Optional) return settingSchema(codec.codec);
  return codec instanceof SettingCodec ? codec.schema : schemaOf(codec);
};

/** How messages call the types of JSON Schema that options have as text. */
const typeNames: Readonly<Record<string, string>> = {
  integer: 'a number, ',
  number: 'a number, ',
  array: 'a list, ',
};

const isOfType = (type: unknown, value: unknown): boolean => {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
};

const valueFromJson = (
  option: Option,
  schema: JsonObject,
  value: unknown,
  file: string,
): E.Either<readonly Problem[], unknown> => {
  const { codec } = option;
  const types = [schema.type ?? 'string'].flat();
  // A codec of text says itself what is wrong with other values.
  if (!types.includes('string') && !types.some((type) => isOfType(type, value)))
    return E.left([mismatch([], `${typeNames[String(types[0])] ?? ''}${codec.name}`, describe(value))]);
  // Neither an option nor a variable can have one, so nothing that reads a setting expects it.
  if (typeof value === 'string' && value.includes('\0'))
    return E.left([problem([], 'the character U+0000 is not allowed here')]);
  const decoded = codec.decode(value);
  if (E.isRight(decoded)) return E.right(relativeTo(file, option, value));
  return E.left(problemsOf(decoded.left).map((found) => ({ ...found, path: found.path.slice(0, 1) })));
};

const relativeTo = (file: string, { flags, isPathOrName = false }: Option, value: unknown): unknown => {
  if (typeof value !== 'string' || value === '-' || isAbsolute(value)) return value;
  const isPath = isPathOrName ? /[./\\]/.test(value) : /<(?:file|dir|path)>/.test(flags);
  return isPath ? join(dirname(file), value) : value;
};

/** Everything that is wrong with the content of a config file, whose keys are those of these settings. */
const configProblems = (
  { file, content }: Readonly<{ file: string; content: unknown }>,
  settings: readonly FileSetting[],
): readonly Problem[] => {
  if (!t.UnknownRecord.is(content)) return [mismatch([], 'an object of settings', describe(content))];
  return Object.entries(content).flatMap(([key, value]): readonly Problem[] => {
    if (key === '$schema') return typeof value === 'string' ? [] : [mismatch([key], 'text', describe(value))];
    // Several commands may have the same setting, which means the same in all of them.
    const known = settings.filter((setting) => setting.key === key);
    const setting = known.find((each) => each.isInFile);
    if (setting === undefined) {
      const isGroup = known.length === 0 && t.UnknownRecord.is(value) && Object.keys(value).length > 0;
      return [isGroup ? problem([key], ungrouped) : unknownKey(key, known[0]?.option, settings)];
    }
    const read = setting.fromJson(value, file);
    return E.isLeft(read) ? read.left.map((found) => ({ ...found, path: [key, ...found.path] })) : [];
  });
};

const ungrouped =
  'unknown key; settings are not grouped: write each at the top level, as in { "port": 4000 }';

/** A key that a config file cannot have: an option that belongs elsewhere, or a mistake. */
const unknownKey = (
  key: string,
  elsewhere: Option | undefined,
  settings: readonly FileSetting[],
): Problem => {
  if (elsewhere === undefined) {
    const known = settings.flatMap((setting) => (setting.isInFile ? setting.key : []));
    return problem([key], `unknown key${didYouMean(key, known)}`);
  }
  const ways = [longFlag(elsewhere), ...variablesOf(elsewhere)].join(' or ');
  return problem([key], `a config file cannot set this; use ${ways}`);
};

/**
 * What a config file sets of a command, which has the settings `own`. `left`: everything that is wrong with
 * the file, one line each. The other commands are loaded only if the file has more than settings of this one.
 */
export const readConfig = async (
  { file, namedBy }: FoundConfig,
  own: readonly FileSetting[],
  loadAll: () => Promise<readonly FileSetting[]>,
): Promise<E.Either<readonly string[], FileValues>> => {
  const refuse = (problems: readonly FileProblem[]) => E.left(problems.map(formatFileProblem));
  if (namedBy !== null && !existsSync(file))
    return E.left([`${file}: there is no such file, which ${namedBy} names`]);
  const read = await readJsonFile(file);
  if (E.isLeft(read)) return refuse(read.left);
  const { content, locate } = read.right;
  const values = t.UnknownRecord.is(content) ? content : {};
  const isOwn = Object.keys(values).every((key) => own.some((each) => each.isInFile && each.key === key));
  const problems = configProblems({ file, content }, isOwn ? own : await loadAll());
  if (problems.length > 0) return refuse(locate(problems));
  return E.right(
    new Map(
      own.flatMap(({ key, fromJson }) => {
        if (!Object.hasOwn(values, key)) return [];
        const value = fromJson(values[key], file);
        const [place] = locate([problem([key], '')]);
        return E.isLeft(value)
          ? []
          : [[key, { value: value.right, place: `${file}:${place?.line ?? 1}` }] as const];
      }),
    ),
  );
};

/** The JSON Schema (2020-12) of a config file, for editors. */
export const configSchema = (settings: readonly FileSetting[]): JsonObject => {
  const properties: Record<string, JsonObject> = { $schema: { type: 'string' } };
  // Of several commands with the same setting, the first one describes it.
  for (const { key, schema, isInFile, option } of settings)
    if (isInFile) properties[key] ??= { ...schema, description: option.description };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Config file of triage-api',
    description: 'Options of the command line. Each counts for every command that has it.',
    type: 'object',
    properties,
    additionalProperties: false,
  };
};

/** Longer values do not widen the column. */
const maxWidth = 40;

/** The settings of a command as a table: the value of each, and where it comes from. */
export const configText = (file: string | null, settings: readonly Setting[]): string => {
  const rows = settings
    .filter(({ option }) => option.variable !== null)
    .map((setting) => ({ key: keyOf(setting.option), text: valueText(setting), ...setting }));
  const keyWidth = Math.max(...rows.map(({ key }) => key.length));
  const width = Math.min(maxWidth, Math.max(...rows.map(({ text }) => text.length)));
  return [
    `config file: ${file ?? 'none'}`,
    ...rows.flatMap(({ key, text, origin, note }) => [
      `  ${key.padEnd(keyWidth)}  ${text.padEnd(width)}  ${originLabel(origin)}`,
      ...(note === null ? [] : [`    ${note}`]),
    ]),
  ].join('\n');
};

const valueText = ({ option, given, value, problem }: Setting): string => {
  const shown = problem !== null || isStructure(value) ? given : value;
  if (shown === undefined || (Array.isArray(shown) && shown.length === 0)) return 'none';
  if (option.isSecret === true) return '(secret)';
  return Array.isArray(shown) ? shown.join(',') : String(shown);
};

/** Whether only programs understand it. */
const isStructure = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);
