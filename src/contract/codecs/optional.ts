import * as t from 'io-ts';
import { holdsSecret } from './holds-secret.js';
import { keepsValues } from './keeps-values.js';

/** A value or `undefined`. */
export class Optional<A, O> extends t.Type<A | undefined, O | undefined, unknown> {
  readonly _tag = 'Optional';
  readonly keepsValues: boolean;
  readonly holdsSecret: boolean;

  constructor(readonly codec: t.Type<A, O>) {
    super(
      codec.name,
      (u): u is A | undefined => u === undefined || codec.is(u),
      (u, c) => (u === undefined ? t.success(undefined) : codec.validate(u, asContextOf(codec, c))),
      (a) => (a === undefined ? undefined : codec.encode(a)),
    );
    this.keepsValues = keepsValues(codec);
    this.holdsSecret = holdsSecret(codec);
  }
}

/** Attributes errors to `codec`, so that `problemsOf` recognizes a secret and does not quote it. */
const asContextOf = (codec: t.Mixed, context: t.Context): t.Context => {
  const last = context.at(-1);
  return last === undefined ? context : [...context.slice(0, -1), { ...last, type: codec }];
};

/** A `codec` value, which may be missing. */
export const optional = <A, O>(codec: t.Type<A, O>): Optional<A, O> => new Optional(codec);
