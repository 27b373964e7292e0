import type { Context } from 'koa';
import { hashSecret } from '../../accounts/sessions-and-tokens.js';
import { readCredentials } from '../operations/credentials.js';

/** A new token on its way from the response that minted it to the page that shows it. */
type Carried = Readonly<{ name: string; token: string }>;

const cookieName = 'minted';

/** Milliseconds that the browser has to follow the redirect. */
const lifetime = 60_000;

const options = (ctx: Context) => ({
  httpOnly: true,
  sameSite: 'strict' as const,
  path: '/settings/api-tokens',
  secure: ctx.secure,
  overwrite: true,
});

/**
 * What proves that the token was minted in this session: only who knows the session can compute it. Otherwise
 * somebody could plant the cookie, and have the page show a token that is not its reader's.
 */
const proofOf = (ctx: Context, { name, token }: Carried): string | null => {
  const { sessionValue } = readCredentials(ctx.req.headers, ['session']);
  return sessionValue === null ? null : hashSecret(`${sessionValue} minted ${token} ${name}`);
};

/**
 * Hands a new token to the browser, for the page that it is redirected to. The server keeps nothing, so that
 * the page may come from another process of the service.
 */
export const carryMinted = (ctx: Context, carried: Carried): void => {
  const proof = proofOf(ctx, carried);
  if (proof === null) return;
  const value = `${carried.token}.${Buffer.from(carried.name).toString('base64url')}.${proof}`;
  ctx.cookies.set(cookieName, value, { ...options(ctx), maxAge: lifetime });
};

/** The token that was just minted in this session, once: the browser forgets it with this response. */
export const takeMinted = (ctx: Context): Carried | null => {
  const value = ctx.cookies.get(cookieName);
  if (value === undefined) return null;
  ctx.cookies.set(cookieName, null, options(ctx));
  const [token = '', encodedName = '', proof = ''] = value.split('.');
  const carried = { name: Buffer.from(encodedName, 'base64url').toString(), token };
  return proof !== '' && proof === proofOf(ctx, carried) ? carried : null;
};
