import * as t from 'io-ts';
import type { RequestError } from '../client/fetch-send.js';
import { noResponseReason } from './report-text.js';

/** What kept a check from being exercised: a heading, and what would help; the gravest first. */
export const reasons = {
  unconfirmed: [
    'violations that could not be confirmed',
    'need more requests to confirm a violation (--max-requests)',
  ],
  requests: ['requests ran out', 'need more requests (--max-requests)'],
  response: ['a response is missing or unusable', 'need a response that did not come as expected'],
  sample: ['the list is large, and was sampled', 'need --all-pages'],
  data: ['the data of this user cannot show it', 'need data that this user does not have'],
  credentials: ['credentials were not given', 'need further credentials'],
} as const;

export const UnexercisedReason = t.keyof(reasons, `one of ${Object.keys(reasons).join(', ')}`);
type UnexercisedReason = t.TypeOf<typeof UnexercisedReason>;

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
