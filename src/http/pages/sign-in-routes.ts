import type Router from '@koa/router';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { DemoAccounts } from '../../accounts/demo-rows.js';
import {
  CurrentSession,
  demoLogIn,
  logIn,
  logOut,
  SignedIn,
  type StartedSession,
} from '../../accounts/log-in-and-sign-up.js';
import { sessionExpiry } from '../../accounts/sessions-and-tokens.js';
import type { Html } from '../../pages/html.js';
import type { PageContext } from '../../pages/layout.js';
import { type LogInView, logInPage, type OfferedAccounts } from '../../pages/log-in-pages.js';
import { demoLogInPath, type explorerPath } from '../../pages/paths.js';
import type { AppDependencies } from '../app.js';
import { failureResponse } from '../operations/failures.js';
import { type OutgoingResponse, redirect, respond } from '../response.js';
import { sessionHashOf } from './signed-in-user.js';
import type { WebContext } from './web.js';
import { isLocalPath, type LocalPath, localReferrer, prefersJson } from './web-responses.js';

/** Which demo accounts a visitor is offered. */
export type Offers = Readonly<{
  /** Those that a page shows; `next`: where to return to after a login. */
  offeredOn: (ctx: Context, context: PageContext, next: string | null) => OfferedAccounts;
  /** Finds one that the visitor may log in to without a password. */
  findFor: (ctx: Context) => DemoAccounts['find'];
}>;

/**
 * The accounts of the package are open to everyone. Those of other fixtures are open to visitors on this
 * machine; on others, they are shown only with their passwords, as `--show-passwords` demands.
 */
export const offers = ({
  demoAccounts,
  isLocal,
}: Pick<AppDependencies, 'demoAccounts' | 'isLocal'>): Offers => {
  const isOpenTo = (ctx: Context, { areShipped }: DemoAccounts): boolean => areShipped || isLocal(ctx.req);
  return {
    offeredOn: (ctx, { user }, next) => {
      const accounts = demoAccounts();
      const isOpen = isOpenTo(ctx, accounts);
      const isUsable = isOpen || accounts.shown.every(({ password }) => password !== null);
      const { shown, total } = isUsable ? accounts : { shown: [], total: 0 };
      return { shown, total, isOpen, next, current: user?.email ?? null };
    },
    findFor: (ctx) => {
      const accounts = demoAccounts();
      return isOpenTo(ctx, accounts) ? accounts.find : () => null;
    },
  };
};

/** The pages of login, logout and sign-up: a login must not lead back to them. */
const isPassing = (path: string): boolean => /^\/(?:login|logout|signup)(?:[?/#]|$)/.test(path);

/** A path of this server to return to after a login; null for everything else. */
export const returnPath = (text: unknown): LocalPath | null =>
  isLocalPath(text) && !isPassing(text) ? text : null;

/**
 * Where whoever opens the login page came from: what the query says, as when a page needed a login, or the
 * page with the link.
 */
const cameFrom = (ctx: Context): LocalPath | null => {
  const { next } = ctx.query;
  if (next !== undefined) return returnPath(next);
  return returnPath(localReferrer(ctx));
};

/** `GET` and `POST /login`, `POST /login/demo`, `POST /logout`. */
export const addLogIn = (
  router: Router,
  { accounts, responses, visitor, guard, body, offers }: WebContext,
): void => {
  const start = logIn(accounts);
  const startDemo = demoLogIn(accounts);
  const end = logOut(accounts);

  const pageIn = (
    ctx: Context,
    context: PageContext,
    view: Omit<LogInView, 'email' | 'demoAccounts'> & Partial<Pick<LogInView, 'email'>>,
  ): Html =>
    logInPage(context, {
      email: '',
      ...view,
      demoAccounts: offers.offeredOn(ctx, context, view.next ?? null),
    });

  const signedIn = (
    ctx: Context,
    { user, sessionValue }: StartedSession,
    next: LocalPath | '/' | typeof explorerPath,
  ): OutgoingResponse => {
    const response = prefersJson(ctx) ? responses.json(ctx, 200, SignedIn, { user }) : redirect(next);
    return { ...response, session: sessionValue };
  };

  router.get(
    '/login',
    respond((ctx) => {
      const done = ctx.query.account === 'deleted' ? 'Your account has been deleted.' : null;
      // The previous page showed the account that has been deleted, so nothing leads back to it.
      const next = done === null ? cameFrom(ctx) : null;
      return responses.page(ctx, 200, (context) => pageIn(ctx, context, { message: null, done, next }));
    }),
  );

  router.post(
    '/login',
    guard,
    body,
    respond(async (ctx) => {
      const next = returnPath(Object(ctx.request.body).next);
      const started = await start(ctx.request.body, visitor(ctx))();
      if (E.isLeft(started)) {
        const { email } = Object(ctx.request.body);
        return responses.failure(ctx, started.left, (context, message) =>
          pageIn(ctx, context, { email: typeof email === 'string' ? email : '', message, next }),
        );
      }
      return signedIn(ctx, started.right, next ?? '/');
    }),
  );

  router.post(
    demoLogInPath,
    guard,
    body,
    respond(async (ctx) => {
      const next = returnPath(Object(ctx.request.body).next);
      const started = await startDemo(ctx.request.body, offers.findFor(ctx), visitor(ctx))();
      return E.isLeft(started)
        ? responses.failure(ctx, started.left, (context, message) => pageIn(ctx, context, { message, next }))
        : signedIn(ctx, started.right, next ?? responses.home);
    }),
  );

  router.post(
    '/logout',
    guard,
    respond(async (ctx) => {
      const ended = await end(visitor(ctx))();
      if (E.isRight(ended)) {
        return { ...(prefersJson(ctx) ? { status: 204 } : redirect('/login')), session: null };
      }
      const failure = ended.left;
      // A shared session goes on for others, but this visitor has left it.
      if (failure._tag === 'AccountPublished') {
        return { ...(prefersJson(ctx) ? failureResponse(failure) : redirect('/login')), session: null };
      }
      return responses.failure(ctx, failure, (context, message) => pageIn(ctx, context, { message }));
    }),
  );
};

/**
 * `GET /session`: who is signed in by cookie, and until when, or 401; always in JSON. A front end cannot
 * learn it from v1 or from the cookie, which scripts cannot read.
 */
export const addSession = (
  router: Router,
  { accounts, responses, signedInUser }: Pick<WebContext, 'accounts' | 'responses' | 'signedInUser'>,
): void => {
  const expiryOf = sessionExpiry(accounts);
  router.get(
    '/session',
    respond(async (ctx) => {
      const user = await signedInUser(ctx)();
      if (E.isLeft(user)) return responses.jsonFailure(ctx, user.left);
      const session = sessionHashOf(ctx);
      if (user.right === null || session === null) return failureResponse({ _tag: 'Unauthorized' });
      const expiresAt = await expiryOf(session)();
      if (E.isLeft(expiresAt)) return responses.jsonFailure(ctx, expiresAt.left);
      return responses.json(ctx, 200, CurrentSession, { user: user.right, expiresAt: expiresAt.right });
    }),
  );
};
