import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountDependencies } from '../accounts/account-flow.js';
import { hashCredentials, hashSecret, sessionLifetime } from '../accounts/sessions-and-tokens.js';
import { onceFor } from '../common/lru.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import { sessionCookieName } from '../contract/operations.js';
import type { SecretHash, UserProfile } from '../records/account-records.js';
import type { StorageError, Unauthorized } from '../storage/port.js';
import { readCredentials } from '../protocol/credentials.js';

/** The user whose valid session a request carries. Reads the storage once per request. */
export type SignedInUser = (ctx: Context) => Promise<E.Either<StorageError | Unauthorized, UserProfile>>;

export const signedInUser = ({
  storage,
  clock,
}: Pick<AccountDependencies, 'storage' | 'clock'>): SignedInUser =>
  onceFor(async (ctx: Context): ReturnType<SignedInUser> => {
    const credentials = readCredentials(ctx.req.headers, ['session']);
    const hashed = hashCredentials(credentials, timestampAt(clock()));
    const caller = E.isLeft(hashed) ? hashed : await storage.caller(hashed.right);
    if (E.isLeft(caller)) return caller;
    ctx.state.tenantId = caller.right.userId;
    const user = await storage.user(caller.right);
    if (E.isLeft(user)) return user;
    return user.right === null ? E.left({ _tag: 'Unauthorized' }) : E.right(user.right);
  });

/** The hash of the session that a request carries, whether it is valid or not. */
export const sessionHashOf = (ctx: Context): SecretHash | null => {
  const { sessionValue } = readCredentials(ctx.req.headers, ['session']);
  return sessionValue === null ? null : hashSecret(sessionValue);
};

/**
 * Sets the session cookie for as long as the session is valid, or clears it (null). A cookie for other sites
 * is kept apart for each site whose pages use it (`Partitioned`): browsers that block the cookies of third
 * parties accept it, and a page of one site gets no session that began on another.
 */
export const setSessionCookie = (ctx: Context, value: string | null): void => {
  // Only HTTPS makes it possible that pages of other sites use the session.
  const isForOthers = ctx.secure && Object(ctx.state).crossSiteCookies === true;
  ctx.cookies.set(sessionCookieName, value, {
    httpOnly: true,
    path: '/',
    secure: ctx.secure,
    overwrite: true,
    sameSite: isForOthers ? 'none' : 'lax',
    partitioned: isForOthers,
    ...(value === null ? {} : { maxAge: sessionLifetime }),
  });
};
