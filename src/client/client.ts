import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { FindingNotFoundBody } from '../contract/error-bodies.js';
import { lenientOperations } from '../contract/lenient.js';
import { sessionCookieName } from '../contract/operations.js';
import { maxLimit, type PageInfo } from '../contract/page-and-limit.js';
import {
  type ClientError,
  type Failure,
  type FailureKind,
  failureOf,
  type InvalidInput,
  isHtml,
  type Misconfigured,
} from './failure.js';
import { type ChangeRequest, type FetchOptions, fetchSend, type HttpResponse } from './fetch-send.js';
import {
  type CallOptions,
  canStandInPath,
  type OperationInput,
  operationRequest,
  type QueryInput,
  type RequestAuth,
  toHttpRequest,
} from './outgoing-request.js';
import { type BodyOf, resultOf } from './response.js';
import {
  CurrentSession,
  cookieIn,
  type DemoLogInForm,
  type LogInForm,
  SignedIn,
  type SignedInUser,
  type SignUpForm,
} from './sign-in.js';

/** Lenient, because a client may talk to any server that keeps the contract. */
type Operations = typeof lenientOperations;

type OperationId = keyof Operations;
type Body<Id extends OperationId> = BodyOf<Operations[Id]>;

/** The query parameters of an operation, all of which may be left out. */
type Query<Id extends OperationId> = QueryInput<t.TypeOf<Operations[Id]['queryParameters']>>;

/** Reads a list from its first page to its last, while a loop runs. */
type List<Id extends OperationId, A> = (
  filter?: Omit<Query<Id>, 'page'>,
  options?: CallOptions,
) => AsyncIterableIterator<A>;

/** The calls that a client sends requests for. */
export type CallName = OperationId | 'login' | 'demoLogin' | 'signUp' | 'session' | 'logout';

/** What every call that fails is rejected with. Its message is a sentence that people can be shown. */
export class TriageClientError extends Error implements Failure {
  override readonly name = 'TriageClientError';
  readonly kind: FailureKind;
  readonly problems: readonly string[];
  readonly retryAfter: number | null;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
  /** The body of the response: text if it is not JSON, null if there was none. */
  readonly body: unknown;

  constructor(
    /** What was called, such as `listFindings`. */
    readonly operation: CallName,
    /** What went wrong, in detail: the headers of a response, or every problem of its body. */
    override readonly cause: ClientError,
  ) {
    const { kind, message, problems, retryAfter } = failureOf(cause);
    super(message);
    this.kind = kind;
    this.problems = problems;
    this.retryAfter = retryAfter;
    this.status = 'status' in cause ? cause.status : null;
    this.body = 'body' in cause ? cause.body : null;
  }
}

/** Where the server is, how to reach it, and on whose behalf. */
export type ClientOptions = FetchOptions &
  Readonly<{
    /** The value of the session cookie. A page in a browser cannot set it: there, the browser sends it. */
    session?: string | undefined;
    /** An API token. */
    token?: string | undefined;
    /** The name of the session cookie, on which the contract is silent. */
    cookieName?: string;
  }>;

/**
 * The API as functions. Each promise resolves to the body of the response, or rejects with a
 * `TriageClientError`.
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
  /**
   * Logs in. The session is that of all further calls: a browser keeps it, in Node the client does. Wrong
   * credentials are a failure of the kind `unauthorized`.
   */
  login: (form: LogInForm, options?: CallOptions) => Promise<SignedInUser>;
  /** Logs in as a demo account, without a password. */
  demoLogin: (form: DemoLogInForm, options?: CallOptions) => Promise<SignedInUser>;
  /** Makes an account, and signs in. */
  signUp: (form: SignUpForm, options?: CallOptions) => Promise<SignedInUser>;
  /** Who is signed in; null: nobody. An API token is no session. */
  session: (options?: CallOptions) => Promise<CurrentSession | null>;
  /** Ends the session, or leaves one that is shared with others. */
  logout: (options?: CallOptions) => Promise<void>;
}>;

