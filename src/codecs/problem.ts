import type * as t from 'io-ts';
import { escapeControlCharacters } from '../common/escape-control-characters.js';
import { Described } from './described.js';
import { SecretString } from './secret-string.js';
import { UnknownKey } from './unknown-key.js';

/** One thing that is wrong with a value: where inside it, and what, in words. */
export type Problem = Readonly<{
  path: readonly string[];
  message: string;
  /** What was expected there, when the value is of the wrong type; null for any other kind of problem. */
  expected: string | null;
}>;

/** A value of the wrong type: `expected …, got …`. */
export const mismatch = (path: readonly string[], expected: string, got: string): Problem => ({
  path,
  message: `expected ${expected}, got ${got}`,
  expected,
});

/** A problem that is not about the type of a value, with a sentence of its own. */
export const problem = (path: readonly string[], message: string): Problem => ({
  path,
  message,
  expected: null,
});

const longest = 60;

/** A value in a few words for an error message: scalars as JSON (long text cut), the rest by kind. */
export const describe = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    const points = Array.from(value);
    return points.length > longest
      ? `${JSON.stringify(points.slice(0, longest).join(''))}…`
      : JSON.stringify(value);
  }
  return Array.isArray(value) ? `an array of ${value.length}` : `an ${typeof value}`;
};

/** What io-ts reports, as problems. The value of a secret is named by its kind only: problems are printed and logged. */
export const problemsOf = (errors: t.Errors): readonly Problem[] =>
  errors.map(({ context, message, value }) => {
    const failed = context.at(-1)?.type;
    const path = context.slice(1).map(({ key }) => key);
    // The value is not quoted: an unknown key may be a misspelt `password`.
    if (failed instanceof UnknownKey) return problem(path, failed.name);
    return mismatch(
      path,
      message ?? failed?.name ?? 'another value',
      isSecret(failed) && typeof value === 'string' ? 'other text' : describe(value),
    );
  });

const isSecret = (codec: unknown): boolean =>
  codec instanceof SecretString || (codec instanceof Described && isSecret(codec.codec));

/** A path inside a JSON document as a JSON pointer (RFC 6901); the document itself is the empty pointer. */
export const pointer = (path: readonly string[]): string =>
  path.map((key) => `/${escapeControlCharacters(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** `/json/pointer: message`, the form that every message about data takes. */
export const formatProblem = ({ path, message }: Problem): string =>
  `${path.length === 0 ? '' : `${pointer(path)}: `}${message}`;
