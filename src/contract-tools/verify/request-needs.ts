import * as E from '#fp-ts/Either';
import { flow, pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { describeRequest } from '../../client/outgoing-request.js';
import { operations } from '../../contract/operations.js';
import type { Exchange } from './caching-client.js';
import { isRow, type Located, rowsOf } from './json-rows.js';
import { derived, eachOf, type FetchContext, mapped, type Need, suggesting, whole } from './need.js';
import { type RequestSpec, requestTo } from './requests.js';
import { type Auth, bySession, requestAuth } from './test-credentials.js';
import { missing, type UnmetPrerequisite } from './unmet-prerequisite.js';

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
