import type Router from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import { logIn } from '../../accounts/log-in.js';
import { SignedIn } from '../../accounts/response-codecs.js';
import { logInPage } from '../../pages/log-in-page.js';
import { clearSessionCookie, setSessionCookie } from './session-cookie.js';
import { sessionHashOf } from './signed-in-user.js';
import { speaksJson } from './speaks-json.js';
import type { WebContext } from './web-context.js';

/** `GET` and `POST /login`, `POST /logout`. */
export const addLogIn = (router: Router, { accounts, answers, frameFor, guard, body }: WebContext): void => {
  const start = logIn(accounts);

  router.get('/login', async (ctx) => answers.page(ctx, 200, logInPage(await frameFor(ctx), '', null)));

  router.post('/login', guard, body, async (ctx) => {
    const started = await start(ctx.request.body, ctx.ip, sessionHashOf(ctx))();
    if (E.isLeft(started)) {
      const { email } = Object(ctx.request.body);
      return answers.failure(ctx, started.left, async (message) =>
        logInPage(await frameFor(ctx), typeof email === 'string' ? email : '', message),
      );
    }
    const { user, sessionValue } = started.right;
    setSessionCookie(ctx, sessionValue);
    if (speaksJson(ctx)) answers.json(ctx, 200, SignedIn, { user });
    else answers.redirect(ctx, '/');
  });

  router.post('/logout', guard, async (ctx) => {
    const hash = sessionHashOf(ctx);
    const ended = hash === null ? E.right(undefined) : await accounts.storage.endSession(hash)();
    if (E.isLeft(ended)) {
      return answers.failure(ctx, ended.left, async (message) => logInPage(await frameFor(ctx), '', message));
    }
    clearSessionCookie(ctx);
    if (speaksJson(ctx)) ctx.status = 204;
    else answers.redirect(ctx, '/login');
  });
};
