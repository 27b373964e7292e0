import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';

/** How a value fails its codec. */
export type ValidationFailureKind = 'missing' | 'null' | 'timestamp' | 'enum' | 'type';

/** A place in a value where it fails its codec. */
export type ValidationFailure = Readonly<{
  kind: ValidationFailureKind;
  path: readonly string[];
  expected: string;
  got: unknown;
}>;

/** All places where a value fails a codec of the contract, each with its kind. */
export const validationFailures = (codec: t.Mixed, value: unknown): readonly ValidationFailure[] => {
  const decoded = codec.decode(value);
  if (E.isRight(decoded)) return [];
  return decoded.left.map(({ context, value: got }) => {
    const expected = context.at(-1)?.type.name ?? codec.name;
    return { kind: kindOf(expected, got), path: context.slice(1).map(({ key }) => key), expected, got };
  });
};

const kindOf = (expected: string, got: unknown): ValidationFailureKind => {
  if (got === undefined) return 'missing';
  if (got === null) return 'null';
  if (typeof got !== 'string') return 'type';
  if (expected.startsWith('timestamp')) return 'timestamp';
  return expected.startsWith('one of') ? 'enum' : 'type';
};
