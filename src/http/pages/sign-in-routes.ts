import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import { type DemoAccounts, noDemoAccounts } from '../../accounts/demo-rows.js';
import { CurrentSession } from '../../accounts/forms.js';
import { demoLogIn, logIn, logOut } from '../../accounts/log-in-and-sign-up.js';
import { sessionExpiry } from '../../accounts/sessions-and-tokens.js';
import type { Html } from '../../pages/html.js';
import type { PageContext } from '../../pages/layout.js';
import { type LogInView, logInPage, type OfferedAccounts } from '../../pages/log-in-pages.js';
import { demoLogInPath } from '../../pages/paths.js';
import type { AppDependencies } from '../app.js';
import { failureResponse } from '../operations/failures.js';
import { returnPath } from '../operations/target.js';
import { redirect } from '../response.js';
import { localReferrer, postedText } from './csrf.js';
import { sessionHashOf } from './signed-in-user.js';
import type { WebContext } from './web.js';

/**
 * Which demo accounts a visitor is offered. Those of the package are open to everyone, others to visitors on
 * this machine; to the rest they are shown only with their passwords, as `--show-passwords` demands.
 */
export const offers = ({ demoAccounts, isLocal }: Pick<AppDependencies, 'demoAccounts' | 'isLocal'>) => {
  const isOpenTo = (ctx: Context, { areShipped }: DemoAccounts): boolean => areShipped || isLocal(ctx.req);
  return {
    /** Those that a page shows; `next`: where to return to after a login. */
    offeredOn: (ctx: Context, { user }: PageContext, next: string | null): OfferedAccounts => {
      const accounts = demoAccounts();
      const isOpen = isOpenTo(ctx, accounts);
      const isUsable = isOpen || accounts.shown.every(({ password }) => password !== null);
      const { shown, total } = isUsable ? accounts : noDemoAccounts;
      return { shown, total, isOpen, next, current: user?.email ?? null };
    },
    /** Finds one that the visitor may log in to without a password. */
    findFor: (ctx: Context): DemoAccounts['find'] => {
      const accounts = demoAccounts();
      return (isOpenTo(ctx, accounts) ? accounts : noDemoAccounts).find;
    },
  };
};

export type Offers = ReturnType<typeof offers>;

export const addLogIn = (web: WebContext): void => {
  const { get, post, postForm, accounts, responses, visitor, offers } = web;

  const pageFor =
    (ctx: Context, view: Partial<LogInView>) =>
    (context: PageContext, message: string | null = null): Html => {
      const demoAccounts = offers.offeredOn(ctx, context, view.next ?? null);
      return logInPage(context, { email: '', message, ...view, demoAccounts });
    };

  get('/login', (ctx) => {
    const done = ctx.query.account === 'deleted' ? 'Your account has been deleted.' : null;
    // The previous page showed the account that has been deleted, so nothing leads back to it.
    const next = done === null ? returnPath(ctx.query.next ?? localReferrer(ctx)) : null;
    return responses.page(ctx, pageFor(ctx, { done, next }));
  });

  postForm('/login', async (ctx) => {
    const next = returnPath(postedText(ctx, 'next'));
    const started = await logIn(accounts)(ctx.request.body, visitor(ctx))();
    return E.isLeft(started)
      ? responses.failure(ctx, started.left, pageFor(ctx, { email: postedText(ctx, 'email'), next }))
      : responses.signedIn(ctx, started.right, next ?? '/');
  });

  postForm(demoLogInPath, async (ctx) => {
    const next = returnPath(postedText(ctx, 'next'));
    const started = await demoLogIn(accounts)(ctx.request.body, offers.findFor(ctx), visitor(ctx))();
    return E.isLeft(started)
      ? responses.failure(ctx, started.left, pageFor(ctx, { next }))
      : responses.signedIn(ctx, started.right, next ?? responses.home);
  });

  post('/logout', async (ctx) => {
    const ended = await logOut(accounts)(visitor(ctx))();
    if (E.isRight(ended)) return { ...responses.done(ctx, '/login'), session: null };
    const failure = ended.left;
    if (failure._tag !== 'AccountPublished') return responses.failure(ctx, failure, pageFor(ctx, {}));
    // A shared session goes on for others, but this visitor has left it.
    return { ...(responses.prefersJson(ctx) ? failureResponse(failure) : redirect('/login')), session: null };
  });
};

/**
 * `GET /session`: who is signed in by cookie, and until when, or 401; always in JSON. A front end cannot
 * learn it from v1 or from the cookie, which scripts cannot read.
 */
export const addSession = ({ get, accounts, responses, signedInUser }: WebContext): void => {
  const expiryOf = sessionExpiry(accounts);
  get('/session', async (ctx) => {
    const user = await signedInUser(ctx)();
    if (E.isLeft(user)) return responses.jsonFailure(ctx, user.left);
    const session = sessionHashOf(ctx);
    if (user.right === null || session === null) return failureResponse({ _tag: 'Unauthorized' });
    const expiresAt = await expiryOf(session, user.right.id)();
    return E.isLeft(expiresAt)
      ? responses.jsonFailure(ctx, expiresAt.left)
      : responses.json(ctx, 200, CurrentSession, { user: user.right, expiresAt: expiresAt.right });
  });
};
