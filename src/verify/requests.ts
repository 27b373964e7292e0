import * as E from '#fp-ts/Either';
import type { RequestError, SafeMethod } from '../client/fetch-send.js';
import {
  anonymous,
  describeRequest,
  type OutgoingRequest,
  operationRequest,
  type Query,
} from '../client/outgoing-request.js';
import { onceFor } from '../common/lru.js';
import { compareCodePoints } from '../common/sort-and-group.js';
import { FindingStatus, PrStatus, Severity } from '../contract/enums.js';
import { type AnyOperation, operations } from '../contract/operations.js';
import { type Exchange, exchange } from './exchange.js';
import {
  changed,
  derived,
  eachOf,
  type FetchContext,
  type Fetching,
  mapped,
  type Need,
  notExercised,
  single,
  whole,
  withoutResponse,
} from './need.js';
import { isRow, type Located, rowsIn } from './rows.js';
import { type Auth, bySession, requestAuth } from './test-credentials.js';
import type { ThrottledSender } from './throttle.js';

/**
 * Sends each distinct request once and answers repeated ones from memory. `exchanges` are all so far, short
 * requests first: the order does not depend on which response came first, so that two runs report the same.
 */
export type CachingClient = Readonly<{
  send: (request: OutgoingRequest) => Promise<E.Either<RequestError, Exchange>>;
  exchanges: () => readonly Exchange[];
}>;

/** A client with an empty cache. The contract does not name the session cookie, so `cookieName` does. */
export const cachingClient = (sender: ThrottledSender, cookieName: string): CachingClient => {
  const cache = new Map<string, Promise<E.Either<RequestError, Exchange>>>();
  return noting({
    exchanges: () => [],
    send: (request) => {
      const key = describeRequest(request);
      const result = cache.get(key) ?? exchange(sender, cookieName, request);
      cache.set(key, result);
      return result;
    },
  });
};

/** A client with the exchanges that were asked of it, whether or not another one has them in its cache. */
export const noting = (client: CachingClient): CachingClient => {
  const noted = new Map<string, Exchange>();
  return {
    exchanges: () =>
      Array.from(noted)
        .sort(([left], [right]) => left.length - right.length || compareCodePoints(left, right))
        .map(([, exchange]) => exchange),
    send: async (request) => {
      const result = await client.send(request);
      if (E.isRight(result)) noted.set(describeRequest(request), result.right);
      return result;
    },
  };
};

/** A request as data: its credentials are names, which are looked up when it is sent. */
export type RequestSpec = Omit<OutgoingRequest, 'auth'> & Readonly<{ auth: Auth }>;

/** Query parameters by name; an array repeats a parameter. */
export type QueryValues = Readonly<Record<string, string | number | readonly string[]>>;

/** The values that parameters are given. */
export type Factors = Readonly<Record<string, readonly (string | number)[]>>;

type Options = Readonly<{ id?: string; query?: QueryValues; auth?: Auth; method?: SafeMethod }>;

/** An id that no finding has, and one that no repository has. */
export const unknownFindingId = 'triage-api-verify-no-such-finding';
export const unknownRepoId = 'triage-api-verify-no-such-repo';

/** A request to an operation, by default with the session and without parameters. */
export const requestTo = (
  operation: AnyOperation,
  { id = unknownFindingId, query = {}, auth = bySession, method = 'GET' }: Options = {},
): RequestSpec => ({
  method,
  path: operationRequest(operation, { path: { id } }, anonymous).path,
  query: queryOf(query),
  auth,
});

const queryOf = (values: QueryValues): Query =>
  Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as const),
  );

/** The two lists that are served in pages. */
export type ListName = 'findings' | 'prs';

/** Their operations, sections of the contract, and the values of their filters besides repoId. */
export const lists: Readonly<
  Record<ListName, Readonly<{ operation: AnyOperation; section: string; filters: Factors }>>
> = {
  findings: {
    operation: operations.listFindings,
    section: '4.2',
    filters: { severity: Object.keys(Severity.keys), status: Object.keys(FindingStatus.keys) },
  },
  prs: { operation: operations.listPrs, section: '4.4', filters: { status: Object.keys(PrStatus.keys) } },
};
export const listNames: readonly ListName[] = ['findings', 'prs'];

/** The names of the filters of a list, as a statement enumerates them. */
export const filterNames = (name: ListName): string =>
  ['repoId', ...Object.keys(lists[name].filters)].join(', ');

