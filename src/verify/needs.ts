import * as E from 'fp-ts/lib/Either.js';
import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ApiRequest, describeRequest } from '../client/api-request.js';
import { operations } from '../contract/operations.js';
import { maxLimit } from '../contract/parameters.js';
import type { CachingClient, Exchange } from './caching-client.js';
import { contractFields } from './contract-fields.js';
import { integerField, isRow, type Located, rowsOf } from './json-rows.js';
import {
  type ListName,
  listOperations,
  listRequest,
  type QueryValues,
  type RequestSpec,
  requestTo,
} from './requests.js';
import { type Auth, bySession, requestAuth, type TestCredentials } from './test-credentials.js';
import { missing, type UnmetPrerequisite } from './unmet-prerequisite.js';

/** What it takes to fetch a need. Requests that several checks need are sent once. */
export type FetchContext = Readonly<{ client: CachingClient; credentials: TestCredentials }>;

type Fetched<A> = TE.TaskEither<UnmetPrerequisite, A>;

/**
 * What a check needs from the server: a source of values, each of which is judged on its own.
 *
 * `compares` says whether a single value combines several responses. Data that changes between two responses
 * can then look like a violation, so violations found in such a value have to be confirmed.
 */
export type Need<A> = Readonly<{
  compares: boolean;
  fetch: (context: FetchContext) => Fetched<readonly A[]>;
}>;

/** A page of a list: its envelope is `value`. */
export type Page = Located & Readonly<{ items: readonly Located<unknown>[] }>;

/** A whole list. `rows` are the items that are objects, reduced to the fields of the contract. */
export type List = Readonly<{ first: ApiRequest; pages: readonly Page[]; rows: readonly Located[] }>;

// Needs that send requests

const single = <A>(fetch: (context: FetchContext) => Fetched<A>, compares = false): Need<A> => ({
  compares,
  fetch: flow(
    fetch,
    TE.map((value) => [value]),
  ),
});

/** The response to a request, with any status. */
export const response = (request: RequestSpec): Need<Exchange> => single((context) => send(context, request));

/** The responses to several requests, each judged on its own. */
export const responses = (requests: readonly RequestSpec[]): Need<Exchange> => eachOf(requests.map(response));

/** A page of a list. A response that is no page leaves the check unexercised. */
export const page = (request: RequestSpec): Need<Page> => single((context) => fetchPage(context, request));

type ListOptions = Readonly<{ query?: QueryValues; limit?: number; auth?: Auth }>;

/** A whole list, page by page. */
export const list = (name: ListName, options: ListOptions = {}): Need<List> =>
  single((context) => pipe(fetchPages(context, name, options), TE.map(listOf)), true);

/** The pages of a whole list, each judged on its own. */
export const pages = (name: ListName): Need<Page> => ({
  compares: false,
  fetch: (context) => fetchPages(context, name, {}),
});

/** All repositories, as they were sent. */
export const repoValues = (auth: Auth = bySession): Need<readonly Located<unknown>[]> =>
  single((context) =>
    pipe(
      send(context, requestTo(operations.listConnectedRepos, { auth })),
      TE.flatMap(({ request, response: { status }, body }) =>
        status === 200 && Array.isArray(body)
          ? TE.right(body.map((value: unknown, index) => ({ value, request, path: [String(index)] })))
          : TE.left(missing(`${describeRequest(request)} to answer 200 with an array`)),
      ),
    ),
  );

/** All repositories that are objects. */
export const repos = (auth: Auth = bySession): Need<readonly Located[]> => mapped(repoValues(auth), rowsOf);

/** Every exchange of the run so far, whichever check needed it. */
export const exchangesSoFar: Need<Exchange> = {
  compares: false,
  fetch: ({ client }) => TE.right(client.exchanges()),
};

/** The whole list, and then every page of it that was fetched in the run so far. */
export const pagesSoFar = (name: ListName): Need<Page> => ({
  compares: false,
  fetch: (context) =>
    pipe(
      fetchPages(context, name, {}),
      TE.map(() =>
        context.client
          .exchanges()
          .filter(({ request: { path, method } }) => path === listOperations[name].path && method === 'GET')
          .flatMap((exchange) => asPage(exchange) ?? []),
      ),
    ),
});

