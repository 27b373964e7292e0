import * as t from 'io-ts';

/** A `bigint` of the database, which the driver passes as text, that a number can hold exactly. */
export const Digits = t.refinement(t.string, (text) => Number.isSafeInteger(Number(text)), 'integer');
