import type * as t from 'io-ts';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import { SignedIn } from '../accounts/forms.js';
import type { StartedSession } from '../accounts/log-in-and-sign-up.js';
import type { Log } from '../common/log.js';
import { type Html, html, inWords } from './html.js';
import { errorPage, type PageContext } from './layout.js';
import { explorerPath, withNext } from './paths.js';
import { operationOf } from '../http/access-log.js';
import {
  attemptsMessage,
  type Failure,
  failureResponse,
  logFailure,
  messageOf,
  retryAfterSeconds,
  statusOf,
} from '../protocol/failures.js';
import { render } from '../protocol/rendered.js';
import { requestLog } from '../protocol/request.js';
import type { JsonResponse } from '../protocol/response.js';
import { type OutgoingResponse, type RedirectPath, redirect } from '../http/write-response.js';
import { localReferrer } from './csrf.js';
import type { SignedInUser } from './signed-in-user.js';

/**
 * Whether to answer an error with a page: outside of the API, to clients that prefer HTML, as browsers do.
 * Clients that accept anything, such as curl and `fetch`, get JSON.
 */
export const wantsErrorPage = (ctx: Context): boolean => {
  if (/^\/api(?:\/|$)/.test(ctx.path)) return false;
  ctx.vary('Accept');
  return ctx.accepts('json', 'html') === 'html';
};

const maxPath = 200;

const inEnglish = new Intl.ListFormat('en');

const pageOfError = (
  ctx: Context,
  context: PageContext,
  failure: Failure,
  message = messageFor(ctx, failure),
): Html => {
  const referrer = localReferrer(ctx);
  return errorPage(context, {
    status: statusOf(failure._tag),
    message,
    retryAfterSeconds: retryAfterSeconds(failure),
    back: referrer === ctx.url ? null : referrer,
  });
};

/** What happened. `methods`: those that the path accepts. */
const messageFor = (ctx: Context, failure: Failure, methods: readonly string[] = []): string | Html => {
  const path = ctx.path.length > maxPath ? `${ctx.path.slice(0, maxPath)}…` : ctx.path;
  if (failure._tag === 'NotFound') return html`There is no page at <code>${path}</code>.`;
  if (failure._tag === 'MethodNotAllowed')
    return html`<code>${path}</code> does not accept ${ctx.method} requests, only ${inEnglish.format(methods.toSorted())}.`;
  if (statusOf(failure._tag) === 500)
    return 'The server could not handle this request. Its log has the details.';
  return shortMessages[failure._tag] ?? `${messageOf(failure)}.`;
};

/** What a page says, instead of what JSON does. */
const shortMessages: Readonly<Partial<Record<Failure['_tag'], string>>> = {
  TooManyAttempts: 'There were too many attempts from your network.',
  MalformedRequest: 'The request is malformed.',
  StorageUnavailable: 'The server cannot reach its data right now.',
  StorageBusy: 'The server has too much to do right now.',
  StorageReadOnly: 'The server can only be read right now.',
};

/** Whether to respond with JSON: to clients that post JSON or prefer it. All others get a page. */
const prefersJson = (ctx: Context): boolean => {
  ctx.vary('Accept');
  return Boolean(ctx.is('json')) || (!ctx.is('urlencoded') && ctx.accepts('html', 'json') === 'json');
};

type Site = Pick<PageContext, 'mode' | 'hasExplorer'>;

/** The page that a form was on, after what it has posted was refused. */
type PageAfter<F> = (context: PageContext, message: string, failure: F) => Html | Promise<Html>;

