import * as t from 'io-ts';
import { holdsSecret } from './holds-secret.js';
import { keepsValues } from './keeps-values.js';

/** A value or null. Unlike with a union, errors inside the value keep their path. */
export class Nullable<A, O> extends t.Type<A | null, O | null, unknown> {
  readonly _tag = 'Nullable';
  readonly keepsValues: boolean;
  readonly holdsSecret: boolean;

  constructor(readonly codec: t.Type<A, O>) {
    super(
      `${codec.name} or null`,
      (u): u is A | null => u === null || codec.is(u),
      (u, c) => (u === null ? t.success(null) : codec.validate(u, c)),
      (a) => (a === null ? null : codec.encode(a)),
    );
    this.keepsValues = keepsValues(codec);
    this.holdsSecret = holdsSecret(codec);
  }
}

/** A `codec` value or null. */
export const nullable = <A, O>(codec: t.Type<A, O>): Nullable<A, O> => new Nullable(codec);
