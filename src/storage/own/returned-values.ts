import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { mismatch, type Problem, problem, problemsOf } from '../../codecs/problem.js';
import type { Slice } from '../port.js';

/** Accepts a value that a storage has returned, or says what is wrong with it. */
export type Accept<A> = (value: unknown) => E.Either<readonly Problem[], A>;

/**
 * Accepts what a codec accepts, as a value that is frozen to its depths: what has been accepted and is kept
 * must not change afterwards. A frozen row that has been accepted is not looked at again.
 */
export const acceptWith = <A>(codec: t.Type<A, unknown>): Accept<A> => {
  const known = new WeakMap<object, E.Either<never, A>>();
  return (value) => {
    const isKept = typeof value === 'object' && value !== null && Object.isFrozen(value);
    const accepted = isKept ? known.get(value) : undefined;
    if (accepted !== undefined) return accepted;
    const decoded = codec.decode(value);
    if (E.isLeft(decoded)) return E.left(problemsOf(decoded.left));
    const frozen = E.right(isDeeplyFrozen(decoded.right) ? decoded.right : frozenCopy(decoded.right));
    if (isKept) known.set(value, frozen);
    return frozen;
  };
};

/** Accepts a list of rows. The same frozen list is accepted as the same list. */
export const acceptList = <A>(acceptRow: Accept<A>): Accept<readonly A[]> => {
  const known = new WeakMap<object, E.Either<never, readonly A[]>>();
  return (value) => {
    if (!Array.isArray(value)) return E.left([mismatch([], 'an array of rows', typeof value)]);
    const accepted = known.get(value);
    if (accepted !== undefined) return accepted;
    const rows: A[] = [];
    // Not `map`, which would leave the holes of a sparse array out.
    for (let index = 0; index < value.length; index += 1) {
      const row = acceptRow(value[index]);
      if (E.isLeft(row)) return E.left(below(String(index), row.left));
      rows.push(row.right);
    }
    const list = E.right(Object.freeze(rows));
    if (Object.isFrozen(value)) known.set(value, list);
    return list;
  };
};

/** Accepts some rows of a list with their total. */
export const acceptSlice = <A>(
  acceptRow: Accept<A>,
): ((value: unknown, limit: number) => E.Either<readonly Problem[], Slice<A>>) => {
  const acceptRows = acceptList(acceptRow);
  const known = new WeakMap<object, Slice<A>>();
  return (value, limit) => {
    if (!SliceForm.is(value)) return E.left([mismatch([], SliceForm.name, typeof value)]);
    const { rows: given, total } = value;
    if (!Number.isSafeInteger(total) || total < 0) {
      return E.left([mismatch(['total'], 'a number of rows', String(total))]);
    }
    const rows = acceptRows(given);
    if (E.isLeft(rows)) return E.left(below('rows', rows.left));
    if (rows.right.length > limit) {
      return E.left([problem(['rows'], `expected at most ${limit} rows, got ${rows.right.length}`)]);
    }
    const slice = known.get(value) ?? Object.freeze({ rows: rows.right, total });
    // Only a frozen slice of frozen rows stays what it is.
    if (Object.isFrozen(value) && Object.isFrozen(given)) known.set(value, slice);
    return E.right(slice);
  };
};

const SliceForm = t.type({ rows: t.unknown, total: t.number }, 'rows and their total');

const below = (key: string, problems: readonly Problem[]): readonly Problem[] =>
  problems.map((each) => ({ ...each, path: [key, ...each.path] }));

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));

const frozenCopy = <A>(value: A): A => {
  const copy = structuredClone(value);
  freeze(copy);
  return copy;
};

const freeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
};
