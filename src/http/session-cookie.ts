import type { Context } from 'koa';
import { sessionLifetime } from '../accounts/session.js';
import { sessionCookieName } from '../contract/credential-kind.js';

const options = (ctx: Context) => ({
  httpOnly: true,
  sameSite: 'lax' as const,
  path: '/',
  secure: ctx.secure,
  overwrite: true,
});

/** Sets the session cookie for as long as the session is valid; over HTTPS, the cookie is `Secure`. */
export const setSessionCookie = (ctx: Context, value: string): void => {
  ctx.cookies.set(sessionCookieName, value, { ...options(ctx), maxAge: sessionLifetime });
};

/** Clears the session cookie. */
export const clearSessionCookie = (ctx: Context): void => {
  ctx.cookies.set(sessionCookieName, null, options(ctx));
};
