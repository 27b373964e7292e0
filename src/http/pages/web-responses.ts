import type * as t from 'io-ts';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../../accounts/account-flow.js';
import type { Log } from '../../common/log.js';
import type { Problem } from '../../contract/codecs/problem.js';
import { type Html, html, inWords } from '../../pages/html.js';
import { type ErrorView, errorPage, type PageContext } from '../../pages/layout.js';
import { explorerPath } from '../../pages/paths.js';
import type { UserProfile } from '../../records/account-records.js';
import { operationOf } from '../access-log.js';
import {
  attemptsMessage,
  type Failure,
  failureHead,
  failureResponse,
  logFailure,
  messageOf,
  type RequestRefused,
  retryAfterSeconds,
  statuses,
} from '../operations/failures.js';
import { render } from '../operations/rendered.js';
import { requestLog } from '../operations/request.js';
import type { JsonResponse } from '../operations/response.js';
import { type OutgoingResponse, redirect, respond } from '../response.js';
import type { SignedInUser } from './signed-in-user.js';
import type { WebContext } from './web.js';

declare const local: unique symbol;

/** A path of this server, perhaps with a query, to which a browser may be sent. */
export type LocalPath = string & Readonly<{ [local]: true }>;

/** Longer ones are no pages of this server. */
const maxLength = 1000;

/**
 * Whether a text is a path that leads nowhere but to this server: visible ASCII characters that begin with
 * one slash. Browsers take `//host`, `/\host` and, because they drop tabs and line breaks, `/<tab>/host` for
 * another server. `/./` and `/../` could be shortened to such a path.
 */
export const isLocalPath = (text: unknown): text is LocalPath =>
  typeof text === 'string' &&
  text.length <= maxLength &&
  /^\/(?!\/)[!-[\]-~]*$/.test(text) &&
  !/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(text);

/** The page of this server with the link or the form that led here; null: none is known. */
export const localReferrer = (ctx: Context): LocalPath | null => {
  const referrer = ctx.get('Referer');
  const here = `${ctx.protocol}://${ctx.host}`;
  const path = referrer.startsWith(`${here}/`) ? referrer.slice(here.length) : null;
  return isLocalPath(path) ? path : null;
};

/** Whether a path belongs to the API, whose errors are always JSON. */
const isOfApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/**
 * Whether to answer an error outside of the API with a page: to clients that prefer HTML, as browsers do.
 * Clients that accept anything, such as curl and `fetch`, get JSON. `Vary` says that the response depends on
 * it.
 */
export const wantsErrorPage = (ctx: Context): boolean => {
  if (isOfApi(ctx.path)) return false;
  ctx.vary('Accept');
  return ctx.accepts('json', 'html') === 'html';
};

/** The longest path that a page repeats. */
const maxPath = 200;

const inEnglish = new Intl.ListFormat('en');

/** What the page of an error shows. `methods`: what the path accepts instead. */
const errorView = (ctx: Context, failure: Failure, methods: readonly string[] = []): ErrorView => {
  const status = statuses[failure._tag];
  const referrer = localReferrer(ctx);
  return {
    status,
    message: messageFor(ctx, failure, methods),
    retryAfterSeconds: retryAfterSeconds(failure),
    back: referrer === ctx.url ? null : referrer,
  };
};

const messageFor = (ctx: Context, failure: Failure, methods: readonly string[]): ErrorView['message'] => {
  const path = ctx.path.length > maxPath ? `${ctx.path.slice(0, maxPath)}…` : ctx.path;
  switch (failure._tag) {
    case 'NotFound':
      return html`There is no page at <code>${path}</code>.`;
    case 'MethodNotAllowed':
      return html`<code>${path}</code> does not accept ${ctx.method} requests, only ${inEnglish.format(methods.toSorted())}.`;
    case 'TooManyAttempts':
      return 'There were too many attempts from your network.';
    case 'MalformedRequest':
      return 'The request is malformed.';
    case 'Unexpected':
    case 'ContractBroken':
    case 'RecordBroken':
    case 'StorageFailed':
      return 'The server could not handle this request. Its log has the details.';
    case 'StorageUnavailable':
      return 'The server cannot reach its data right now.';
    default:
      return `${messageOf(failure)}.`;
  }
};

/**
 * Whether to respond with JSON: to clients that post JSON or prefer it. All others get a page. `Vary` says
 * that the response depends on it.
 */
export const prefersJson = (ctx: Context): boolean => {
  ctx.vary('Accept');
  return Boolean(ctx.is('json')) || (!ctx.is('urlencoded') && ctx.accepts('html', 'json') === 'json');
};

/** The responses of the web flows: pages for browsers, JSON for scripts. */
export type WebResponses = Readonly<{
  /**
   * What a page shows besides its content. A page is shown even when the storage cannot tell who is signed
   * in.
   */
  pageContext: (ctx: Context) => Promise<PageContext>;
  /** Where a visitor begins who has logged in to look around. */
  home: '/' | typeof explorerPath;
  /** A page of the site. */
  page: (ctx: Context, status: number, pageIn: (context: PageContext) => Html) => Promise<OutgoingResponse>;
  /** A value that its codec has validated; one that it refuses is a fault of the program. */
  json: <C extends t.Mixed>(ctx: Context, status: number, codec: C, value: t.TypeOf<C>) => OutgoingResponse;
  /** A failure: JSON, or the page that the form was on, with a message. */
  failure: (
    ctx: Context,
    failure: AccountError,
    pageIn: (context: PageContext, message: string) => Html | Promise<Html>,
  ) => Promise<OutgoingResponse>;
  /** A failure of a resource that has no page: always JSON. */
  jsonFailure: (ctx: Context, failure: AccountError) => OutgoingResponse;
  /** A refusal that no form of the site leads to: JSON, or a page of its own. */
  refusal: (ctx: Context, failure: RequestRefused) => Promise<OutgoingResponse>;
  /** A failure that has a page of its own; `message` says something else than usual. */
  errorPage: (ctx: Context, failure: Failure, message?: string) => Promise<OutgoingResponse>;
}>;

