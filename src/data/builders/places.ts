import { type Problem, pointer } from '../../contract/codecs/problem.js';
import type { CollectedRows } from './collect-rows.js';
import { collections } from './kinds.js';

/** A problem of a completed row, at the place where the caller has written that row. */
export const atItsPlace = (rows: CollectedRows['rows']): ((found: Problem) => Problem) => {
  const placeOf = (path: readonly string[]): readonly string[] => {
    const [first, index, ...rest] = path;
    const collection = collections.find((name) => name === first);
    const row = collection === undefined ? undefined : rows[collection][Number(index)];
    return row === undefined ? path : [...row.place, ...rest];
  };
  return ({ path, message, expected }) => ({
    path: placeOf(path),
    message: message.replace(
      /; \/(\S+) has it already$/,
      (_, other: string) => `; ${pointer(placeOf(other.split('/')))} has it already`,
    ),
    expected,
  });
};
