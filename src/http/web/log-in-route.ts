import type Router from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import { logIn } from '../../accounts/log-in.js';
import { logOut } from '../../accounts/log-out.js';
import { SignedIn } from '../../accounts/response-codecs.js';
import { logInPage } from '../../web-pages/log-in-page.js';
import { failureResponse, redirect, respond } from '../response.js';
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
      return responses.page(ctx, 200, (context) => logInPage(context, '', null, done));
    }),
  );

  router.post(
    '/login',
    guard,
    body,
    respond(async (ctx) => {
      const started = await start(ctx.request.body, visitor(ctx))();
      if (E.isLeft(started)) {
        const { email } = Object(ctx.request.body);
        return responses.failure(ctx, started.left, (context, message) =>
          logInPage(context, typeof email === 'string' ? email : '', message),
        );
      }
      const { user, sessionValue } = started.right;
      const response = prefersJson(ctx) ? responses.json(ctx, 200, SignedIn, { user }) : redirect('/');
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
      return responses.failure(ctx, failure, (context, message) => logInPage(context, '', message));
    }),
  );
};
