import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { formatProblem } from '../contract/codecs/problem.js';
import type { AnyOperation } from '../contract/operations.js';
import { maxLimit, type PageInfo } from '../contract/page-and-limit.js';
import { type FetchOptions, fetchSend } from './fetch-send.js';
import type { CallOptions, QueryInput } from './outgoing-request.js';
import {
  type BodyOf,
  type ClientCredentials,
  type ClientError,
  createTaskEitherClient,
  type Operations,
} from './task-either-client.js';

type OperationId = keyof Operations;
type Body<Id extends OperationId> = BodyOf<Operations[Id]>;

/** The query parameters of an operation, all of which may be left out. */
type Query<Id extends OperationId> = QueryInput<t.TypeOf<Operations[Id]['queryParameters']>>;

/** Reads a list from its first page to its last, while a loop runs. */
type List<Id extends OperationId, A> = (
  filter?: Omit<Query<Id>, 'page'>,
  options?: CallOptions,
) => AsyncIterableIterator<A>;

/** What every call that fails is rejected with. */
export class TriageClientError extends Error {
  override readonly name = 'TriageClientError';
  /** The status of the response; null if there was none. */
  readonly status: number | null;
  /** The body of the response: text if it is not JSON, null if there was none. */
  readonly body: unknown;

  constructor(
    /** The operation that was called, such as `listFindings`. */
    readonly operation: OperationId,
    /** What went wrong, in detail: the headers of a response, or every problem of its body. */
    override readonly cause: ClientError<AnyOperation>,
  ) {
    super(`${operation}: ${messageOf(cause)}`);
    this.status = 'status' in cause ? cause.status : null;
    this.body = 'body' in cause ? cause.body : null;
  }
}

const messageOf = (error: ClientError<AnyOperation>): string => {
  switch (error._tag) {
    case 'ErrorResponse':
      return `${error.status} ${error.message}`;
    case 'ContractViolation':
      return `the response (${error.status}) breaks the contract: ${error.problems.slice(0, 3).map(formatProblem).join('; ')}`;
    case 'ResponseTooLong':
      return `the body of the response has more than ${error.maxBytes} bytes`;
    case 'Unreachable':
    case 'InvalidInput':
      return error.reason;
  }
};

/** Where the server is, how to reach it, and on whose behalf. */
export type ClientOptions = FetchOptions & ClientCredentials;

/**
 * The API as functions. Each promise resolves to the body of the response, or rejects with a
 * `TriageClientError`; if the signal of the call is aborted, with the reason of the signal, as `fetch` does.
 */
export type Client = Readonly<{
  /** Every connected repository. */
  listConnectedRepos: (options?: CallOptions) => Promise<Body<'listConnectedRepos'>>;
  /** A page of findings. `severity` and `status` narrow the page that was cut, so it may have no items. */
  listFindings: (query?: Query<'listFindings'>, options?: CallOptions) => Promise<Body<'listFindings'>>;
  /** One finding in full. */
  getFinding: (id: string, options?: CallOptions) => Promise<Body<'getFinding'>>;
  /** A page of pull requests. */
  listPrs: (query?: Query<'listPrs'>, options?: CallOptions) => Promise<Body<'listPrs'>>;
  /** All pages of findings, one request each, when the loop gets to it. */
  findingPages: List<'listFindings', Body<'listFindings'>>;
  /** All pages of pull requests. */
  prPages: List<'listPrs', Body<'listPrs'>>;
  /** All findings that match, of all pages, also of those after a page without any. */
  allFindings: List<'listFindings', Body<'listFindings'>['items'][number]>;
  /** All pull requests that match. */
  allPrs: List<'listPrs', Body<'listPrs'>['items'][number]>;
}>;

/**
 * A client of the API over `fetch`, for browsers and Node. Throws a `TypeError` if the base URL, the timeout
 * or the maximum length cannot be used.
 */
export const createClient = (options: ClientOptions): Client => {
  const calls = createTaskEitherClient({ ...options, send: fetchSend(options) });
  const client: Client = {
    listConnectedRepos: ({ signal } = {}) =>
      settle('listConnectedRepos', calls.listConnectedRepos({ signal }), signal),
    listFindings: (query = {}, { signal } = {}) =>
      settle('listFindings', calls.listFindings({ query, signal }), signal),
    getFinding: (id, { signal } = {}) =>
      settle('getFinding', calls.getFinding({ path: { id }, signal }), signal),
    listPrs: (query = {}, { signal } = {}) => settle('listPrs', calls.listPrs({ query, signal }), signal),
    findingPages: (filter, given) => pagesOf((query) => client.listFindings(query, given), filter),
    prPages: (filter, given) => pagesOf((query) => client.listPrs(query, given), filter),
    allFindings: (filter, given) => itemsOf(client.findingPages({ limit: maxLimit, ...filter }, given)),
    allPrs: (filter, given) => itemsOf(client.prPages({ limit: maxLimit, ...filter }, given)),
  };
  return client;
};

/** Runs a call. */
const settle = async <A>(
  operation: OperationId,
  call: TaskEither<ClientError<AnyOperation>, A>,
  signal: AbortSignal | undefined,
): Promise<A> => {
  const result = await call();
  if (E.isRight(result)) return result.right;
  throw signal?.aborted ? signal.reason : new TriageClientError(operation, result.left);
};

/** The pages of a list, until the one that calls itself the last. */
async function* pagesOf<Filter, Page extends PageInfo>(
  list: (query: Filter & { page: number }) => Promise<Page>,
  filter: Filter,
): AsyncGenerator<Page, void> {
  for (let page = 1; ; page += 1) {
    const found = await list({ ...filter, page });
    yield found;
    if (page >= found.totalPages) return;
  }
}

async function* itemsOf<Item>(
  pages: AsyncIterable<Readonly<{ items: readonly Item[] }>>,
): AsyncGenerator<Item, void> {
  for await (const { items } of pages) yield* items;
}
