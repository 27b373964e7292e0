import { dirname, isAbsolute, join } from 'node:path';
import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { canonicalJson, type JsonObject } from '../../common/json.js';
import { didYouMean } from '../../common/messages.js';
import { Optional } from '../../contract/codecs/combinators.js';
import { describe, mismatch, type Problem, problem, problemsOf } from '../../contract/codecs/problem.js';
import { schemaOf } from '../../openapi/schema-of.js';
import { SettingCodec } from '../settings/codecs.js';
import { isInFile, keyOf, longFlag, type Option, type Options, variablesOf } from '../settings/option.js';
import type { FileValues } from '../settings/read-settings.js';
import type { ConfigFile } from './read-config.js';

type Settings = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The options that a config file can set, of all these tables. */
const inFile = (tables: readonly Options[]): readonly Option[] =>
  tables.flatMap((options) => Object.values(options)).filter(isInFile);

/** The JSON Schema of what a config file may have for an option. */
export const settingSchema = (codec: t.Mixed): JsonObject => {
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

/**
 * The value of an option in a config file in the form that its codec decodes; a path is relative to the file.
 * `left`: what is wrong with it, with paths inside the value.
 */
export const valueFromJson = (
  option: Option,
  value: unknown,
  file: string,
): E.Either<readonly Problem[], unknown> => {
  const { codec } = option;
  const types = [settingSchema(codec).type ?? 'string'].flat();
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

/** Everything that is wrong with the content of a config file, whose keys are names of these options. */
export const configProblems = (
  { file, isPackage, content }: Pick<ConfigFile, 'file' | 'isPackage' | 'content'>,
  tables: readonly Options[],
): readonly Problem[] => {
  if (!isObject(content)) return [mismatch([], 'an object of settings', describe(content))];
  const known = inFile(tables);
  return Object.entries(content).flatMap(([key, value]): readonly Problem[] => {
    if (key === '$schema') return typeof value === 'string' ? [] : [mismatch([key], 'text', describe(value))];
    const options = known.filter((option) => keyOf(option) === key);
    if (options.length === 0) return [unknownKey(key, tables)];
    const problems = options.flatMap((option): readonly Problem[] => {
      if (isPackage && option.isSecret === true) return [secretInPackage(option)];
      const input = valueFromJson(option, value, file);
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

/** A key that a config file cannot have: an option that belongs elsewhere, or a mistake. */
const unknownKey = (key: string, tables: readonly Options[]): Problem => {
  const elsewhere = tables
    .flatMap((options) => Object.values(options))
    .find((option) => option.notInFile === true && keyOf(option) === key);
  if (elsewhere === undefined)
    return problem([key], `unknown key${didYouMean(key, inFile(tables).map(keyOf))}`);
  const ways = [longFlag(elsewhere), ...variablesOf(elsewhere)].join(' or ');
  return problem([key], `a config file cannot set this; use ${ways}`);
};

/**
 * What a config file sets of a command. `left`: everything that is wrong with the file, one line each. The
 * options of the other commands are loaded only if the file has more than those of this one.
 */
export const configValues = async (
  config: ConfigFile,
  options: Options,
  loadTables: () => Promise<readonly Options[]>,
): Promise<E.Either<readonly string[], FileValues>> => {
  const { content, file, placeOf } = config;
  const settings = isObject(content) ? content : {};
  const own = inFile([options]);
  const isOwn = Object.keys(settings).every((key) => own.some((option) => keyOf(option) === key));
  const problems = configProblems(config, isOwn ? [options] : await loadTables());
  if (problems.length > 0) return E.left(config.format(problems));
  return E.right(
    new Map(
      own.flatMap((option) => {
        const key = keyOf(option);
        if (!Object.hasOwn(settings, key)) return [];
        const value = valueFromJson(option, settings[key], file);
        return E.isLeft(value) ? [] : [[key, { value: value.right, place: placeOf([key]) }] as const];
      }),
    ),
  );
};

/** The JSON Schema (2020-12) of a config file, for editors. */
export const configSchema = (tables: readonly Options[]): JsonObject => {
  const options = inFile(tables);
  const keys = Array.from(new Set(options.map(keyOf)));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Config file of triage-api',
    description: 'Options of the command line. Each counts for every command that has it.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(
        keys.map((key) => [key, sharedSchema(options.filter((option) => keyOf(option) === key))]),
      ),
    },
    additionalProperties: false,
  };
};

/** The schema of an option that several commands may have, of which each may accept other values. */
const sharedSchema = (options: readonly Option[]): JsonObject => {
  const schemas = options.map(({ codec }) => settingSchema(codec));
  const texts = schemas.map(canonicalJson);
  const [first, ...others] = schemas.filter((_, i) => texts.indexOf(texts[i] ?? '') === i);
  const description = options[0]?.description ?? '';
  return { ...first, description, ...(others.length === 0 ? {} : { allOf: others }) };
};
