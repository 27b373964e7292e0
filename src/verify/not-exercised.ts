import * as t from 'io-ts';
import type { RequestError } from '../client/fetch-send.js';
import { noResponseReason } from './report-text.js';

/**
 * What kept a check from being exercised: `data` the tenant's data cannot show the statement, `credentials`
 * the run lacks optional ones, `requests` the budget is spent, `sample` only the whole of a large list shows
 * it, `unconfirmed` a violation could not be confirmed within the budget, `response` a response that it needs
 * is missing or unusable.
 */
export const UnexercisedReason = t.keyof(
  { data: null, credentials: null, requests: null, sample: null, unconfirmed: null, response: null },
  'one of data, credentials, requests, sample, unconfirmed, response',
);
export type UnexercisedReason = t.TypeOf<typeof UnexercisedReason>;

/**
 * Why a check was not exercised. What fetches for a check rejects with it, and it is the verdict of that
 * check. `needed` names what is missing, for messages such as "requires a finding"; `stopped` is the reason
 * if no more requests are sent at all.
 */
export class NotExercised extends Error {
  readonly _tag = 'NotExercised';

  constructor(
    readonly needed: string,
    readonly reason: UnexercisedReason,
    readonly stopped: string | null = null,
  ) {
    super(needed);
  }
}

/** A check needs a response that did not come. */
export const withoutResponse = (error: RequestError): NotExercised => {
  switch (error._tag) {
    case 'Unreachable':
      return new NotExercised(`a server that answers: ${error.reason}`, 'response', error.reason);
    case 'ResponseTooLong':
    case 'ResponsesTooLarge': {
      const reason = noResponseReason(error);
      return new NotExercised(`a shorter response: ${reason}`, 'response', reason);
    }
    case 'BudgetSpent':
      return new NotExercised(`more requests than --max-requests allows (${error.maxRequests})`, 'requests');
  }
};

/** The value of a promise, or a fallback if what it needs is missing. */
export const orElse = <A, B>(promise: Promise<A>, fallback: B): Promise<A | B> =>
  promise.catch((error: unknown) => {
    if (!(error instanceof NotExercised) || error.reason === 'requests' || error.stopped !== null)
      throw error;
    return fallback;
  });

/** All values, or what the first promise without one rejects with, whichever of them settles first. */
export const all = async <A>(promises: readonly Promise<A>[]): Promise<readonly A[]> => {
  await Promise.allSettled(promises);
  return Promise.all(promises);
};

/** Those that do not need the whole of a list that is too large; rejects if all of them do. */
export const allThatFit = async <A>(promises: readonly Promise<A>[]): Promise<readonly A[]> => {
  const results = await Promise.allSettled(promises);
  const fitting = promises.filter((_, index) => {
    const result = results[index];
    if (result?.status !== 'rejected') return true;
    const cause: unknown = result.reason;
    return !(cause instanceof NotExercised && cause.reason === 'sample');
  });
  return all(fitting.length === 0 ? promises : fitting);
};
