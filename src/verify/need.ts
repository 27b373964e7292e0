import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { RequestError } from '../client/fetch-send.js';
import { noResponseReason } from './report-text.js';
import type { CachingClient } from './requests.js';
import type { TestCredentials } from './test-credentials.js';

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
 * Why a check was not exercised. `needed` names what is missing, for messages such as "requires a finding";
 * `stopped` is the reason if no more requests are sent at all.
 */
export type NotExercised = Readonly<{
  _tag: 'NotExercised';
  needed: string;
  reason: UnexercisedReason;
  stopped: string | null;
}>;

export const notExercised = (
  needed: string,
  reason: UnexercisedReason,
  stopped: string | null = null,
): NotExercised => ({ _tag: 'NotExercised', needed, reason, stopped });

/** A check needs a response that did not come. */
export const withoutResponse = (error: RequestError): NotExercised => {
  switch (error._tag) {
    case 'Unreachable':
      return notExercised(`a server that answers: ${error.reason}`, 'response', error.reason);
    case 'ResponseTooLong':
    case 'ResponsesTooLarge': {
      const reason = noResponseReason(error);
      return notExercised(`a shorter response: ${reason}`, 'response', reason);
    }
    case 'BudgetSpent':
      return notExercised(`more requests than --max-requests allows (${error.maxRequests})`, 'requests');
  }
};

/** Whether large lists are fetched completely, and if not, which seed chooses their pages. */
export type Sampling = Readonly<{ seed: number; allPages: boolean }>;

/** What it takes to fetch a need. Requests that several checks need are sent once. */
export type FetchContext = Readonly<{
  client: CachingClient;
  credentials: TestCredentials;
  sampling: Sampling;
}>;

/**
 * A value that was fetched. `isPartial`: a whole list was needed, and only some of its pages were fetched. A
 * violation that is found in such a value may be due to the missing pages, and does not count.
 */
export type Fetched<A> = Readonly<{ value: A; isPartial: boolean }>;

export type Fetching<A> = Promise<E.Either<NotExercised, A>>;

/**
 * What a check needs from the server: a source of values, each of which is judged on its own.
 *
 * `compares` says whether a single value combines several responses. Data that changes between two responses
 * can then look like a violation, so violations found in such a value have to be confirmed.
 *
 * `cost` is roughly the number of requests that it takes. Checks that cost little run first.
 */
export type Need<A> = Readonly<{
  compares: boolean;
  cost: number;
  fetch: (context: FetchContext) => Fetching<readonly Fetched<A>[]>;
}>;

export const whole = <A>(value: A): Fetched<A> => ({ value, isPartial: false });

/** A single value; `cost` is that of its requests, and several of them are compared. */
export const single = <A>(fetch: (context: FetchContext) => Fetching<A>, cost = 1): Need<A> => ({
  compares: cost > 1,
  cost,
  fetch: async (context) => E.map((value: A) => [whole(value)])(await fetch(context)),
});

/** The values of a need, changed all together. */
export const changed = <A, B>(
  source: Need<A>,
  change: (values: readonly Fetched<A>[]) => readonly Fetched<B>[],
): Need<B> => ({ ...source, fetch: async (context) => E.map(change)(await source.fetch(context)) });

/** A value that takes no request. */
export const constant = <A>(value: A): Need<A> => single(async () => E.right(value), 0);

/** The values of several needs, or why the first that failed has none. */
const allOf = <A>(results: readonly Awaited<Fetching<readonly A[]>>[]): Awaited<Fetching<readonly A[]>> =>
  E.map((values: readonly (readonly A[])[]) => values.flat())(E.sequenceArray(results));

/** Several needs of one kind. Each of their values is judged on its own. */
export const eachOf = <A>(needs: readonly Need<A>[]): Need<A> => ({
  compares: needs.some(({ compares }) => compares),
  cost: needs.reduce((sum, { cost }) => sum + cost, 0),
  fetch: async (context) => allOf(await Promise.all(needs.map((need) => need.fetch(context)))),
});

/** Several needs, whose values are judged together. */
export const together = <A>(needs: readonly Need<A>[]): Need<readonly A[]> => ({
  ...changed(eachOf(needs), (values) => [
    { value: values.map(({ value }) => value), isPartial: values.some(({ isPartial }) => isPartial) },
  ]),
  compares: true,
});

/** Each value, split into parts that are judged on their own. */
export const split = <A, B>(source: Need<A>, partsOf: (value: A) => readonly B[]): Need<B> =>
  changed(source, (values) =>
    values.flatMap(({ value, isPartial }) => partsOf(value).map((part) => ({ value: part, isPartial }))),
  );

/** Each value in another form. */
export const mapped = <A, B>(source: Need<A>, change: (value: A) => B): Need<B> =>
  split(source, (value) => [change(value)]);

/** The cost of requests that depend on fetched data; how many there are is not known before. */
const derivedCost = 5;

/** A need that follows from fetched data, with which its responses are then compared. */
export const derived = <A, B>(source: Need<A>, toNeed: (value: A) => Need<B>): Need<B> => ({
  compares: true,
  cost: source.cost + derivedCost,
  fetch: async (context) => {
    const found = await source.fetch(context);
    if (E.isLeft(found)) return found;
    const parts = found.right.map(async ({ value, isPartial }) => {
      const part = await toNeed(value).fetch(context);
      if (E.isLeft(part)) return part;
      return E.right(part.right.map((each) => ({ ...each, isPartial: isPartial || each.isPartial })));
    });
    return allOf(await Promise.all(parts));
  },
});

/** Every pair of the values of two needs. Without a value of the first one nothing else is fetched. */
export const both = <A, B>(one: Need<A>, other: Need<B>): Need<readonly [A, B]> =>
  derived(one, (left) => mapped(other, (right) => [left, right] as const));

/** A need, or a fallback if what it needs is missing. */
export const optional = <A, B>(source: Need<A>, fallback: B): Need<A | B> => ({
  ...source,
  fetch: async (context): Fetching<readonly Fetched<A | B>[]> => {
    const found = await source.fetch(context);
    if (E.isRight(found) || found.left.reason === 'requests' || found.left.stopped !== null) return found;
    return E.right([whole(fallback)]);
  },
});
