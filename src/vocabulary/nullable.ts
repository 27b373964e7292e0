import * as t from 'io-ts';

/** `codec` or null. Unlike a union, a problem inside keeps its path, and "expected" names both. */
export const nullable = <A, O>(codec: t.Type<A, O>): t.Type<A | null, O | null> =>
  new t.Type(
    `${codec.name} or null`,
    (u): u is A | null => u === null || codec.is(u),
    (u, c) => (u === null ? t.success(null) : codec.validate(u, c)),
    (a) => (a === null ? null : codec.encode(a)),
  );
