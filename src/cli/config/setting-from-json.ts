import { dirname, isAbsolute, join } from 'node:path';
import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, mismatch, type Problem, problem, problemsOf } from '../../contract/codecs/problem.js';
import type { OptionText } from '../settings/options.js';
import { settingSchema } from './setting-schema.js';

/** How messages call the types of JSON Schema that options have as text. */
const typeNames: Readonly<Record<string, string>> = {
  integer: 'a number',
  number: 'a number',
  array: 'a list',
};

const isOfType = (type: unknown, value: unknown): boolean => {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
};

/**
 * The value of a setting in a config file in the form that its codec decodes, which is that of options. A
 * path is relative to the file. Problems have paths inside the value.
 */
export const settingFromJson = (
  codec: t.Mixed,
  option: OptionText,
  value: unknown,
  file: string,
): E.Either<readonly Problem[], unknown> => {
  const types = [settingSchema(codec).type ?? 'string'].flat();
  const isText = types.includes('string');
  if (!isText && !types.some((type) => isOfType(type, value))) {
    const [type = ''] = types.map(String);
    const expected = type === 'boolean' ? codec.name : `${typeNames[type] ?? type}, ${codec.name}`;
    return E.left([mismatch([], expected, describe(value))]);
  }
  // Codecs of numbers decode their text. One of text alone has to refuse a number.
  const takesNumber = !isText || types.includes('integer');
  const input = takesNumber && typeof value === 'number' ? String(value) : value;
  // Neither an option nor a variable can have one, so nothing that reads a setting expects it.
  if (typeof value === 'string' && value.includes('\0'))
    return E.left([problem([], 'the character U+0000 is not allowed here')]);
  const decoded = codec.decode(input);
  if (E.isRight(decoded)) return E.right(relativeTo(file, option, input));
  if (takesNumber && typeof value === 'number') return E.left([mismatch([], codec.name, describe(value))]);
  return E.left(problemsOf(decoded.left).map((found) => ({ ...found, path: found.path.slice(0, 1) })));
};

const relativeTo = (file: string, { flags, path }: OptionText, value: unknown): unknown => {
  const isPath = path === true ? isText(value) && /[./\\]/.test(value) : /<(?:file|dir|path)>/.test(flags);
  if (!isPath || !isText(value) || value === '-' || isAbsolute(value)) return value;
  const directory = dirname(file);
  return directory === '.' ? value : join(directory, value);
};

const isText = (value: unknown): value is string => typeof value === 'string';