// Needs made of other needs

/** Several needs of one kind. Each of their values is judged on its own. */
export const eachOf = <A>(needs: readonly Need<A>[]): Need<A> => ({
  compares: needs.some(({ compares }) => compares),
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
  compares: source.compares,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.map((values) => values.flatMap(partsOf)),
    ),
});

/**
 * A need that depends on fetched data. What is expected of it follows from that data, so responses are
 * compared.
 */
export const derived = <A, B>(source: Need<A>, toNeed: (value: A) => Need<B>): Need<B> => ({
  compares: true,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.flatMap((values) => eachOf(values.map(toNeed)).fetch(context)),
    ),
});

/** Two needs together: every pair of their values. */
export const both = <A, B>(one: Need<A>, other: Need<B>): Need<readonly [A, B]> =>
  derived(one, (left) => mapped(other, (right) => [left, right] as const));

/**
 * Responses to requests that other data suggests, such as the ids that exist. What is expected of them does
 * not depend on that data, so that nothing is compared.
 */
export const sampled = <A>(
  source: Need<A>,
  toRequests: (value: A) => readonly RequestSpec[],
): Need<Exchange> => ({
  ...derived(source, (value) => responses(toRequests(value))),
  compares: false,
});

/** A need, or a fallback if what it needs is missing. */
export const optional = <A, B>(source: Need<A>, fallback: B): Need<A | B> => ({
  compares: source.compares,
  fetch: (context): Fetched<readonly (A | B)[]> =>
    pipe(
      source.fetch(context),
      TE.orElseW((unmet) => (unmet._tag === 'Missing' ? TE.right([fallback]) : TE.left(unmet))),
    ),
});

// How they are fetched

const send = ({ client, credentials }: FetchContext, { auth, ...request }: RequestSpec): Fetched<Exchange> =>
  pipe(
    TE.fromEither(requestAuth(credentials, auth)),
    TE.flatMap((auth) => client.send({ ...request, auth })),
  );

/** A response as a page; null unless it is a 200 with items. */
export const asPage = ({ request, response: { status }, body }: Exchange): Page | null => {
  if (status !== 200 || !isRow(body) || !Array.isArray(body.items)) return null;
  return {
    request,
    path: [],
    value: body,
    items: body.items.map((value: unknown, index) => ({ value, request, path: ['items', String(index)] })),
  };
};

const fetchPage = (context: FetchContext, request: RequestSpec): Fetched<Page> =>
  pipe(
    send(context, request),
    TE.flatMap((exchange) =>
      TE.fromEither(
        E.fromNullable(missing(`${describeRequest(exchange.request)} to answer 200 with a page`))(
          asPage(exchange),
        ),
      ),
    ),
  );

type Pages = readonly [Page, ...Page[]];

/** Fetches pages until `totalItems` items have come, or a page is empty. */
const fetchPages = (
  context: FetchContext,
  name: ListName,
  { query = {}, limit = maxLimit, auth = bySession }: ListOptions,
): Fetched<Pages> => {
  const fetchNumber = (number: number): Fetched<Page> =>
    fetchPage(context, listRequest(name, { ...query, page: number, limit }, auth));
  const fetchRest = (fetched: Pages): Fetched<Pages> =>
    isComplete(fetched)
      ? TE.right(fetched)
      : pipe(
          fetchNumber(fetched.length + 1),
          TE.flatMap((next) => fetchRest([...fetched, next])),
        );
  return pipe(
    fetchNumber(1),
    TE.flatMap((first) => fetchRest([first])),
  );
};

const isComplete = (fetched: Pages): boolean => {
  const last = fetched.at(-1) ?? fetched[0];
  const count = fetched.flatMap(({ items }) => items).length;
  return last.items.length === 0 || count >= (integerField(last.value, 'totalItems') ?? 0);
};

const listOf = (fetched: Pages): List => ({
  first: fetched[0].request,
  pages: fetched,
  rows: rowsOf(fetched.flatMap(({ items }) => items)).map((row) => ({
    ...row,
    value: contractFields(row.value),
  })),
});