/**
 * A client of the API over `fetch`, for browsers and Node. Throws a `TypeError` if the base URL, the timeout
 * or the maximum length cannot be used.
 */
export const createClient = (options: ClientOptions): Client => {
  const {
    token,
    cookieName = sessionCookieName,
    fetch = (url, init) => globalThis.fetch(url, init),
  } = options;
  let { session } = options;
  const send = fetchSend({
    ...options,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      // What stands in for `fetch` in tests may lack this.
      const cookie = cookieIn(response.headers.getSetCookie?.() ?? [], cookieName);
      if (cookie !== undefined) session = cookie ?? undefined;
      return response;
    },
  });
  const authOf = (): RequestAuth => ({
    session: session === undefined ? null : { name: 'session', value: session },
    bearer: token === undefined ? null : { name: 'token', value: token },
  });
  const failed = (name: CallName, cause: ClientError, { signal }: CallOptions): TriageClientError =>
    new TriageClientError(
      name,
      signal?.aborted
        ? { _tag: 'Aborted', reason: signal.reason }
        : (misconfigured(String(options.baseUrl), cause) ?? withFewProblems(cause)),
    );
  const call = async <Id extends OperationId>(
    id: Id,
    input: OperationInput<Operations[Id]>,
  ): Promise<Body<Id>> => {
    const operation: Operations[Id] = lenientOperations[id];
    const { signal } = input;
    const auth = authOf();
    const invalid = invalidInput(auth, input, Object.keys(operation.queryParameters.type.props));
    const answer: E.Either<ClientError, HttpResponse> =
      invalid === null
        ? await send({ ...toHttpRequest(cookieName, operationRequest(operation, input, auth)), signal })
        : E.left(invalid);
    const result = E.isLeft(answer) ? answer : resultOf(operation, answer.right);
    if (E.isRight(result)) return result.right;
    throw failed(id, result.left, input);
  };
  /** Sends a request to the flows of accounts, on behalf of the session alone. */
  const sendAccount = async (
    request: Pick<ChangeRequest, 'target' | 'body'> & Readonly<{ method: 'GET' | 'POST' }>,
    { signal }: CallOptions,
  ): Promise<E.Either<ClientError, HttpResponse>> => {
    const auth: RequestAuth = { ...authOf(), bearer: null };
    const invalid = invalidInput(auth, {});
    if (invalid !== null) return E.left(invalid);
    const { headers } = toHttpRequest(cookieName, { method: 'GET', path: request.target, query: [], auth });
    const content = request.body === undefined ? {} : { 'Content-Type': 'application/json' };
    return send({ ...request, headers: { ...headers, ...content }, signal });
  };
  const signIn = async (
    name: CallName,
    target: string,
    form: object,
    options: CallOptions = {},
  ): Promise<SignedInUser> => {
    const answer = await sendAccount({ method: 'POST', target, body: JSON.stringify(form) }, options);
    const result = E.isLeft(answer) ? answer : resultOf({ responses: { 200: SignedIn } }, answer.right);
    if (E.isRight(result)) return result.right.user;
    throw failed(name, result.left, options);
  };
  const client: Client = {
    listConnectedRepos: ({ signal } = {}) => call('listConnectedRepos', { signal }),
    listFindings: (query = {}, { signal } = {}) => call('listFindings', { query, signal }),
    getFinding: (id, { signal } = {}) => call('getFinding', { path: { id }, signal }),
    listPrs: (query = {}, { signal } = {}) => call('listPrs', { query, signal }),
    findingPages: (filter, options) => pagesOf((query) => client.listFindings(query, options), filter),
    prPages: (filter, options) => pagesOf((query) => client.listPrs(query, options), filter),
    allFindings: (filter, options) => itemsOf(client.findingPages({ limit: maxLimit, ...filter }, options)),
    allPrs: (filter, options) => itemsOf(client.prPages({ limit: maxLimit, ...filter }, options)),
    login: (form, options) => signIn('login', '/login', form, options),
    demoLogin: (form, options) => signIn('demoLogin', '/login/demo', form, options),
    signUp: (form, options) => signIn('signUp', '/signup', form, options),
    session: async (options = {}) => {
      const answer = await sendAccount({ method: 'GET', target: '/session' }, options);
      const result = E.isLeft(answer)
        ? answer
        : resultOf({ responses: { 200: CurrentSession } }, answer.right);
      if (E.isRight(result)) return result.right;
      const failure = failed('session', result.left, options);
      if (failure.kind === 'unauthorized') return null;
      throw failure;
    },
    logout: async (options = {}) => {
      const answer = await sendAccount({ method: 'POST', target: '/logout' }, options);
      const result = E.isLeft(answer) ? answer : resultOf({ responses: { 200: t.undefined } }, answer.right);
      // 409: the session is one that others share, and goes on for them alone.
      const isDone = E.isRight(answer) && [204, 409].includes(answer.right.status);
      if (E.isLeft(result) && !isDone) throw failed('logout', result.left, options);
      session = undefined;
    },
  };
  return client;
};

