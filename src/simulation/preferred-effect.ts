import * as E from '#fp-ts/Either';
import type { AnyOperation } from '../contract/operations.js';
import { type Effect, FaultKind } from './effect.js';
import { unknownCode } from './fault-rule.js';
import { isList, simulatedStatuses } from './possible-faults.js';
import { type Preferences, readPreferHeader } from './prefer-header.js';

/**
 * What a client asks for with `Prefer`; null: nothing that is known here, or `code=200`. `left`: what the
 * operation cannot do, and what it can. `maxDelay`: the longest delay in milliseconds, since every client may
 * ask for one.
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
  const problems = [
    ...(code === null || known.includes(code)
      ? []
      : [unknownCode(preferences.get('code') ?? '', known, operation.id)]),
    ...(delay === null || delay <= maxDelay
      ? []
      : [`delay=${preferences.get('delay')}: expected milliseconds from 0 to ${maxDelay}`]),
    ...(kinds.length > 1 ? [`${kinds.join(', ')}: choose one of them`] : []),
    ...(kinds.includes('empty') && !isList(operation) ? [`empty: ${operation.id} is no list`] : []),
    ...(kinds.includes('empty') && code !== null && code !== 200
      ? ['empty: it cannot be combined with a code, because the list would not be sent']
      : []),
  ];
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
