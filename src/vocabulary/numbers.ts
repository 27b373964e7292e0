import * as t from 'io-ts';

/** A whole number that JSON carries exactly: -(2^53-1) to 2^53-1. */
export const Integer = new t.Type<number, number, unknown>(
  'integer',
  (u): u is number => Number.isSafeInteger(u),
  (u, c) => (typeof u === 'number' && Number.isSafeInteger(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
);

/** A number that JSON can carry: neither NaN nor infinite, which JSON would turn into null. */
export const FiniteNumber = new t.Type<number, number, unknown>(
  'finite number',
  (u): u is number => Number.isFinite(u),
  (u, c) => (typeof u === 'number' && Number.isFinite(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
);
