import * as t from 'io-ts';

/** A codec or null. Unlike a union, a problem inside keeps its path, and "expected" names both. */
export class Nullable<A, O> extends t.Type<A | null, O | null, unknown> {
  readonly _tag = 'Nullable';

  constructor(readonly codec: t.Type<A, O>) {
    super(
      `${codec.name} or null`,
      (u): u is A | null => u === null || codec.is(u),
      (u, c) => (u === null ? t.success(null) : codec.validate(u, c)),
      (a) => (a === null ? null : codec.encode(a)),
    );
  }
}

/** `codec` or null. */
export const nullable = <A, O>(codec: t.Type<A, O>): Nullable<A, O> => new Nullable(codec);
