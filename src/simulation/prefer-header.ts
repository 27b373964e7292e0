import * as E from '#fp-ts/Either';
import type { AnyOperation } from '../contract/operations.js';
import { type Effect, FaultKind, isList, simulatedStatuses, unknownCode } from './fault-rules.js';

/** The preferences of a request by name, in lower case. One without a value has an empty one. */
type Preferences = ReadonlyMap<string, string>;

/**
 * Reads the header `Prefer` (RFC 7240, section 2). The first of several with one name counts; parameters and
 * what is malformed are ignored, as the RFC wants unknown preferences to be.
 */
export const readPreferHeader = (header: string): Preferences => {
  const preferences = new Map<string, string>();
  for (const part of header.match(withoutCommas) ?? []) {
    const [, name, token, quoted] = preference.exec(part) ?? [];
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (!preferences.has(key)) preferences.set(key, token ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? '');
  }
  return preferences;
};

/** What stands between commas that are not quoted. */
const withoutCommas = /(?:[^",]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/gs;

/** A token, a value that is a token or a quoted text (RFC 9110, sections 5.6.2 and 5.6.4), and parameters. */
const preference =
  /^\s*([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)"))?\s*(?:;|$)/;

/**
 * What a client asks for with `Prefer`; null: nothing that is known here, or `code=200`. `left`: what the
 * operation cannot do. `maxDelay`: the longest delay in milliseconds, since every client may ask for one.
 */
export const preferredEffect = (
  header: string,
  operation: AnyOperation,
  maxDelay: number,
): E.Either<readonly string[], Effect | null> => {
  const preferences = readPreferHeader(header);
  const kinds = Array.from(preferences.keys()).filter(FaultKind.is);
  const code = numberIn(preferences, 'code');
  const delay = numberIn(preferences, 'delay');
  const known = [200, ...simulatedStatuses(operation)];
  const isEmpty = kinds.includes('empty');
  const problems: string[] = [];
  if (code !== null && !known.includes(code))
    problems.push(unknownCode(preferences.get('code') ?? '', known, operation.id));
  if (delay !== null && delay > maxDelay)
    problems.push(`delay=${preferences.get('delay')}: expected milliseconds from 0 to ${maxDelay}`);
  if (kinds.length > 1) problems.push(`${kinds.join(', ')}: choose one of them`);
  if (isEmpty && !isList(operation)) problems.push(`empty: ${operation.id} is no list`);
  if (isEmpty && code !== null && code !== 200)
    problems.push('empty: it cannot be combined with a code, because the list would not be sent');
  if (problems.length > 0) return E.left(problems.map((problem) => `Prefer: ${problem}`));
  const [kind = null] = kinds;
  const effect: Effect = { code: code === 200 ? null : code, delay: delay ?? 0, kind };
  return E.right(effect.code === null && effect.delay === 0 && kind === null ? null : effect);
};

/** The whole number of a preference; null: it is not given; infinity: it is no such number. */
const numberIn = (preferences: Preferences, name: string): number | null => {
  const text = preferences.get(name);
  if (text === undefined) return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
};
