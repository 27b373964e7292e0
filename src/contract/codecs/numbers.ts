import * as t from 'io-ts';

/** The least and the greatest value, both included. */
export type Bounds = Readonly<{ minimum?: number; maximum?: number }>;

/** A restricted number, with its JSON Schema `type` and bounds. */
export class NumberCodec extends t.Type<number, number, unknown> {
  readonly _tag = 'NumberCodec';
  readonly keepsValues = true;

  constructor(
    name: string,
    readonly type: 'integer' | 'number',
    accepts: (u: unknown) => boolean,
    readonly bounds: Bounds = {},
  ) {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = bounds;
    const is = (u: unknown): u is number =>
      typeof u === 'number' && accepts(u) && u >= minimum && u <= maximum;
    super(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}

/** An integer that JSON represents exactly: -(2^53-1) to 2^53-1. */
export const Integer = /* @__PURE__ */ new NumberCodec('integer', 'integer', Number.isSafeInteger);

/** An integer within bounds. */
export const integerFrom = (minimum: number, maximum?: number): NumberCodec =>
  new NumberCodec(
    maximum === undefined ? `integer from ${minimum}` : `integer from ${minimum} to ${maximum}`,
    'integer',
    Number.isSafeInteger,
    maximum === undefined ? { minimum } : { minimum, maximum },
  );

/** A number of things: an integer that is not negative. */
export const Count = integerFrom(0);

/** Any number but NaN and infinity, which JSON would turn into null. */
export const FiniteNumber = /* @__PURE__ */ new NumberCodec('finite number', 'number', Number.isFinite);
