import * as t from 'io-ts';

/** `codec` or left out. */
export const optional = <A, O>(codec: t.Type<A, O>): t.Type<A | undefined, O | undefined> =>
  new t.Type(
    codec.name,
    (u): u is A | undefined => u === undefined || codec.is(u),
    (u, c) => (u === undefined ? t.success(undefined) : codec.validate(u, c)),
    (a) => (a === undefined ? undefined : codec.encode(a)),
  );
