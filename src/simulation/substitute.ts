import * as E from '#fp-ts/Either';
import type { Json } from '../codecs/json-value.js';
import { type Problem, problem } from '../codecs/problem.js';
import { didYouMean } from '../common/did-you-mean.js';

/** The values that `{{name}}` stands for: letters, digits, `_` and `-`. */
export type Values = Readonly<Record<string, Json>>;

/**
 * A value in which each `{{name}}` within a text or a key is replaced. A text that is nothing but one becomes
 * the value itself, whatever its type. `left`: every name that is unknown.
 */
export const substituted = (value: Json, values: Values): E.Either<readonly Problem[], Json> => {
  const problems: Problem[] = [];
  const lookUp = (name: string, path: readonly string[]): Json => {
    if (Object.hasOwn(values, name)) return values[name] ?? null;
    const known = Object.keys(values);
    const hint = didYouMean(name, known);
    const found = problem(
      path,
      `unknown parameter {{${name}}}${hint === '' ? `; known are ${known.join(', ')}` : hint}`,
    );
    problems.push(found);
    return null;
  };
  const inText = (text: string, path: readonly string[]): Json => {
    const whole = /^\{\{ *([\w-]+) *\}\}$/.exec(text)?.[1];
    return whole === undefined
      ? text.replaceAll(/\{\{ *([\w-]+) *\}\}/g, (_, name: string) => textOf(lookUp(name, path)))
      : lookUp(whole, path);
  };
  const inValue = (inner: Json, path: readonly string[]): Json => {
    if (typeof inner === 'string') return inText(inner, path);
    if (Array.isArray(inner))
      return inner.map((item: Json, index) => inValue(item, [...path, String(index)]));
    if (inner === null || typeof inner !== 'object') return inner;
    const entries = Object.entries<Json>(inner).map(
      ([key, item]) => [textOf(inText(key, path)), inValue(item, [...path, key])] as const,
    );
    return Object.fromEntries(entries);
  };
  const replaced = inValue(value, []);
  return problems.length > 0 ? E.left(problems) : E.right(replaced);
};

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
