import * as E from '#fp-ts/Either';
import { type Exchange, noting } from './caching-client.js';
import type { Check } from './check.js';
import type { FetchContext } from './need.js';
import { missing, type UnmetPrerequisite } from './unmet-prerequisite.js';
import type { Verdict } from './verdict.js';

export type Outcome = E.Either<UnmetPrerequisite, Verdict>;

/** A check that was run: its outcome, and the exchanges that it looked at. */
export type CheckRun = Readonly<{ check: Check; outcome: Outcome; exchanges: readonly Exchange[] }>;

/** Runs a check. A body that is nested too deeply overflows the stack, and the check is not exercised. */
export const runCheck = async (check: Check, context: FetchContext): Promise<CheckRun> => {
  const client = noting(context.client);
  // A check that judges all exchanges of a run needs those of the others, too.
  const seen = Number.isFinite(check.cost) ? client : { ...client, exchanges: context.client.exchanges };
  const result = (outcome: Outcome): CheckRun => ({ check, outcome, exchanges: client.exchanges() });
  try {
    return result(await check.run({ ...context, client: seen })());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return result(E.left(missing(`responses that are not nested too deeply (${error.message})`)));
  }
};
