import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { RequestError } from '../../client/fetch-send.js';
import { noResponseReason } from '../report-text.js';
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

/** Why a check could not be exercised. */
export type UnmetPrerequisite =
  | RequestError
  /** The server or the run lacks what the check needs; `prerequisite` names it. */
  | Readonly<{ _tag: 'Missing'; prerequisite: string; reason: UnexercisedReason }>;

export const missing = (prerequisite: string, reason: UnexercisedReason = 'response'): UnmetPrerequisite => ({
  _tag: 'Missing',
  prerequisite,
  reason,
});

/** The kind of the prerequisite. */
export const reasonOf = (unmet: UnmetPrerequisite): UnexercisedReason => {
  switch (unmet._tag) {
    case 'Unreachable':
    case 'ResponseTooLong':
      return 'response';
    case 'BudgetSpent':
      return 'requests';
    case 'Missing':
      return unmet.reason;
  }
};

/** Names the prerequisite, for messages such as "requires a finding". */
export const describePrerequisite = (unmet: UnmetPrerequisite): string => {
  switch (unmet._tag) {
    case 'Unreachable':
      return `a server that answers: ${unmet.reason}`;
    case 'ResponseTooLong':
      return `a shorter response: ${noResponseReason(unmet)}`;
    case 'BudgetSpent':
      return `more requests than --max-requests allows (${unmet.maxRequests})`;
    case 'Missing':
      return unmet.prerequisite;
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
type Fetched<A> = Readonly<{ value: A; isPartial: boolean }>;

type Fetching<A> = TE.TaskEither<UnmetPrerequisite, readonly Fetched<A>[]>;

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
  fetch: (context: FetchContext) => Fetching<A>;
}>;

export const whole = <A>(value: A): Fetched<A> => ({ value, isPartial: false });

/** No value at all: a check that needs nothing else is not exercised. */
export const nothing = <A>(): Need<A> => eachOf<A>([]);

/** Several needs, whose values are judged together. */
export const together = <A>(needs: readonly Need<A>[]): Need<readonly A[]> => {
  const each = eachOf(needs);
  return {
    compares: true,
    cost: each.cost,
    fetch: (context) =>
      pipe(
        each.fetch(context),
        TE.map((values) => [
          {
            value: values.map(({ value }) => value),
            isPartial: values.some(({ isPartial }) => isPartial),
          },
        ]),
      ),
  };
};

/** A value that takes no request. */
export const constant = <A>(value: A): Need<A> => ({
  compares: false,
  cost: 0,
  fetch: () => TE.right([whole(value)]),
});

/** Several needs of one kind. Each of their values is judged on its own. */
export const eachOf = <A>(needs: readonly Need<A>[]): Need<A> => ({
  compares: needs.some(({ compares }) => compares),
  cost: needs.reduce((sum, { cost }) => sum + cost, 0),
  fetch: (context) =>
    pipe(
      TE.sequenceArray(needs.map((need) => need.fetch(context))),
      TE.map((values) => values.flat()),
    ),
});

/** Each value in another form. */
export const mapped = <A, B>(source: Need<A>, change: (value: A) => B): Need<B> =>
  split(source, (value) => [change(value)]);

/** Each value, split into parts that are judged on their own. */
export const split = <A, B>(source: Need<A>, partsOf: (value: A) => readonly B[]): Need<B> => ({
  ...source,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.map((values) =>
        values.flatMap(({ value, isPartial }) => partsOf(value).map((part) => ({ value: part, isPartial }))),
      ),
    ),
});

/** The first value of a need, or a fallback if it has none. */
export const firstOf = <A>(source: Need<A>, fallback: A): Need<A> => ({
  ...source,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.map(([first = whole(fallback)]) => [first]),
    ),
});

/** The cost of requests that depend on fetched data; how many there are is not known before. */
const derivedCost = 5;

/**
 * A need that depends on fetched data. What is expected of it follows from that data, so responses are
 * compared.
 */
export const derived = <A, B>(source: Need<A>, toNeed: (value: A) => Need<B>): Need<B> => ({
  compares: true,
  cost: source.cost + derivedCost,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.flatMap(
        TE.traverseArray(({ value, isPartial }) =>
          pipe(
            toNeed(value).fetch(context),
            TE.map((found) => found.map((each) => ({ ...each, isPartial: isPartial || each.isPartial }))),
          ),
        ),
      ),
      TE.map((values) => values.flat()),
    ),
});

/** Two needs together: every pair of their values. */
export const both = <A, B>(one: Need<A>, other: Need<B>): Need<readonly [A, B]> => ({
  compares: true,
  cost: one.cost + other.cost,
  fetch: (context) =>
    pipe(
      one.fetch(context),
      TE.flatMap((left) =>
        // Without a left value there is no pair, and nothing has to be fetched for one.
        left.length === 0
          ? TE.right([])
          : pipe(
              other.fetch(context),
              TE.map((right) => left.flatMap((l) => right.map((r) => pairOf(l, r)))),
            ),
      ),
    ),
});

const pairOf = <A, B>(left: Fetched<A>, right: Fetched<B>): Fetched<readonly [A, B]> => ({
  value: [left.value, right.value],
  isPartial: left.isPartial || right.isPartial,
});

/** A need of which only examples are taken: it does not matter whether it is a part of a list. */
export const suggesting = <A>(source: Need<A>): Need<A> => ({
  ...source,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.map((values) => values.map(({ value }) => whole(value))),
    ),
});

/** A need, or a fallback if what it needs is missing. */
export const optional = <A, B>(source: Need<A>, fallback: B): Need<A | B> => ({
  ...source,
  fetch: (context): Fetching<A | B> =>
    pipe(
      source.fetch(context),
      TE.orElseW((unmet) => (unmet._tag === 'Missing' ? TE.right([whole(fallback)]) : TE.left(unmet))),
    ),
});
