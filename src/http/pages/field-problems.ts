import type { AccountError } from '../../accounts/account-flow.js';

/** What to enter instead in each field of a form that was refused; empty for every other failure. */
export const fieldProblems = (error: AccountError): ReadonlyMap<string, string> =>
  new Map(
    error._tag === 'InvalidForm'
      ? error.problems.map(({ path, expected, message }) => [path.join('/'), `Enter ${expected ?? message}.`])
      : [],
  );

/** The message above a form: which fields to correct is said beside them. */
export const formMessage = (problems: ReadonlyMap<string, string>, message: string): string =>
  problems.size > 0 ? 'Please correct the highlighted fields.' : message;