/** One filter for each value of these parameters, or of all. */
export const filtersBy = (name: ListName, only?: 'severity' | 'status'): readonly QueryValues[] =>
  Object.entries(lists[name].filters).flatMap(([parameter, values]) =>
    only === undefined || only === parameter ? values.map((value) => ({ [parameter]: value })) : [],
  );

export const listRequest = (name: ListName, query: QueryValues = {}, auth: Auth = bySession): RequestSpec =>
  requestTo(lists[name].operation, { query, auth });

export const findingRequest = (id: string, auth: Auth = bySession): RequestSpec =>
  requestTo(operations.getFinding, { id, auth });

/** A page of a list: its envelope is `value`. */
export type Page = Located & Readonly<{ items: readonly Located<unknown>[] }>;

/** The response to a request, with any status. */
export const response = (request: RequestSpec): Need<Exchange> => single((context) => send(context, request));

/** The responses to several requests, each judged on its own. */
export const responses = (requests: readonly RequestSpec[]): Need<Exchange> => eachOf(requests.map(response));

/** Each of these items with the response to its request, judged on its own. */
export const withResponses = <A extends object>(items: readonly A[], requestOf: (item: A) => RequestSpec) =>
  eachOf(items.map((item) => mapped(response(requestOf(item)), (exchange) => ({ ...item, exchange }))));

/** A page of a list. A response that is no page leaves the check unexercised. */
export const page = (request: RequestSpec): Need<Page> => single((context) => fetchPage(context, request));

/** All repositories, as they were sent. */
export const repoValues = (auth: Auth = bySession): Need<readonly Located<unknown>[]> =>
  single((context) =>
    usable(
      context,
      requestTo(operations.listConnectedRepos, { auth }),
      'an array',
      ({ request, response, body }) =>
        response.status === 200 && Array.isArray(body)
          ? body.map((value: unknown, index) => ({ value, request, path: [String(index)] }))
          : null,
    ),
  );

/** All repositories that are objects. */
export const repos = (auth: Auth = bySession): Need<readonly Located[]> => mapped(repoValues(auth), rowsIn);

/** The cost of what is known only at the end of a run: checks that need it run last. */
export const lastCost = Number.POSITIVE_INFINITY;

/** Every exchange of the run so far, whichever check needed it. */
export const exchangesSoFar: Need<Exchange> = {
  compares: false,
  cost: lastCost,
  fetch: async ({ client }) => E.right(client.exchanges().map(whole)),
};

const send = async (
  { client, credentials }: FetchContext,
  { auth, ...request }: RequestSpec,
): Fetching<Exchange> => {
  const found = requestAuth(credentials, auth);
  if (E.isLeft(found)) return found;
  return E.mapLeft(withoutResponse)(await client.send({ ...request, auth: found.right }));
};

/** What a response is read as. Without it, what needs it is not exercised. */
const usable = async <A>(
  context: FetchContext,
  request: RequestSpec,
  what: string,
  read: (exchange: Exchange) => A | null,
): Fetching<A> => {
  const sent = await send(context, request);
  if (E.isLeft(sent)) return sent;
  const value = read(sent.right);
  return value === null
    ? E.left(notExercised(`${describeRequest(sent.right.request)} to answer 200 with ${what}`, 'response'))
    : E.right(value);
};

/** A response as a page; null unless it is a 200 with items. */
export const asPage = onceFor(({ request, response: { status }, body }: Exchange): Page | null => {
  if (status !== 200 || !isRow(body) || !Array.isArray(body.items)) return null;
  return {
    request,
    path: [],
    value: body,
    items: body.items.map((value: unknown, index) => ({ value, request, path: ['items', String(index)] })),
  };
});

export const fetchPage = (context: FetchContext, request: RequestSpec): Fetching<Page> =>
  usable(context, request, 'a page', asPage);

/**
 * Responses to requests that other data suggests, such as the ids that exist. That data may be a part of a
 * list. A violation has to be confirmed, because what was suggested may be gone.
 */
export const sampled = <A>(
  source: Need<A>,
  toRequests: (value: A) => readonly RequestSpec[],
): Need<Exchange> =>
  derived(
    changed(source, (values) => values.map(({ value }) => whole(value))),
    (value) => responses(toRequests(value)),
  );
