import type { Context } from 'koa';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { AccountDependencies } from '../../accounts/account-flow.js';
import { hashCredentials, hashSecret, sessionLifetime } from '../../accounts/sessions-and-tokens.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { sessionCookieName } from '../../contract/operations.js';
import type { SecretHash, UserProfile } from '../../records/account-records.js';
import type { StorageError } from '../../storage/port.js';
import { readCredentials } from '../operations/credentials.js';

/** The user whose valid session a request carries; null: it has none. Reads the storage once per request. */
export type SignedInUser = (ctx: Context) => TE.TaskEither<StorageError, UserProfile | null>;

export const signedInUser = ({
  storage,
  clock,
}: Pick<AccountDependencies, 'storage' | 'clock'>): SignedInUser => {
  const asked = new WeakMap<Context, ReturnType<ReturnType<SignedInUser>>>();
  const ask: SignedInUser = (ctx) =>
    pipe(
      TE.fromEither(hashCredentials(readCredentials(ctx.req.headers, ['session']), timestampAt(clock()))),
      TE.flatMap(storage.caller),
      TE.tapIO(({ userId }) => () => {
        ctx.state.tenantId = userId;
      }),
      TE.flatMap(storage.user),
      TE.orElse((error) => (error._tag === 'Unauthorized' ? TE.right(null) : TE.left(error))),
    );
  return (ctx) => () => {
    const answer = asked.get(ctx) ?? ask(ctx)();
    asked.set(ctx, answer);
    return answer;
  };
};

/** The hash of the session that a request carries, whether it is valid or not. */
export const sessionHashOf = (ctx: Context): SecretHash | null => {
  const { sessionValue } = readCredentials(ctx.req.headers, ['session']);
  return sessionValue === null ? null : hashSecret(sessionValue);
};

/**
 * A cookie for other sites is kept apart for each site whose pages use it (`Partitioned`): browsers that
 * block the cookies of third parties accept it, and a page of one site gets no session that began on another.
 */
const options = (ctx: Context) => ({
  httpOnly: true,
  path: '/',
  secure: ctx.secure,
  overwrite: true,
  // Only HTTPS makes it possible that pages of other sites use the session.
  ...(ctx.secure && Object(ctx.state).crossSiteCookies === true
    ? { sameSite: 'none' as const, partitioned: true }
    : { sameSite: 'lax' as const, partitioned: false }),
});

/** Sets the session cookie for as long as the session is valid; over HTTPS, the cookie is `Secure`. */
export const setSessionCookie = (ctx: Context, value: string): void => {
  ctx.cookies.set(sessionCookieName, value, { ...options(ctx), maxAge: sessionLifetime });
};

export const clearSessionCookie = (ctx: Context): void => {
  ctx.cookies.set(sessionCookieName, null, options(ctx));
};
