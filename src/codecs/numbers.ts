import * as t from 'io-ts';

/** A restricted number, with its JSON Schema `type`. */
export class NumberCodec extends t.Type<number, number, unknown> {
  readonly _tag = 'NumberCodec';
  readonly keepsValues = true;

  constructor(
    name: string,
    readonly type: 'integer' | 'number',
    accepts: (u: unknown) => boolean,
  ) {
    const is = (u: unknown): u is number => typeof u === 'number' && accepts(u);
    super(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}

/** An integer that JSON represents exactly: -(2^53-1) to 2^53-1. */
export const Integer = new NumberCodec('integer', 'integer', Number.isSafeInteger);

/** Any number but NaN and infinity, which JSON would turn into null. */
export const FiniteNumber = new NumberCodec('finite number', 'number', Number.isFinite);
