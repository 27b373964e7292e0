import * as t from 'io-ts';

/** A number of one kind, and the word that JSON Schema has for it. */
export class NumberCodec extends t.Type<number, number, unknown> {
  readonly _tag = 'NumberKind';

  constructor(
    name: string,
    readonly type: 'integer' | 'number',
    accepts: (u: unknown) => boolean,
  ) {
    const is = (u: unknown): u is number => typeof u === 'number' && accepts(u);
    super(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}

/** A whole number that JSON carries exactly: -(2^53-1) to 2^53-1. */
export const Integer = new NumberCodec('integer', 'integer', Number.isSafeInteger);

/** A number that JSON can carry: neither NaN nor infinite, which JSON would turn into null. */
export const FiniteNumber = new NumberCodec('finite number', 'number', Number.isFinite);
