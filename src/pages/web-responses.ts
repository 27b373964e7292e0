import type * as t from 'io-ts';
import preferredMediaTypes from 'negotiator/lib/mediaType.js';
import * as E from '#fp-ts/Either';
import { attemptsMessage } from '../accounts/failures.js';
import { SignedIn } from '../accounts/forms.js';
import type { StartedSession } from '../accounts/log-in-and-sign-up.js';
import { apiFailures, logFailure, responseTo } from '../api/failures.js';
import { render } from '../api/rendered.js';
import {
  headerOf,
  operationNameOf,
  pathWithQuery,
  requestLog,
  type ServiceRequest,
  withoutBase,
} from '../api/request.js';
import { type JsonResponse, Page, type Reply } from '../api/response.js';
import { readMethods } from '../api/routes.js';
import { type PageFailure, pageFailures } from './failures.js';
import { type Html, html, inWords } from './html.js';
import type { PageContext, Refusal } from './layout.js';
import { explorerPath, type explorerPaths, withNext } from './paths.js';
import { localReferrer, postsForm, postsJson } from './posts.js';
import { isLocalPath, type LocalPath, returnPath } from './return-path.js';
import type { SignedInUser } from './signed-in-user.js';
import type { WebDependencies } from './web.js';

/** Which of two media types a client prefers, the first if it likes both; undefined: neither. */
const preferred = (request: ServiceRequest, ...types: readonly [string, string]): string | undefined => {
  request.notes.readsAccept = true;
  return preferredMediaTypes(headerOf(request, 'accept') || '*/*', types)[0];
};

const [htmlType, jsonType] = ['text/html', 'application/json'];

const maxPath = 200;

const inEnglish = new Intl.ListFormat('en');

/** What happened. `methods`: those that the path accepts. */
const messageFor = (
  { method, path: below }: ServiceRequest,
  basePath: string,
  failure: PageFailure,
  methods: readonly string[] = [],
): string | Html => {
  const path = `${basePath}${below.length > maxPath ? `${below.slice(0, maxPath)}…` : below}`;
  if (failure._tag === 'NotFound') return html`There is no page at <code>${path}</code>.`;
  if (failure._tag === 'MethodNotAllowed')
    return html`<code>${path}</code> does not accept ${method} requests, only ${inEnglish.format(methods.toSorted())}.`;
  if (pageFailures.statusOf(failure) === 500)
    return 'The server could not handle this request. Its log has the details.';
  return shortMessages[failure._tag] ?? `${pageFailures.messageOf(failure)}.`;
};

/** What a page says, instead of what JSON does. */
const shortMessages: Readonly<Partial<Record<PageFailure['_tag'], string>>> = {
  TooManyAttempts: 'There were too many attempts from your network.',
  MalformedRequest: 'The request is malformed.',
  StorageUnavailable: 'The server cannot reach its data right now.',
  StorageBusy: 'The server has too much to do right now.',
  StorageReadOnly: 'The server can only be read right now.',
};

type Site = Pick<PageContext, 'mode' | 'hasExplorer'>;

/** A page of this service to which a browser may be sent, below the base path. */
type OwnPath =
  | '/'
  | typeof explorerPath
  | typeof explorerPaths.controls
  | `/login${string}`
  | `/settings/${string}`;

/** What links, forms and scripts of pages begin with, in the attributes that name a path. */
const pathAttributes = / (?:action|href|src)="(?=\/(?!\/))/g;

/** The page that a form was on, after what it has posted was refused. */
type PageAfter<F> = (context: PageContext, refusal: Refusal, failure: F) => Html | Promise<Html>;

