import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import { errorPage } from '../../pages/layout.js';
import type { UserProfile } from '../../records/user.js';
import { failureResponse } from '../operations/failure-response.js';
import { type OutgoingResponse, redirect, respond } from '../response.js';
import { errorView } from './error-view.js';
import type { WebContext } from './web-context.js';
import { prefersJson } from './web-responses.js';

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
