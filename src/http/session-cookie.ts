import type { Context } from 'koa';
import { sessionLifetime } from '../accounts/sessions-and-tokens.js';
import { sessionCookieName } from '../contract/operations.js';

/** Remembers that the session may be used by pages of other sites, which only HTTPS makes possible. */
export const noteCrossSiteCookies = (ctx: Context): void => {
  ctx.state.crossSiteCookies = true;
};

/** Whether browsers send the session cookie of this response along with requests of other sites' pages. */
const isCrossSite = (ctx: Context): boolean => ctx.secure && Object(ctx.state).crossSiteCookies === true;

/**
 * A cookie for other sites is kept apart for each site whose pages use it (`Partitioned`): browsers that
 * block the cookies of third parties accept it, and a page of one site gets no session that began on another.
 */
const options = (ctx: Context) => ({
  httpOnly: true,
  path: '/',
  secure: ctx.secure,
  overwrite: true,
  ...(isCrossSite(ctx)
    ? { sameSite: 'none' as const, partitioned: true }
    : { sameSite: 'lax' as const, partitioned: false }),
});

/** Sets the session cookie for as long as the session is valid; over HTTPS, the cookie is `Secure`. */
export const setSessionCookie = (ctx: Context, value: string): void => {
  ctx.cookies.set(sessionCookieName, value, { ...options(ctx), maxAge: sessionLifetime });
};

/** Clears the session cookie. */
export const clearSessionCookie = (ctx: Context): void => {
  ctx.cookies.set(sessionCookieName, null, options(ctx));
};
