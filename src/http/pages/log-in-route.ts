import type Router from '@koa/router';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import { demoLogIn } from '../../accounts/demo-log-in.js';
import { logIn } from '../../accounts/log-in.js';
import { logOut } from '../../accounts/log-out.js';
import { SignedIn } from '../../accounts/response-codecs.js';
import type { StartedSession } from '../../accounts/sign-up.js';
import type { Html } from '../../pages/html.js';
import type { PageContext } from '../../pages/layout.js';
import { type LogInView, logInPage } from '../../pages/log-in-pages.js';
import { demoLogInPath, type explorerPath } from '../../pages/paths.js';
import type { LocalPath } from '../local-path.js';
import { failureResponse } from '../operations/failure-response.js';
import { type OutgoingResponse, redirect, respond } from '../response.js';
import { cameFrom, returnPath } from './return-path.js';
import type { WebContext } from './web-context.js';
import { prefersJson } from './web-responses.js';

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
