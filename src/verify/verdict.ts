import { type ApiRequest, describeRequest } from '../client/api-request.js';
import { isJsonEqual } from '../common/canonical-json.js';
import type { Seen } from './row.js';

/** One place where an answer is not what it should be. */
export type Violation = Readonly<{
  /** The request that shows it. */
  ask: ApiRequest;
  /** Where in the body of its answer; empty: the body or the answer as a whole. */
  path: readonly string[];
  expected: string;
  /** As it was found; reports make it short and take secrets out. */
  got: unknown;
}>;

/** What a check found. A statement that nothing put to the test is never a passed one. */
export type Verdict =
  | Readonly<{ _tag: 'Passed' }>
  | Readonly<{ _tag: 'Violated'; violations: readonly Violation[] }>
  | Readonly<{ _tag: 'NotExercised'; needed: string }>;

/** A case that was looked at: a violation, or `null` where all was well. */
export type Case = Violation | null;

/** All cases together; where there is none, `needed` says what there would have to be. */
export const verdictOf = (needed: string, cases: readonly Case[]): Verdict => {
  const violations = cases.filter((each) => each !== null);
  if (violations.length > 0) return { _tag: 'Violated', violations };
  return cases.length === 0 ? notExercised(needed) : { _tag: 'Passed' };
};

export const notExercised = (needed: string): Verdict => ({ _tag: 'NotExercised', needed });

export const violation = (
  ask: ApiRequest,
  path: readonly string[],
  expected: string,
  got: unknown,
): Violation => ({
  ask,
  path,
  expected,
  got,
});

/** The field of a row is this value; `why` tells people where the value comes from. */
export const fieldIs = ({ value, from, path }: Seen, field: string, expected: unknown, why = ''): Case =>
  isJsonEqual(value[field], expected)
    ? null
    : violation(from, [...path, field], `${JSON.stringify(expected)}${why}`, value[field]);

/** For messages that speak of two requests. */
export const asIn = (ask: ApiRequest): string => `, as in ${describeRequest(ask)}`;
