import * as E from '#fp-ts/Either';
import { flow, pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { HttpResponse, RequestError, SafeMethod } from '../../client/fetch-send.js';
import {
  type ApiRequest,
  anonymous,
  describeRequest,
  operationRequest,
  type Query,
  toHttpRequest,
} from '../../client/outgoing-request.js';
import type { ThrottledSender } from '../../client/throttle.js';
import { parseJson } from '../../common/json.js';
import { compareCodePoints } from '../../common/sort-and-group.js';
import { FindingStatus, PrStatus, Severity } from '../../contract/enums.js';
import { type AnyOperation, operations } from '../../contract/operations.js';
import {
  derived,
  eachOf,
  type FetchContext,
  mapped,
  missing,
  type Need,
  suggesting,
  type UnmetPrerequisite,
  whole,
} from './need.js';
import { isRow, type Located, rowsOf } from './rows.js';
import { type Auth, bySession, requestAuth } from './test-credentials.js';

/** A request and its response; `body` is the parsed JSON, or undefined if the response is not JSON. */
export type Exchange = Readonly<{ request: ApiRequest; response: HttpResponse; body: unknown }>;

/** Sends a request. */
export const exchange = (
  sender: ThrottledSender,
  cookieName: string,
  request: ApiRequest,
): TE.TaskEither<RequestError, Exchange> =>
  pipe(
    sender.send(toHttpRequest(cookieName, request)),
    TE.map((response) => ({ request, response, body: parseJson(response.text) })),
  );

/** Sends each distinct request once and answers repeated ones from memory. */
export type CachingClient = Readonly<{
  send: (request: ApiRequest) => TE.TaskEither<RequestError, Exchange>;
  /**
   * All exchanges so far, short requests first. The order does not depend on which response came first, so
   * that two runs report the same.
   */
  exchanges: () => readonly Exchange[];
}>;

/** A client with an empty cache. The contract does not name the session cookie, so `cookieName` does. */
export const cachingClient = (sender: ThrottledSender, cookieName: string): CachingClient => {
  const cache = new Map<string, Promise<E.Either<RequestError, Exchange>>>();
  const exchanges: Exchange[] = [];
  const first = async (request: ApiRequest): Promise<E.Either<RequestError, Exchange>> => {
    const result = await exchange(sender, cookieName, request)();
    if (E.isRight(result)) exchanges.push(result.right);
    return result;
  };
  return {
    exchanges: () => inFixedOrder(exchanges),
    send: (request) => () => {
      const key = describeRequest(request);
      const result = cache.get(key) ?? first(request);
      cache.set(key, result);
      return result;
    },
  };
};

/** A client with the exchanges that were asked of it, whether or not another one has them in its cache. */
export const noting = (client: CachingClient): CachingClient => {
  const noted = new Map<string, Exchange>();
  return {
    exchanges: () => inFixedOrder(Array.from(noted.values())),
    send: (request) => async () => {
      const result = await client.send(request)();
      if (E.isRight(result)) noted.set(describeRequest(request), result.right);
      return result;
    },
  };
};

const inFixedOrder = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges
    .map((exchange) => ({ exchange, text: describeRequest(exchange.request) }))
    .sort((left, right) => left.text.length - right.text.length || compareCodePoints(left.text, right.text))
    .map(({ exchange }) => exchange);

/** A request as data: its credentials are names, which are looked up when it is sent. */
export type RequestSpec = Omit<ApiRequest, 'auth'> & Readonly<{ auth: Auth }>;

/** Query parameters by name; an array repeats a parameter. */
export type QueryValues = Readonly<Record<string, string | number | readonly string[]>>;

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

export const allOperations: readonly AnyOperation[] = Object.values(operations);

/** The two lists that are served in pages. */
export type ListName = 'findings' | 'prs';

/** Their operations, and the sections of the contract about them. */
export const listOperations = { findings: operations.listFindings, prs: operations.listPrs } as const;
export const listNames: readonly ListName[] = ['findings', 'prs'];
export const listSection: Readonly<Record<ListName, string>> = { findings: '4.2', prs: '4.4' };

/** One filter for each value of an enum. */
const filtersBy = (name: string, { keys }: Readonly<{ keys: object }>): readonly QueryValues[] =>
  Object.keys(keys).map((value) => ({ [name]: value }));

export const severityFilters = filtersBy('severity', Severity);
export const findingStatusFilters = filtersBy('status', FindingStatus);
export const prStatusFilters = filtersBy('status', PrStatus);

export const listRequest = (name: ListName, query: QueryValues = {}, auth: Auth = bySession): RequestSpec =>
  requestTo(listOperations[name], { query, auth });

export const findingRequest = (id: string, auth: Auth = bySession): RequestSpec =>
  requestTo(operations.getFinding, { id, auth });

/** A page of a list: its envelope is `value`. */
export type Page = Located & Readonly<{ items: readonly Located<unknown>[] }>;

const single = <A>(fetch: (context: FetchContext) => TE.TaskEither<UnmetPrerequisite, A>): Need<A> => ({
  compares: false,
  cost: 1,
  fetch: flow(
    fetch,
    TE.map((value) => [whole(value)]),
  ),
});

/** The response to a request, with any status. */
export const response = (request: RequestSpec): Need<Exchange> => single((context) => send(context, request));

/** The responses to several requests, each judged on its own. */
export const responses = (requests: readonly RequestSpec[]): Need<Exchange> => eachOf(requests.map(response));

/** A page of a list. A response that is no page leaves the check unexercised. */
export const page = (request: RequestSpec): Need<Page> => single((context) => fetchPage(context, request));

/** The cost of what is known only at the end of a run: checks that need it run last. */
export const lastCost = Number.POSITIVE_INFINITY;

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
  cost: lastCost,
  fetch: ({ client }) => TE.right(client.exchanges().map(whole)),
};

const send = (
  { client, credentials }: FetchContext,
  { auth, ...request }: RequestSpec,
): TE.TaskEither<UnmetPrerequisite, Exchange> =>
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

export const fetchPage = (
  context: FetchContext,
  request: RequestSpec,
): TE.TaskEither<UnmetPrerequisite, Page> =>
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

/**
 * Responses to requests that other data suggests, such as the ids that exist. That data may be a part of a
 * list. A violation has to be confirmed, because what was suggested may be gone.
 */
export const sampled = <A>(
  source: Need<A>,
  toRequests: (value: A) => readonly RequestSpec[],
): Need<Exchange> => derived(suggesting(source), (value) => responses(toRequests(value)));