/** The characters that both headers carry unquoted (RFC 6265, section 4.1.1). */
const headerCharacters = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

const invalidInput = (
  { session, bearer }: RequestAuth,
  input: Readonly<{ query?: object; path?: object }>,
  parameters: readonly string[] = [],
): InvalidInput | null => {
  const invalid = (reason: string): InvalidInput => ({ _tag: 'InvalidInput', reason });
  const secret = [session, bearer].find((each) => each !== null && !headerCharacters.test(each.value));
  if (secret) return invalid(`${secret.name}: it has characters that a header cannot carry`);
  // TypeScript finds a misspelt parameter; plain JavaScript would get rows that it did not ask for.
  const unknown = Object.keys(input.query ?? {}).find((name) => !parameters.includes(name));
  if (unknown !== undefined) return invalid(`${unknown}: expected one of ${parameters.join(', ')}`);
  const wrong = Object.entries(input.path ?? {}).find(([, value]) => !canStandInPath(String(value)));
  return wrong === undefined ? null : invalid(`${wrong[0]}: "${wrong[1]}" cannot be part of a path`);
};

/** What is wrong with a base URL that has led to this; null: nothing that can be told. */
const misconfigured = (baseUrl: string, cause: ClientError): Misconfigured | null => {
  const response = cause._tag === 'ErrorResponse' || cause._tag === 'ContractViolation' ? cause : null;
  const { status = null, body = null } = response ?? {};
  const say = (reason: string): Misconfigured => ({ _tag: 'Misconfigured', reason, status, body });
  const isFinding404 = cause._tag === 'ErrorResponse' && FindingNotFoundBody.is(cause.body);
  const isElsewhere = response !== null && !isFinding404 && (isHtml(response) || status === 404);
  if (isElsewhere && /\/api\/v1\/*$/.test(baseUrl))
    return say('baseUrl ends in /api/v1, which the client adds itself');
  // Each platform says it in words of its own, of which only this one is common.
  if (cause._tag === 'Unreachable' && !/^https?:/i.test(baseUrl) && /\bURLs?\b/.test(cause.reason))
    return say(
      `baseUrl "${baseUrl}" is a path on the server of a page, and there is no page; give a URL such as http://127.0.0.1:4000`,
    );
  return null;
};

const withFewProblems = (error: ClientError): ClientError =>
  error._tag === 'ContractViolation' ? { ...error, problems: error.problems.slice(0, 100) } : error;

/** The pages of a list, until the one that calls itself the last. */
async function* pagesOf<Filter, Page extends PageInfo>(
  list: (query: Filter & { page: number }) => Promise<Page>,
  filter: Filter,
): AsyncGenerator<Page, void> {
  for (let page = 1; ; page += 1) {
    const result = await list({ ...filter, page });
    yield result;
    if (page >= result.totalPages) return;
  }
}

async function* itemsOf<Item>(
  pages: AsyncIterable<Readonly<{ items: readonly Item[] }>>,
): AsyncGenerator<Item, void> {
  for await (const { items } of pages) yield* items;
}
