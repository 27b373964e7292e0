import type * as t from 'io-ts';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../../accounts/account-error.js';
import type { Log } from '../../common/log.js';
import type { Problem } from '../../contract/codecs/problem.js';
import { type Html, inWords } from '../../pages/html.js';
import { errorPage, type PageContext } from '../../pages/layout.js';
import { explorerPath } from '../../pages/paths.js';
import { operationOf } from '../operation-of.js';
import { attemptsMessage } from '../operations/attempts-message.js';
import { failureHead, failureResponse } from '../operations/failure-response.js';
import { type Failure, messageOf, type RequestRefused } from '../operations/failures.js';
import { logFailure } from '../operations/log-failure.js';
import { render } from '../operations/rendered.js';
import { requestLog } from '../operations/request-log.js';
import type { OutgoingResponse } from '../response.js';
import { errorView } from './error-view.js';
import type { SignedInUser } from './signed-in-user.js';

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
export type Site = Pick<PageContext, 'mode' | 'hasExplorer'>;

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
