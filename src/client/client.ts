import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { formatProblem } from '../contract/codecs/problem.js';
import type { AnyOperation } from '../contract/operations.js';
import { maxLimit, type PageInfo } from '../contract/page-and-limit.js';
import { type FetchOptions, fetchSend } from './fetch-send.js';
import type { QueryInput } from './outgoing-request.js';
import {
  type BodyOf,
  type ClientCredentials,
  type ClientError,
  createTaskEitherClient,
  type Operations,
} from './task-either-client.js';

type OperationId = keyof Operations;
type Body<Id extends OperationId> = BodyOf<Operations[Id]>;
type Item<Id extends 'listFindings' | 'listPrs'> = Body<Id>['items'][number];

/** The query parameters of an operation, all of which may be left out. */
type Query<Id extends OperationId> = QueryInput<t.TypeOf<Operations[Id]['queryParameters']>>;

/** The query parameters of a list that is read from its first page to its last. */
type Filter<Id extends OperationId> = Omit<Query<Id>, 'page'>;

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
 * `TriageClientError`.
 */
export type Client = Readonly<{
  /** Every connected repository. */
  listConnectedRepos: () => Promise<Body<'listConnectedRepos'>>;
  /** A page of findings. `severity` and `status` narrow the page that was cut, so it may have no items. */
  listFindings: (query?: Query<'listFindings'>) => Promise<Body<'listFindings'>>;
  /** One finding in full. */
  getFinding: (id: string) => Promise<Body<'getFinding'>>;
  /** A page of pull requests. */
  listPrs: (query?: Query<'listPrs'>) => Promise<Body<'listPrs'>>;
  /** All pages of findings, one request each, when the loop gets to it. */
  findingPages: (filter?: Filter<'listFindings'>) => AsyncIterableIterator<Body<'listFindings'>>;
  /** All pages of pull requests. */
  prPages: (filter?: Filter<'listPrs'>) => AsyncIterableIterator<Body<'listPrs'>>;
  /** All findings that match, of all pages, also of those after a page without any. */
  allFindings: (filter?: Filter<'listFindings'>) => AsyncIterableIterator<Item<'listFindings'>>;
  /** All pull requests that match. */
  allPrs: (filter?: Filter<'listPrs'>) => AsyncIterableIterator<Item<'listPrs'>>;
}>;

/**
 * A client of the API over `fetch`, for browsers and Node. Throws a `TypeError` if the base URL, the timeout
 * or the maximum length cannot be used.
 */
export const createClient = (options: ClientOptions): Client => {
  const calls = createTaskEitherClient({ ...options, send: fetchSend(options) });
  const listFindings: Client['listFindings'] = (query = {}) =>
    settle('listFindings', calls.listFindings({ query }));
  const listPrs: Client['listPrs'] = (query = {}) => settle('listPrs', calls.listPrs({ query }));
  const findingPages: Client['findingPages'] = (filter) => pagesOf(listFindings, filter);
  const prPages: Client['prPages'] = (filter) => pagesOf(listPrs, filter);
  return {
    listConnectedRepos: () => settle('listConnectedRepos', calls.listConnectedRepos()),
    listFindings,
    getFinding: (id) => settle('getFinding', calls.getFinding({ path: { id } })),
    listPrs,
    findingPages,
    prPages,
    allFindings: (filter) => itemsOf(findingPages({ limit: maxLimit, ...filter })),
    allPrs: (filter) => itemsOf(prPages({ limit: maxLimit, ...filter })),
  };
};

/** Runs a call. */
const settle = async <A>(
  operation: OperationId,
  call: TaskEither<ClientError<AnyOperation>, A>,
): Promise<A> => {
  const result = await call();
  if (E.isLeft(result)) throw new TriageClientError(operation, result.left);
  return result.right;
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
