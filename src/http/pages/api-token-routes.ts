import type Router from '@koa/router';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../../accounts/account-flow.js';
import {
  type ListedToken,
  ListedTokens,
  listApiTokens,
  MintedToken,
  mintApiToken,
  revokeApiToken,
} from '../../accounts/own-account.js';
import { hashSecret } from '../../accounts/sessions-and-tokens.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { type ApiTokensView, apiTokensPage, revokePage, tokenState } from '../../pages/account-pages.js';
import type { Html } from '../../pages/html.js';
import type { PageContext } from '../../pages/layout.js';
import { copyScriptPath } from '../../pages/paths.js';
import type { Caller } from '../../records/account-records.js';
import { asset } from '../asset.js';
import { readCredentials } from '../operations/credentials.js';
import { contentSecurityPolicy } from '../operations/headers.js';
import { type OutgoingResponse, redirect } from '../response.js';
import type { WebContext } from './web.js';
import { isStorageError, prefersJson, requireUser } from './web-responses.js';

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
const carryMinted = (ctx: Context, carried: Carried): void => {
  const proof = proofOf(ctx, carried);
  if (proof === null) return;
  const value = `${carried.token}.${Buffer.from(carried.name).toString('base64url')}.${proof}`;
  ctx.cookies.set(cookieName, value, { ...options(ctx), maxAge: lifetime });
};

/** The token that was just minted in this session, once: the browser forgets it with this response. */
const takeMinted = (ctx: Context): Carried | null => {
  const value = ctx.cookies.get(cookieName);
  if (value === undefined) return null;
  ctx.cookies.set(cookieName, null, options(ctx));
  const [token = '', encodedName = '', proof = ''] = value.split('.');
  const carried = { name: Buffer.from(encodedName, 'base64url').toString(), token };
  return proof !== '' && proof === proofOf(ctx, carried) ? carried : null;
};

/** A page with a new token also has the script that copies it. */
const withScript = { 'Content-Security-Policy': contentSecurityPolicy("script-src 'self'") };

/**
 * `GET` and `POST /settings/api-tokens`, `POST /settings/api-tokens/:id/revoke`, for a user who is signed in
 * by cookie.
 */
export const addApiTokens = (router: Router, web: WebContext): void => {
  const { accounts, readAsset, responses, visitor, guard, body } = web;
  const list = listApiTokens(accounts);
  const mint = mintApiToken(accounts);
  const revoke = revokeApiToken(accounts);

  const signedIn = <C extends Context>(handler: (ctx: C, caller: Caller) => Promise<OutgoingResponse>) =>
    requireUser(web)((ctx: C, user) => handler(ctx, { userId: user.id }));

  const pageIn = (
    context: PageContext,
    caller: Caller,
    shown: Pick<ApiTokensView, 'tokens'> & Partial<Pick<ApiTokensView, 'minted' | 'message' | 'name'>>,
  ): Html =>
    apiTokensPage(context, {
      now: timestampAt(accounts.clock()),
      minted: null,
      message: null,
      name: '',
      isShared: accounts.isPublished(caller.userId),
      ...shown,
    });

  /** The page with a message; without its list when the storage has failed. */
  const failed = (
    ctx: Context,
    caller: Caller,
    failure: AccountError,
    shown: Partial<Pick<ApiTokensView, 'minted' | 'name'>> = {},
  ): Promise<OutgoingResponse> =>
    responses.failure(ctx, failure, async (context, message) => {
      const listed = isStorageError(failure) ? E.left(failure) : await list(caller)();
      return pageIn(context, caller, { tokens: E.isRight(listed) ? listed.right : [], message, ...shown });
    });

  /** The page that asks whether to revoke a token. */
  const confirmation = (
    ctx: Context,
    caller: Caller,
    tokens: readonly ListedToken[],
    id: unknown,
  ): Promise<OutgoingResponse> => {
    if (accounts.isPublished(caller.userId)) {
      return failed(ctx, caller, { _tag: 'AccountPublished', wish: 'revoke API tokens' });
    }
    const token = tokens.find((each) => each.id === id);
    if (token === undefined) return failed(ctx, caller, { _tag: 'ApiTokenNotFound' });
    // A token that is no longer valid needs no question: the list says so.
    return tokenState(token, timestampAt(accounts.clock())) === 'active'
      ? responses.page(ctx, 200, (context) => revokePage(context, token))
      : Promise.resolve(redirect('/settings/api-tokens'));
  };

  router.get(
    copyScriptPath,
    asset('text/javascript; charset=utf-8', () => readAsset('copy.js')),
  );

  router.get(
    '/settings/api-tokens',
    signedIn(async (ctx, caller) => {
      const tokens = await list(caller)();
      if (prefersJson(ctx) && E.isRight(tokens)) return responses.json(ctx, 200, ListedTokens, tokens.right);
      const { revoke: asked } = ctx.query;
      if (asked !== undefined && E.isRight(tokens)) return confirmation(ctx, caller, tokens.right, asked);
      // A HEAD request shows no token, so it must not use up the only time that the token is shown.
      const minted = ctx.method === 'GET' && !prefersJson(ctx) ? takeMinted(ctx) : null;
      const shown = E.isLeft(tokens)
        ? await failed(ctx, caller, tokens.left, { minted })
        : await responses.page(ctx, 200, (context) =>
            pageIn(context, caller, { tokens: tokens.right, minted }),
          );
      return minted === null ? shown : { ...shown, headers: { ...shown.headers, ...withScript } };
    }),
  );

  router.post(
    '/settings/api-tokens',
    guard,
    body,
    signedIn(async (ctx, caller) => {
      const minted = await mint(caller, ctx.request.body, visitor(ctx))();
      if (E.isLeft(minted)) {
        const { name } = Object(ctx.request.body);
        return failed(ctx, caller, minted.left, { name: typeof name === 'string' ? name : '' });
      }
      if (prefersJson(ctx)) return responses.json(ctx, 201, MintedToken, minted.right);
      // The page that shows the token is another request, so that reloading it mints no second token.
      carryMinted(ctx, minted.right);
      return redirect('/settings/api-tokens');
    }),
  );

  router.post(
    '/settings/api-tokens/:id/revoke',
    guard,
    signedIn(async (ctx, caller) => {
      const revoked = await revoke(caller, ctx.params.id ?? '', visitor(ctx))();
      if (E.isLeft(revoked)) return failed(ctx, caller, revoked.left);
      return prefersJson(ctx) ? { status: 204 } : redirect('/settings/api-tokens');
    }),
  );
};
