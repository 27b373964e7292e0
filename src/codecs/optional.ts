import * as t from 'io-ts';

/** What a codec takes, or nothing. */
export class Optional<A, O> extends t.Type<A | undefined, O | undefined, unknown> {
  readonly _tag = 'Optional';

  constructor(readonly codec: t.Type<A, O>) {
    super(
      codec.name,
      (u): u is A | undefined => u === undefined || codec.is(u),
      (u, c) => (u === undefined ? t.success(undefined) : codec.validate(u, seenBy(codec, c))),
      (a) => (a === undefined ? undefined : codec.encode(a)),
    );
  }
}

/** Problems are those of `codec`: one that is a secret must be known as one, or they would quote it. */
const seenBy = (codec: t.Mixed, context: t.Context): t.Context => {
  const last = context.at(-1);
  return last === undefined ? context : [...context.slice(0, -1), { ...last, type: codec }];
};

/** `codec` or left out. */
export const optional = <A, O>(codec: t.Type<A, O>): Optional<A, O> => new Optional(codec);
