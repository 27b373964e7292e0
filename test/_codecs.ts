import type { ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { formatProblem, problemsOf } from '../src/contract/codecs/problem.js';

/**
 * `codec` decodes `input` to `expected`, and encodes that back to `encoded` (the input, unless told
 * otherwise).
 */
export const assertDecodes = (
  test: ExecutionContext,
  codec: t.Mixed,
  input: unknown,
  expected: unknown = input,
  encoded: unknown = input,
): void => {
  const decoded = codec.decode(input);
  if (E.isLeft(decoded)) {
    test.fail(`${codec.name} refuses it: ${problemsOf(decoded.left).map(formatProblem).join('; ')}`);
    return;
  }
  test.deepEqual<unknown, unknown>(decoded.right, expected);
  test.true(codec.is(decoded.right));
  test.deepEqual<unknown, unknown>(codec.encode(decoded.right), encoded);
};

/** `codec` refuses `input` with exactly these problems. */
export const assertRejects = (
  test: ExecutionContext,
  codec: t.Mixed,
  input: unknown,
  ...problems: readonly string[]
): void => {
  const decoded = codec.decode(input);
  test.deepEqual(E.isLeft(decoded) ? problemsOf(decoded.left).map(formatProblem) : 'decoded', problems);
  test.false(codec.is(input));
};
