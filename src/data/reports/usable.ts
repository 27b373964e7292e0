import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { type Problem, pointer, problemsOf } from '../../contract/codecs/problem.js';
import { Text } from '../../contract/codecs/text-and-numbers.js';
import type { LeftOutReason } from './left-out-reasons.js';
import type { LeftOut } from './report.js';

/** Names, versions and ranges are shorter; what is longer is not what the tool wrote. */
const maxLength = 1000;

const isLine = (u: unknown): u is string => Text.is(u) && u.trim() !== '' && u.length <= maxLength;

/** A short text that is not empty and that every storage can keep. White space around it is dropped. */
export const Line: t.Type<string, string, unknown> = new t.Type<string, string, unknown>(
  `text of 1 to ${maxLength} characters`,
  isLine,
  (u, c) => (isLine(u) ? t.success(u.trim()) : t.failure(u, c)),
  t.identity,
);

/** A value that a converter can do without: `null` and whatever has another type count as missing. */
export const usable = <A>(codec: t.Type<A, unknown>): t.Type<A | undefined, unknown> =>
  new t.Type<A | undefined, unknown, unknown>(
    codec.name,
    (u): u is A | undefined => u === undefined || codec.is(u),
    (u) => t.success(E.getOrElse((): A | undefined => undefined)(codec.decode(u))),
    t.identity,
  );

/** Lists of ids, ratings and the like are shorter. They may be read again for each package. */
const maxItems = 1000;

/** The usable items among the first ones of a list; none if it is no list. */
export const usableItems = <A>(codec: t.Type<A, unknown>, max = maxItems): t.Type<readonly A[], unknown> =>
  new t.Type<readonly A[], unknown, unknown>(
    `array of ${codec.name}`,
    (u): u is readonly A[] => Array.isArray(u) && u.every(codec.is),
    (u) =>
      t.success(
        (Array.isArray(u) ? u.slice(0, max) : []).flatMap((item: unknown): readonly A[] => {
          const decoded = codec.decode(item);
          return E.isRight(decoded) ? [decoded.right] : [];
        }),
      ),
    t.identity,
  );

/**
 * The items of a list of entries, whatever they are; none if it is missing or null. Anything else is refused,
 * or entries could get lost without a word.
 */
export const Items: t.Type<readonly unknown[], unknown> = new t.Type<readonly unknown[], unknown, unknown>(
  'array',
  (u): u is readonly unknown[] => Array.isArray(u),
  (u, c) => {
    if (u === undefined || u === null) return t.success([]);
    return Array.isArray(u) ? t.success(u) : t.failure(u, c);
  },
  t.identity,
);

const maxPlaceLength = 200;

/** Leaves an entry out. `detail` says more, such as which package it names. */
export const leaveOut = (reason: LeftOutReason, path: readonly (string | number)[], detail = ''): LeftOut => {
  const place = `${pointer(path.map(String))}${detail === '' ? '' : ` (${detail})`}`;
  return {
    reason,
    place: place.length > maxPlaceLength ? `${place.slice(0, maxPlaceLength).toWellFormed()}…` : place,
  };
};

/** Decodes an entry of a report. `left`: it is left out, and the place says what is wrong with it. */
export const decodeEntry = <A>(
  codec: t.Type<A, unknown>,
  value: unknown,
  path: readonly (string | number)[],
): E.Either<LeftOut, A> =>
  E.mapLeft((errors: t.Errors) => malformed(problemsOf(errors), path))(codec.decode(value));

const malformed = ([first]: readonly Problem[], path: readonly (string | number)[]): LeftOut =>
  first === undefined
    ? leaveOut('malformed', path)
    : leaveOut('malformed', [...path, ...first.path], first.message);