/** The responses of the web flows: pages for browsers, JSON for scripts. */
export const webResponses = (
  signedInUser: SignedInUser,
  site: Site,
  {
    log,
    basePath,
    hasPages,
    simulatedLine,
  }: Pick<WebDependencies, 'log' | 'basePath' | 'hasPages' | 'simulatedLine'>,
) => {
  const withoutUser = (request: ServiceRequest): PageContext => ({
    user: null,
    ...site,
    simulated: simulatedLine(request),
  });

  /** A page as it is sent: in its markup, as in all that makes it, paths are those below the base path. */
  const pageOf = ({ markup }: Html): Page =>
    new Page({ markup: basePath === '' ? markup : markup.replace(pathAttributes, `$&${basePath}`) });

  /** Redirects the browser, after a form was posted; `to`: as the browser knows it. */
  const redirect = (to: LocalPath): Reply => ({ status: 303, redirectTo: to });

  /** The same, to a page of this service. */
  const redirectToOwn = (path: OwnPath): Reply => ({ status: 303, redirectTo: `${basePath}${path}` });

  /** The same, to a page of this host or, if there is none, of this service. */
  const redirectBack = (to: LocalPath | null, otherwise: OwnPath): Reply =>
    to === null ? redirectToOwn(otherwise) : redirect(to);

  /** A path of this host to return to after a login; null for everything else. */
  const pathToReturnTo = (text: unknown): LocalPath | null => returnPath(text, basePath);

  /** Whether to respond with JSON: to clients that post JSON or prefer it. All others get a page. */
  const prefersJson = (request: ServiceRequest): boolean =>
    preferred(request, htmlType, jsonType) === jsonType ||
    (hasPages ? postsJson(request) : !postsForm(request));

  /**
   * Whether to answer an error with a page: outside of the API, to clients that prefer HTML, as browsers do.
   * Clients that accept anything, such as curl and `fetch`, get JSON.
   */
  const wantsErrorPage = (request: ServiceRequest): boolean =>
    hasPages && !/^\/api(?:\/|$)/.test(request.path) && preferred(request, jsonType, htmlType) === htmlType;

  // What writes pages is loaded with the first one: handlers that have none are smaller without it.
  const pageOfError = async (
    request: ServiceRequest,
    context: PageContext,
    failure: PageFailure,
    message = messageFor(request, basePath, failure),
    retryAfter = pageFailures.retryAfterSeconds(failure),
  ): Promise<Html> => {
    const { errorPage } = await import('./layout.js');
    const referrer = localReferrer(request);
    const back = referrer === null ? null : withoutBase(referrer, basePath);
    // Links on pages get the base path, which a page of another service does not have.
    const isElsewhere = basePath !== '' && back === referrer;
    return errorPage(context, {
      status: pageFailures.statusOf(failure),
      message,
      retryAfterSeconds: retryAfter,
      back: isElsewhere || back === pathWithQuery(request) ? null : back,
    });
  };

  // A page is shown even when the storage cannot tell who is signed in.
  const pageContext = async (request: ServiceRequest): Promise<PageContext> => {
    const user = await signedInUser(request);
    const context = withoutUser(request);
    return E.isRight(user) ? { ...context, user: user.right } : context;
  };

  // A storage that has just failed is not read again: that would double the wait.
  const contextAfter = async (request: ServiceRequest, failure: PageFailure): Promise<PageContext> =>
    isStorageError(failure) ? withoutUser(request) : pageContext(request);

  /** A failure of a resource that has no page: always JSON. */
  const jsonFailure = (request: ServiceRequest, failure: PageFailure): JsonResponse => {
    if (apiFailures.has(failure)) logFailure(requestLog(log, request), operationNameOf(request), failure);
    return responseTo(pageFailures, failure);
  };

  /** A value that its codec has validated; one that it refuses is a fault of the program. */
  const json = <C extends t.Mixed>(
    request: ServiceRequest,
    status: number,
    codec: C,
    value: t.TypeOf<C>,
  ): Reply => {
    const rendered = render(codec, value);
    return E.isRight(rendered)
      ? { status, body: rendered.right }
      : jsonFailure(request, { _tag: 'ContractBroken', row: codec.name, problems: rendered.left });
  };

  /** A failure: JSON, or the page that the form was on, with a message; or else a page of its own. */
  const failure = async <F extends PageFailure>(
    request: ServiceRequest,
    cause: F,
    pageIn: PageAfter<F> = (context) => pageOfError(request, context, cause),
  ): Promise<Reply> => {
    const response = jsonFailure(request, cause);
    if (prefersJson(request) || !hasPages) return response;
    return {
      ...response,
      body: pageOf(await pageIn(await contextAfter(request, cause), refusalOf(cause), cause)),
    };
  };

  /** A failure that has a page of its own, with a message; `retryAfter`: in seconds, left out: the usual. */
  const errorReply = async (
    request: ServiceRequest,
    cause: PageFailure,
    message: string | Html,
    retryAfter?: number,
  ): Promise<Reply> => ({
    ...responseTo(pageFailures, cause),
    body: pageOf(await pageOfError(request, await contextAfter(request, cause), cause, message, retryAfter)),
  });

  return {
    prefersJson,
    pageContext,
    json,
    jsonFailure,
    failure,
    errorReply,
    /** Where a visitor begins who has logged in to look around, as the browser knows it. */
    home: `${basePath}${site.hasExplorer ? explorerPath : '/'}`,
    page: async (request: ServiceRequest, pageIn: (context: PageContext) => Html): Promise<Reply> => ({
      status: 200,
      body: pageOf(pageIn(await pageContext(request))),
    }),
    /** Does what a form asks for: what `done` answers, or else the failure. */
    outcome: async <F extends PageFailure, A>(
      request: ServiceRequest,
      act: E.Either<F, A> | Promise<E.Either<F, A>>,
      done: (result: A) => Reply | Promise<Reply>,
      pageIn?: PageAfter<F>,
    ): Promise<Reply> => {
      const acted = await act;
      return E.isRight(acted) ? done(acted.right) : failure(request, acted.left, pageIn);
    },
    /** A session has been started: its user, or on to the next page, or else to the start page. */
    signedIn: (
      request: ServiceRequest,
      { user, sessionValue }: StartedSession,
      next: LocalPath | null,
    ): Reply => {
      const isJson = prefersJson(request);
      const reply = isJson ? json(request, 200, SignedIn, { user }) : redirectBack(next, '/');
      return { ...reply, session: sessionValue };
    },
    /** What was asked for is done: 204, or on to the next page. */
    done: (request: ServiceRequest, next: OwnPath): Reply =>
      prefersJson(request) ? { status: 204 } : redirectToOwn(next),
    /** Asks for a login, which leads back to the requested page; a post has none to go back to. */
    askToSignIn: (request: ServiceRequest): Reply => {
      if (prefersJson(request)) return responseTo(pageFailures, { _tag: 'Unauthorized' });
      const back = request.method === 'POST' ? null : `${basePath}${pathWithQuery(request)}`;
      return redirectToOwn(withNext('/login', pathToReturnTo(back)));
    },
    /** Sends a browser to the page that it has requested with a slash too many at the end; null: not. */
    withoutSlash: (request: ServiceRequest): Reply | null => {
      const search = request.querystring === '' ? '' : `?${request.querystring}`;
      const page = `${basePath}${request.path.slice(0, -1)}${search}`;
      const isWanted = readMethods.includes(request.method) && wantsErrorPage(request);
      return isWanted && isLocalPath(page) ? redirect(page) : null;
    },
    pageOf,
    pathToReturnTo,
    redirectToOwn,
    redirectBack,
    basePath,
    hasPages,
    /**
     * The answer to a failure outside of the rows: a page for browsers, JSON for all others and in the API.
     * Who is signed in is read for a request that no row serves, but not if the server has failed or must not
     * trust the request. `methods`: those that the path accepts, for a request with another one.
     */
    present: async (
      request: ServiceRequest,
      cause: PageFailure,
      methods?: readonly string[],
    ): Promise<Reply> => {
      if (!wantsErrorPage(request)) return responseTo(pageFailures, cause);
      if (cause._tag === 'NotFound' || cause._tag === 'MethodNotAllowed')
        return errorReply(request, cause, messageFor(request, basePath, cause, methods));
      const page = await pageOfError(request, withoutUser(request), cause);
      return { ...responseTo(pageFailures, cause), body: pageOf(page) };
    },
  };
};

export type WebResponses = ReturnType<typeof webResponses>;

export const isStorageError = ({ _tag }: PageFailure): boolean =>
  _tag.startsWith('Storage') || _tag === 'RecordBroken';

/** What the page of a form says: what to enter instead. JSON clients get the value that they sent. */
const refusalOf = (failure: PageFailure): Refusal => {
  if (failure._tag === 'InvalidForm') {
    const problems = failure.problems.map(
      ({ path, expected, message }) =>
        [path.join('/'), expected === null ? `${message}.` : `Enter ${expected}.`] as const,
    );
    return { message: null, problems: new Map(problems) };
  }
  // People understand 59 minutes better than 3,540 seconds.
  const message =
    failure._tag === 'TooManyAttempts'
      ? attemptsMessage(failure, inWords(failure.retryAfterSeconds))
      : pageFailures.messageOf(failure);
  return { message: `${message}.`, problems: new Map() };
};
