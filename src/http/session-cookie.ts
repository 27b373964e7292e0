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

/** Gives the browser its session. The cookie lives as long as the session; behind TLS it travels by TLS alone. */
export const setSessionCookie = (ctx: Context, value: string): void => {
  ctx.cookies.set(sessionCookieName, value, { ...options(ctx), maxAge: sessionLifetime });
};

/** Takes the session from the browser. */
export const clearSessionCookie = (ctx: Context): void => {
  ctx.cookies.set(sessionCookieName, null, options(ctx));
};
