import { dirname, isAbsolute, join } from 'node:path';
import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { canonicalJson, type JsonObject } from '../../common/json.js';
import { didYouMean } from '../../common/messages.js';
import { Optional } from '../../contract/codecs/combinators.js';
import { describe, mismatch, type Problem, problem, problemsOf } from '../../contract/codecs/problem.js';
import { schemaOf } from '../../openapi/schema-of.js';
import { SettingCodec } from '../settings/codecs.js';
import {
  isInFile,
  keyOf,
  longFlag,
  type Option,
  type Options,
  variableOf,
  variablesOf,
} from '../settings/option.js';
import type { FileValues } from '../settings/read-settings.js';
import type { ConfigFile } from './read-config.js';

type Settings = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
export const configProblems = (
  { file, isPackage, content }: Pick<ConfigFile, 'file' | 'isPackage' | 'content'>,
  settings: readonly FileSetting[],
): readonly Problem[] => {
  if (!isObject(content)) return [mismatch([], 'an object of settings', describe(content))];
  return Object.entries(content).flatMap(([key, value]): readonly Problem[] => {
    if (key === '$schema') return typeof value === 'string' ? [] : [mismatch([key], 'text', describe(value))];
    const known = settings.filter((setting) => setting.key === key);
    const settable = known.filter((setting) => setting.isInFile);
    if (settable.length === 0) {
      const isGroup = known.length === 0 && isObject(value) && Object.keys(value).length > 0;
      return [isGroup ? problem([key], ungrouped) : unknownKey(key, known[0]?.option, settings)];
    }
    const problems = settable.flatMap(({ option, fromJson }): readonly Problem[] => {
      if (isPackage && option.isSecret === true) return [secretInPackage(option)];
      const input = fromJson(value, file);
      return E.isLeft(input) ? input.left : [];
    });
    // Several commands may have the same option.
    return problems
      .filter(({ message }, i) => problems.findIndex((other) => other.message === message) === i)
      .map((found) => ({ ...found, path: [key, ...found.path] }));
  });
};

const secretInPackage = (option: Option): Problem =>
  problem(
    [],
    `package.json is committed and published, so it must not contain a secret; set ${variablesOf(option).slice(0, 2).join(' or ')}`,
  );

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
export const configValues = async (
  config: ConfigFile,
  own: readonly FileSetting[],
  loadAll: () => Promise<readonly FileSetting[]>,
): Promise<E.Either<readonly string[], FileValues>> => {
  const { content, file, placeOf } = config;
  const settings = isObject(content) ? content : {};
  const isOwn = Object.keys(settings).every((key) => own.some((each) => each.isInFile && each.key === key));
  const problems = configProblems(config, isOwn ? own : await loadAll());
  if (problems.length > 0) return E.left(config.format(problems));
  return E.right(
    new Map(
      own.flatMap(({ key, fromJson }) => {
        if (!Object.hasOwn(settings, key)) return [];
        const value = fromJson(settings[key], file);
        return E.isLeft(value) ? [] : [[key, { value: value.right, place: placeOf([key]) }] as const];
      }),
    ),
  );
};

/** The JSON Schema (2020-12) of a config file, for editors. */
export const configSchema = (settings: readonly FileSetting[]): JsonObject => {
  const settable = settings.filter((setting) => setting.isInFile);
  const keys = Array.from(new Set(settable.map(({ key }) => key)));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Config file of triage-api',
    description: 'Options of the command line. Each counts for every command that has it.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(
        keys.map((key) => [key, sharedSchema(settable.filter((setting) => setting.key === key))]),
      ),
    },
    additionalProperties: false,
  };
};

/** The schema of a setting that several commands may have, of which each may accept other values. */
const sharedSchema = (settings: readonly FileSetting[]): JsonObject => {
  const texts = settings.map(({ schema }) => canonicalJson(schema));
  const [first, ...others] = settings.filter((_, i) => texts.indexOf(texts[i] ?? '') === i);
  const description = settings[0]?.option.description ?? '';
  const allOf = others.map(({ schema }) => schema);
  return { ...first?.schema, description, ...(allOf.length === 0 ? {} : { allOf }) };
};
