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

/** Whether a string satisfies a shape. */
export const hasShape = ({ pattern, minLength = 0, maxLength }: StringShape, text: string): boolean =>
  (pattern === undefined || pattern.test(text)) &&
  (text.length >= 2 * minLength || codePoints(text) >= minLength) &&
  (maxLength === undefined || text.length <= maxLength || codePoints(text) <= maxLength);

/** Slower than `length`, so `hasShape` counts only if the number of UTF-16 units does not decide. */
const codePoints = (text: string): number => Array.from(text).length;

/**
 * A string with a shape. `is` may require more than the shape, but never less; `validate` succeeds where `is`
 * does, and only there.
 */
export class StringCodec<A extends string> extends t.Type<A, string, unknown> {
  readonly _tag = 'StringCodec';
  readonly keepsValues = true;

  constructor(
    name: string,
    readonly shape: StringShape,
    is: (u: unknown) => u is A,
    validate: t.Validate<unknown, A> = (u, c) => (is(u) ? t.success(u) : t.failure(u, c)),
  ) {
    super(name, is, validate, t.identity);
  }
}

/**
 * A branded string. Unlike `t.brand` it takes a name, which error messages show, and a shape, from which a
 * JSON Schema can be derived. `refine` checks what the shape cannot express.
 */
export const branded = <B>(
  name: string,
  shape: StringShape,
  refine: (text: string) => boolean = () => true,
): StringCodec<t.Branded<string, B>> =>
  new StringCodec(
    name,
    shape,
    (u): u is t.Branded<string, B> => typeof u === 'string' && hasShape(shape, u) && refine(u),
  );
