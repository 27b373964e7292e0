import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { escapeControlCharacters } from '../../common/messages.js';

/** One thing that is wrong with a value: its path inside the value, and a message. */
export type Problem = Readonly<{
  path: readonly string[];
  message: string;
  /** The expected type, if the value has the wrong type; null for every other kind of problem. */
  expected: string | null;
}>;

/** A value of the wrong type: `expected …, got …`. */
export const mismatch = (path: readonly string[], expected: string, actual: string): Problem => ({
  path,
  message: `expected ${expected}, got ${actual}`,
  expected,
});

export const problem = (path: readonly string[], message: string): Problem => ({
  path,
  message,
  expected: null,
});

const maxQuotedLength = 60;

/** A short description of a value for an error message: scalars as JSON, others by kind. */
export const describe = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    const points = Array.from(value);
    const quoted = JSON.stringify(points.slice(0, maxQuotedLength).join(''));
    return points.length > maxQuotedLength ? `${quoted}…` : quoted;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date';
  return Array.isArray(value) ? `an array of ${value.length}` : `an ${typeof value}`;
};

/** Converts io-ts errors to problems. Secrets are not quoted, because problems are printed and logged. */
export const problemsOf = (errors: t.Errors): readonly Problem[] =>
  errors.map(({ context, message, value }) => {
    const failed = context.at(-1)?.type;
    const path = context.slice(1).map(({ key }) => key);
    const expected = message ?? failed?.name ?? 'another value';
    // An unknown key. Its value is not quoted, because the key may be a misspelt `password`.
    if (failed instanceof t.NeverType) return problem(path, expected);
    return mismatch(path, expected, holdsSecret(failed) ? describeSecret(value) : describe(value));
  });

/**
 * Whether a value of this codec is or holds a secret: who wrote `["token"]` meant `[{"token": "token"}]`. It
 * goes by properties, so that decoding needs none of the classes that a front end does not use.
 */
const holdsSecret = (codec: unknown): boolean => {
  if (codec instanceof t.ReadonlyArrayType) return holdsSecret(codec.type);
  if (!t.UnknownRecord.is(codec)) return false;
  return (
    codec.isSecret === true ||
    holdsSecret(codec.codec) ||
    (t.UnknownRecord.is(codec.props) && Object.values(codec.props).some(holdsSecret))
  );
};

/** Says of a secret only whether there is one: even a number of the wrong type may be what was meant. */
const describeSecret = (value: unknown): string => {
  if (value === undefined || value === null) return describe(value);
  if (typeof value === 'string') return 'other text';
  return typeof value === 'object' ? describe(value) : 'another value';
};

/** The JSON pointer (RFC 6901) of a path; empty for the whole document. */
export const pointer = (path: readonly string[]): string =>
  path.map((key) => `/${escapeControlCharacters(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Formats a problem as `/json/pointer: message`. */
export const formatProblem = ({ path, message }: Problem): string =>
  `${path.length === 0 ? '' : `${pointer(path)}: `}${message}`;

/** Decodes a value of unknown shape, such as a parsed body. `left`: everything that is wrong with it. */
export const decode = <A>(codec: t.Decoder<unknown, A>, value: unknown): E.Either<readonly Problem[], A> =>
  E.mapLeft(problemsOf)(codec.decode(value));
