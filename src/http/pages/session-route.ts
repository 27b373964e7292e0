import type Router from '@koa/router';
import * as E from '#fp-ts/Either';
import { CurrentSession } from '../../accounts/log-in-and-sign-up.js';
import { sessionExpiry } from '../../accounts/sessions-and-tokens.js';
import { failureResponse } from '../operations/failures.js';
import { respond } from '../response.js';
import { sessionHashOf } from './signed-in-user.js';
import type { WebContext } from './web-context.js';

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