/** What the pages of a site have in common. */
type Site = Pick<PageContext, 'mode' | 'hasExplorer'>;

/** The responses of a site. */
export const webResponses = (signedInUser: SignedInUser, site: Site, log: Log): WebResponses => {
  const pageContext = async (ctx: Context): Promise<PageContext> => {
    const user = await signedInUser(ctx)();
    return { user: E.isRight(user) ? user.right : null, ...site };
  };
  const page: WebResponses['page'] = async (ctx, status, pageIn) => ({
    status,
    body: pageIn(await pageContext(ctx)),
  });
  const ownPage: WebResponses['errorPage'] = async (ctx, failure, message) => {
    // A storage that has just failed is not read again: that would double the wait.
    const context = isStorageError(failure) ? { user: null, ...site } : await pageContext(ctx);
    const view = { ...errorView(ctx, failure), ...(message === undefined ? {} : { message }) };
    return { ...failureHead(failure, ['session']), body: errorPage(context, view) };
  };
  return {
    pageContext,
    home: site.hasExplorer ? explorerPath : '/',
    page,
    json: (ctx, status, codec, value) => {
      const rendered = render(codec, value);
      if (E.isRight(rendered)) return { status, body: rendered.right };
      const failure: Failure = { _tag: 'ContractBroken', row: codec.name, problems: rendered.left };
      logFailure(requestLog(log, ctx), operationOf(ctx), failure);
      return failureResponse(failure);
    },
    failure: async (ctx, failure, pageIn) => {
      logFailure(requestLog(log, ctx), operationOf(ctx), failure);
      if (prefersJson(ctx)) return failureResponse(failure);
      // A storage that has just failed is not read again: that would double the wait.
      const context = isStorageError(failure) ? { user: null, ...site } : await pageContext(ctx);
      return { ...failureHead(failure, ['session']), body: await pageIn(context, adviceOn(failure)) };
    },
    jsonFailure: (ctx, failure) => {
      logFailure(requestLog(log, ctx), operationOf(ctx), failure);
      return failureResponse(failure);
    },
    refusal: async (ctx, failure) => (prefersJson(ctx) ? failureResponse(failure) : ownPage(ctx, failure)),
    errorPage: ownPage,
  };
};

/** Whether a failure is the storage's. */
export const isStorageError = ({ _tag }: Failure): boolean =>
  _tag === 'StorageUnavailable' || _tag === 'StorageFailed' || _tag === 'RecordBroken';

/** The message on a page: what to enter instead. JSON clients get the field and the value they sent. */
const adviceOn = (failure: AccountError): string => {
  if (failure._tag === 'InvalidForm') return failure.problems.map(advice).join(' ');
  // People understand 59 minutes better than 3,540 seconds.
  if (failure._tag === 'TooManyAttempts') {
    return `${attemptsMessage(failure, inWords(failure.retryAfterSeconds))}.`;
  }
  return `${messageOf(failure)}.`;
};

const advice = ({ expected, message }: Problem): string =>
  expected === null ? `${message}.` : `Please enter ${expected}.`;

/** The answers to requests that no route serves: a page for browsers, JSON for all others and in the API. */
export type ErrorResponses = Readonly<{
  /** `methods`: those that a path accepts, for a request with another one. */
  response: (ctx: Context, failure: Failure, methods?: readonly string[]) => Promise<OutgoingResponse>;
  /**
   * Nothing is read for the page, so it does not say who is signed in: for when the server has failed, or
   * must not trust the request. `json`: the answer for all others.
   */
  withoutUser: (ctx: Context, failure: Failure, json: JsonResponse) => OutgoingResponse;
}>;

/** The error responses of a site. */
export const errorResponses = (
  { pageContext }: Pick<WebResponses, 'pageContext'>,
  site: Site,
): ErrorResponses => ({
  response: async (ctx, failure, methods) => {
    const json = failureResponse(failure);
    if (!wantsErrorPage(ctx)) return json;
    return { ...json, body: errorPage(await pageContext(ctx), errorView(ctx, failure, methods)) };
  },
  withoutUser: (ctx, failure, json) =>
    wantsErrorPage(ctx)
      ? { ...json, body: errorPage({ user: null, ...site }, errorView(ctx, failure)) }
      : json,
});

/** A route for users who are signed in by cookie. Others get the login page or, in JSON, a 401. */
export const requireUser =
  ({ responses, signedInUser }: Pick<WebContext, 'responses' | 'signedInUser'>) =>
  <C extends Context>(handler: (ctx: C, user: UserProfile) => Promise<OutgoingResponse>) =>
    respond(async (ctx: C) => {
      const user = await signedInUser(ctx)();
      if (E.isLeft(user)) {
        const failure = user.left;
        return responses.failure(ctx, failure, (context) => errorPage(context, errorView(ctx, failure)));
      }
      if (user.right !== null) return handler(ctx, user.right);
      return prefersJson(ctx) ? failureResponse({ _tag: 'Unauthorized' }) : redirect(logInPath(ctx));
    });

/** The login page, which leads back to the page that was requested; a post has no page to go back to. */
const logInPath = (ctx: Context) =>
  ctx.method === 'POST' ? '/login' : (`/login?next=${encodeURIComponent(ctx.url)}` as const);
