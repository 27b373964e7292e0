import type { ApiRequest } from '../../client/outgoing-request.js';
import type { UnexercisedReason } from './unmet-prerequisite.js';

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
  /** Responses disagree, but they change all the time, so that nobody can tell. */
  | Readonly<{ _tag: 'ChangingData'; violations: readonly Violation[] }>
  | Readonly<{ _tag: 'NotExercised'; prerequisite: string; reason: UnexercisedReason }>;

/** A case that a check examined: a violation, or `null` if there is none. */
export type Case = Violation | null;

/** The cases of a value; `isPartial` if it was made of a part of a list where the whole one was needed. */
export type JudgedValue = Readonly<{ cases: readonly Case[]; isPartial: boolean }>;

export const notExercised = (prerequisite: string, reason: UnexercisedReason = 'data'): Verdict => ({
  _tag: 'NotExercised',
  prerequisite,
  reason,
});

/**
 * The verdict on all cases; without any, the check was not exercised for lack of `prerequisite`. A value that
 * is partial says nothing if it has a violation, because the missing part may explain it.
 */
export const verdictOf = (values: readonly JudgedValue[], prerequisite: string): Verdict => {
  const telling = values.filter(({ cases, isPartial }) => !isPartial || cases.every((each) => each === null));
  const cases = telling.flatMap((value) => value.cases);
  const violations = cases.filter((each) => each !== null);
  if (violations.length > 0) return { _tag: 'Violated', violations };
  if (cases.length > 0) return { _tag: 'Passed' };
  return telling.length < values.length
    ? notExercised('all pages of a large list (--all-pages)', 'sample')
    : notExercised(prerequisite);
};
