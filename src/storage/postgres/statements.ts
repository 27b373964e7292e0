import type { Caller } from '../../records/caller.js';
import type { PresentedCredentials } from '../port.js';
import type { Statement } from './database.js';
import type { Question } from './questions.js';

type Call = Pick<Question<unknown>, 'name' | 'values'>;

/** `$from`, `$from+1`, …: the places of so many values. */
const places = (from: number, values: readonly unknown[]): string =>
  values.map((_, i) => `, $${from + i}`).join('');

const callerOf = 'triage.caller_of($1, $2, $3)';
const askerValues = ({ session, apiToken, at }: PresentedCredentials): Statement['values'] => [
  session,
  apiToken,
  at,
];

/** Who asks, and whether a use of the token is to be noted. */
export const callerStatement = (credentials: PresentedCredentials): Statement => ({
  text: `SELECT user_id AS "userId", use_due AS "useDue" FROM ${callerOf}`,
  values: askerValues(credentials),
});

/** A question in the name of a caller who is known. */
export const questionStatement = ({ userId }: Caller, { name, values }: Call): Statement => ({
  text: `SELECT triage.${name}($1${places(2, values)}) AS answer`,
  values: [userId, ...values],
});

/** Both at once; no row: nobody asks. */
export const askedStatement = (credentials: PresentedCredentials, { name, values }: Call): Statement => ({
  text:
    `SELECT c.user_id AS "userId", c.use_due AS "useDue", triage.${name}(c.user_id${places(4, values)}) AS answer ` +
    `FROM ${callerOf} c`,
  values: [...askerValues(credentials), ...values],
});
