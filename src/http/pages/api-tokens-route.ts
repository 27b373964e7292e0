import type Router from '@koa/router';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../../accounts/account-error.js';
import { listApiTokens, mintApiToken, revokeApiToken } from '../../accounts/api-tokens.js';
import { type ListedToken, ListedTokens, MintedToken } from '../../accounts/response-codecs.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { type ApiTokensView, apiTokensPage, revokePage, tokenState } from '../../pages/account-pages.js';
import type { Html } from '../../pages/html.js';
import type { PageContext } from '../../pages/layout.js';
import { copyScriptPath } from '../../pages/paths.js';
import type { Caller } from '../../records/caller.js';
import { asset } from '../asset.js';
import { directives } from '../operations/security-headers.js';
import { type OutgoingResponse, redirect } from '../response.js';
import { carryMinted, takeMinted } from './minted-cookie.js';
import { requireUser } from './require-user.js';
import type { WebContext } from './web-context.js';
import { isStorageError, prefersJson } from './web-responses.js';

/** A page with a new token also has the script that copies it. */
const withScript = { 'Content-Security-Policy': [...directives, "script-src 'self'"].join(';') };

/**
 * `GET` and `POST /settings/api-tokens`, `POST /settings/api-tokens/:id/revoke`, for a user who is signed in
 * by cookie.
 */
export const addApiTokens = (router: Router, web: WebContext): void => {
  const { accounts, responses, visitor, guard, body, readAsset } = web;
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