/** The responses of the web flows: pages for browsers, JSON for scripts. */
export const webResponses = (signedInUser: SignedInUser, site: Site, log: Log) => {
  const withoutUser: PageContext = { user: null, ...site };
  /** Where a visitor begins who has logged in to look around. */
  const home: RedirectPath = site.hasExplorer ? explorerPath : '/';

  // A page is shown even when the storage cannot tell who is signed in.
  const pageContext = async (ctx: Context): Promise<PageContext> => {
    const user = await signedInUser(ctx);
    return E.isRight(user) ? { user: user.right, ...site } : withoutUser;
  };

  // A storage that has just failed is not read again: that would double the wait.
  const contextAfter = async (ctx: Context, failure: Failure): Promise<PageContext> =>
    isStorageError(failure) ? withoutUser : pageContext(ctx);

  /** A failure of a resource that has no page: always JSON. */
  const jsonFailure = (ctx: Context, failure: Failure): JsonResponse => {
    logFailure(requestLog(log, ctx), operationOf(ctx), failure);
    return failureResponse(failure);
  };

  /** A value that its codec has validated; one that it refuses is a fault of the program. */
  const json = <C extends t.Mixed>(
    ctx: Context,
    status: number,
    codec: C,
    value: t.TypeOf<C>,
  ): OutgoingResponse => {
    const rendered = render(codec, value);
    return E.isRight(rendered)
      ? { status, body: rendered.right }
      : jsonFailure(ctx, { _tag: 'ContractBroken', row: codec.name, problems: rendered.left });
  };

  /** A failure: JSON, or the page that the form was on, with a message; or else a page of its own. */
  const failure = async <F extends Failure>(
    ctx: Context,
    cause: F,
    pageIn: PageAfter<F> = (context) => pageOfError(ctx, context, cause),
  ): Promise<OutgoingResponse> => {
    const response = jsonFailure(ctx, cause);
    if (prefersJson(ctx)) return response;
    return { ...response, body: await pageIn(await contextAfter(ctx, cause), adviceOn(cause), cause) };
  };

  /** A failure that has a page of its own, with a message. */
  const errorPage = async (
    ctx: Context,
    cause: Failure,
    message: string | Html,
  ): Promise<OutgoingResponse> => ({
    ...failureResponse(cause),
    body: pageOfError(ctx, await contextAfter(ctx, cause), cause, message),
  });

  return {
    prefersJson,
    pageContext,
    json,
    jsonFailure,
    failure,
    errorPage,
    home,
    page: async (ctx: Context, pageIn: (context: PageContext) => Html): Promise<OutgoingResponse> => ({
      status: 200,
      body: pageIn(await pageContext(ctx)),
    }),
    /** Does what a form asks for: what `done` answers, or else the failure. */
    outcome: async <F extends Failure, A>(
      ctx: Context,
      act: E.Either<F, A> | Promise<E.Either<F, A>>,
      done: (result: A) => OutgoingResponse | Promise<OutgoingResponse>,
      pageIn?: PageAfter<F>,
    ): Promise<OutgoingResponse> => {
      const acted = await act;
      return E.isRight(acted) ? done(acted.right) : failure(ctx, acted.left, pageIn);
    },
    /** A session has been started: its user, or on to the next page. */
    signedIn: (
      ctx: Context,
      { user, sessionValue }: StartedSession,
      next: RedirectPath,
    ): OutgoingResponse => ({
      ...(prefersJson(ctx) ? json(ctx, 200, SignedIn, { user }) : redirect(next)),
      session: sessionValue,
    }),
    /** What was asked for is done: 204, or on to the next page. */
    done: (ctx: Context, next: RedirectPath): OutgoingResponse =>
      prefersJson(ctx) ? { status: 204 } : redirect(next),
    /**
     * The answer to a request that no route serves: a page for browsers, JSON for all others and in the API.
     * `methods`: those that the path accepts, for a request with another one.
     */
    noRoute: async (ctx: Context, cause: Failure, methods?: readonly string[]): Promise<OutgoingResponse> =>
      wantsErrorPage(ctx) ? errorPage(ctx, cause, messageFor(ctx, cause, methods)) : failureResponse(cause),
    /** The same, without reading who is signed in: the server has failed, or must not trust the request. */
    errorWithoutUser: (ctx: Context, cause: Failure): OutgoingResponse => ({
      ...failureResponse(cause),
      ...(wantsErrorPage(ctx) && { body: pageOfError(ctx, withoutUser, cause) }),
    }),
  };
};

export type WebResponses = ReturnType<typeof webResponses>;

export const isStorageError = ({ _tag }: Failure): boolean =>
  _tag.startsWith('Storage') || _tag === 'RecordBroken';

/** The message on a page: what to enter instead. JSON clients get the field and the value they sent. */
const adviceOn = (failure: Failure): string => {
  if (failure._tag === 'InvalidForm') {
    return failure.problems
      .map(({ expected, message }) => (expected === null ? `${message}.` : `Please enter ${expected}.`))
      .join(' ');
  }
  // People understand 59 minutes better than 3,540 seconds.
  return failure._tag === 'TooManyAttempts'
    ? `${attemptsMessage(failure, inWords(failure.retryAfterSeconds))}.`
    : `${messageOf(failure)}.`;
};

/** Asks for a login, which leads back to the page that was requested; a post has no page to go back to. */
export const signIn = (ctx: Context): OutgoingResponse => {
  if (prefersJson(ctx)) return failureResponse({ _tag: 'Unauthorized' });
  return redirect(withNext('/login', ctx.method === 'POST' ? null : ctx.url));
};
