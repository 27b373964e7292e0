import * as t from 'io-ts';

/**
 * The constraints of a string that JSON Schema can express. Lengths count code points; patterns have no
 * flags. `format` is a hint for people and tools and is not checked: the pattern must cover it.
 */
export type StringShape = Readonly<{
  pattern?: RegExp;
  minLength?: number;
  maxLength?: number;
  format?: 'date-time' | 'email';
}>;

/** Code points are counted only if the number of UTF-16 units does not decide. */
const hasShape = ({ pattern, minLength = 0, maxLength }: StringShape, text: string): boolean =>
  (pattern === undefined || pattern.test(text)) &&
  (text.length >= 2 * minLength || codePoints(text) >= minLength) &&
  (maxLength === undefined || text.length <= maxLength || codePoints(text) <= maxLength);

const codePoints = (text: string): number => Array.from(text).length;

/**
 * A string with a shape, from which a JSON Schema can be derived. `refine` checks what the shape cannot
 * express. `mismatch` says what is expected of a string that is refused, if not only the name of the codec.
 */
export class StringCodec<A extends string = string> extends t.Type<A, string, unknown> {
  constructor(
    name: string,
    readonly shape: StringShape,
    refine: (text: string) => boolean = () => true,
    mismatch?: (text: string) => string | undefined,
  ) {
    const is = (u: unknown): u is A => typeof u === 'string' && hasShape(shape, u) && refine(u);
    const expected = (u: unknown) => (typeof u === 'string' ? mismatch?.(u) : undefined);
    super(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c, expected(u))), t.identity);
  }
}

/** A string that must not be shown: a password, a session value or a token. Error messages never quote it. */
export class SecretString extends StringCodec {
  readonly isSecret = true;
}

/** A branded string. Unlike `t.brand` it takes a name, which error messages show. */
export const branded = <B>(name: string, shape: StringShape) =>
  new StringCodec<t.Branded<string, B>>(name, shape);

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

const storable = (name: string, shape: StringShape, expected: string): StringCodec =>
  new StringCodec(name, shape, isStorable, (text) =>
    isStorable(text) ? expected : `${name} without U+0000 and unpaired surrogates`,
  );

/** In code points, so that no value makes a page of any size. */
const maxTextLength = 100_000;

/** Text without U+0000, which PostgreSQL refuses, and unpaired surrogates, which UTF-8 cannot encode. */
export const Text = storable(
  'text',
  { maxLength: maxTextLength },
  `text of at most ${maxTextLength} characters`,
);

/** The maximum length of an id, in code points. A PostgreSQL index key has room for three. */
const maxIdentifierLength = 200;

/** An opaque id (contract, section 2). It is not empty, so it can be part of a path. */
export const Identifier = storable(
  'identifier',
  { minLength: 1, maxLength: maxIdentifierLength },
  `identifier of 1 to ${maxIdentifierLength} characters`,
);

/** The maximum length of an e-mail address (RFC 5321 with errata). */
const maxEmailLength = 254;

/** An e-mail address, checked for its basic form only: one at sign, text on both sides, no white space. */
export const Email = storable(
  'e-mail address',
  { pattern: /^[^\s@]+@[^\s@]+$/, format: 'email', maxLength: maxEmailLength },
  `e-mail address of at most ${maxEmailLength} characters`,
);

/** A restricted number, with its JSON Schema `type` and bounds, both included. */
export class NumberCodec extends t.Type<number, number, unknown> {
  constructor(
    name: string,
    readonly type: 'integer' | 'number',
    accepts: (u: unknown) => boolean,
    readonly bounds: Readonly<{ minimum?: number; maximum?: number }> = {},
  ) {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = bounds;
    const is = (u: unknown): u is number =>
      typeof u === 'number' && accepts(u) && u >= minimum && u <= maximum;
    super(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}

/** An integer that JSON represents exactly: -(2^53-1) to 2^53-1. */
export const Integer = /* @__PURE__ */ new NumberCodec('integer', 'integer', Number.isSafeInteger);

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
