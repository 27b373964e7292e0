import type { ApiRequest } from '../client/api-request.js';

/** A place where a response is not as expected. */
export type Violation = Readonly<{
  /** The request whose response shows it. */
  request: ApiRequest;
  /** The path in the body; empty if the body or the response as a whole is meant. */
  path: readonly string[];
  expected: string;
  /** The value as it was sent; reports shorten it and remove secrets. */
  got: unknown;
}>;

/** The result of a check. A check that nothing has exercised never counts as passed. */
export type Verdict =
  | Readonly<{ _tag: 'Passed' }>
  | Readonly<{ _tag: 'Violated'; violations: readonly Violation[] }>
  | Readonly<{ _tag: 'NotExercised'; prerequisite: string }>;

/** A case that a check examined: a violation, or `null` if there is none. */
export type Case = Violation | null;

export const notExercised = (prerequisite: string): Verdict => ({ _tag: 'NotExercised', prerequisite });

/** The verdict on all cases; without any, the check was not exercised for lack of `prerequisite`. */
export const verdictOf = (cases: readonly Case[], prerequisite: string): Verdict => {
  const violations = cases.filter((each) => each !== null);
  if (violations.length > 0) return { _tag: 'Violated', violations };
  return cases.length === 0 ? notExercised(prerequisite) : { _tag: 'Passed' };
};
