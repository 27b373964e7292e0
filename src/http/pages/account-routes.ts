import type Router from '@koa/router';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../../accounts/account-flow.js';
import { SignedIn } from '../../accounts/log-in-and-sign-up.js';
import { changePassword, deleteAccount } from '../../accounts/own-account.js';
import { accountPage } from '../../pages/account-pages.js';
import type { UserProfile } from '../../records/account-records.js';
import { type OutgoingResponse, redirect } from '../response.js';
import { fieldProblems, formMessage } from './field-problems.js';
import type { WebContext } from './web.js';
import { prefersJson, requireUser } from './web-responses.js';

/**
 * `GET /settings/account`, `POST /settings/account/password` and `POST /settings/account/delete`, for a user
 * who is signed in by cookie.
 */
export const addAccount = (router: Router, web: WebContext): void => {
  const { accounts, responses, visitor, guard, body } = web;
  const signedIn = requireUser(web);
  const change = changePassword(accounts);
  const remove = deleteAccount(accounts);

  const failed = (ctx: Context, { id }: UserProfile, failure: AccountError): Promise<OutgoingResponse> => {
    const problems = fieldProblems(failure);
    return responses.failure(ctx, failure, (context, message) =>
      accountPage(context, {
        problems,
        message: formMessage(problems, message),
        isChanged: false,
        isShared: accounts.isPublished(id),
      }),
    );
  };

  router.get(
    '/settings/account',
    signedIn(async (ctx, user) =>
      prefersJson(ctx)
        ? responses.json(ctx, 200, SignedIn, { user })
        : responses.page(ctx, 200, (context) =>
            accountPage(context, {
              problems: new Map(),
              message: null,
              isChanged: ctx.query.password === 'changed',
              isShared: accounts.isPublished(user.id),
            }),
          ),
    ),
  );

  router.post(
    '/settings/account/password',
    guard,
    body,
    signedIn(async (ctx, user) => {
      const changed = await change(user, ctx.request.body, visitor(ctx))();
      if (E.isLeft(changed)) return failed(ctx, user, changed.left);
      const response = prefersJson(ctx) ? { status: 204 } : redirect('/settings/account?password=changed');
      return { ...response, session: changed.right.sessionValue };
    }),
  );

  router.post(
    '/settings/account/delete',
    guard,
    body,
    signedIn(async (ctx, user) => {
      const removed = await remove(user, ctx.request.body, visitor(ctx))();
      if (E.isLeft(removed)) return failed(ctx, user, removed.left);
      return { ...(prefersJson(ctx) ? { status: 204 } : redirect('/login?account=deleted')), session: null };
    }),
  );
};
