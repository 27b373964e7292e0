import * as t from 'io-ts';

/** `codec` or left out. */
export const optional = <A, O>(codec: t.Type<A, O>): t.Type<A | undefined, O | undefined> =>
  new t.Type(
    codec.name,
    (u): u is A | undefined => u === undefined || codec.is(u),
    (u, c) => (u === undefined ? t.success(undefined) : codec.validate(u, seenBy(codec, c))),
    (a) => (a === undefined ? undefined : codec.encode(a)),
  );

/** Problems are those of `codec`: one that is a secret must be known as one, or they would quote it. */
const seenBy = (codec: t.Mixed, context: t.Context): t.Context => {
  const last = context.at(-1);
  return last === undefined ? context : [...context.slice(0, -1), { ...last, type: codec }];
};
