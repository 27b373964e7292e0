import * as t from 'io-ts';

/** What makes text of a kind, as far as JSON Schema has words for it. Lengths count code points; patterns bear no flags. */
export type StringShape = Readonly<{
  pattern?: RegExp;
  minLength?: number;
  maxLength?: number;
  format?: 'date-time' | 'email';
}>;

/** Whether text has a shape. The `format` is a hint for people and tools: what it says is up to the pattern. */
export const hasShape = ({ pattern, minLength = 0, maxLength }: StringShape, text: string): boolean =>
  (pattern === undefined || pattern.test(text)) &&
  (text.length >= 2 * minLength || characters(text) >= minLength) &&
  (maxLength === undefined || text.length <= maxLength || characters(text) <= maxLength);

/** Code points, of which some take two units: counted only where the units do not settle it. */
const characters = (text: string): number => Array.from(text).length;

/** Text of one kind. Its codec may ask for more than its shape tells, never for less. */
export class StringCodec<A extends string> extends t.Type<A, string, unknown> {
  readonly _tag = 'TextKind';

  constructor(
    name: string,
    readonly shape: StringShape,
    is: (u: unknown) => u is A,
    validate: t.Validate<unknown, A> = (u, c) => (is(u) ? t.success(u) : t.failure(u, c)),
  ) {
    super(name, is, validate, t.identity);
  }
}
