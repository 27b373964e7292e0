import type Router from '@koa/router';
import * as E from '#fp-ts/Either';
import { logIn } from '../../accounts/log-in.js';
import { logOut } from '../../accounts/log-out.js';
import { SignedIn } from '../../accounts/response-codecs.js';
import { failureResponse } from '../../protocol/failure-response.js';
import { logInPage } from '../../web-pages/log-in-page.js';
import { redirect, respond } from '../response.js';
import { cameFrom, returnPath } from './return-path.js';
import type { WebContext } from './web-context.js';
import { prefersJson } from './web-responses.js';

/** `GET` and `POST /login`, `POST /logout`. */
export const addLogIn = (router: Router, { accounts, responses, visitor, guard, body }: WebContext): void => {
  const start = logIn(accounts);
  const end = logOut(accounts);

  router.get(
    '/login',
    respond((ctx) => {
      const done = ctx.query.account === 'deleted' ? 'Your account has been deleted.' : null;
      // What there was of the deleted account is no place to return to.
      const next = done === null ? cameFrom(ctx) : null;
      return responses.page(ctx, 200, (context) =>
        logInPage(context, { email: '', message: null, done, next }),
      );
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
          logInPage(context, { email: typeof email === 'string' ? email : '', message, next }),
        );
      }
      const { user, sessionValue } = started.right;
      const response = prefersJson(ctx)
        ? responses.json(ctx, 200, SignedIn, { user })
        : redirect(next ?? '/');
      return { ...response, session: sessionValue };
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
      // Whoever leaves a shared session has left it, although it goes on.
      if (failure._tag === 'AccountPublished') {
        return { ...(prefersJson(ctx) ? failureResponse(failure) : redirect('/login')), session: null };
      }
      return responses.failure(ctx, failure, (context, message) =>
        logInPage(context, { email: '', message }),
      );
    }),
  );
};
