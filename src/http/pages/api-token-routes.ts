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
import { type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import { type ApiTokensView, apiTokensPage, revokePage, tokenState } from '../../pages/account-pages.js';
import type { Html } from '../../pages/html.js';
import type { PageContext } from '../../pages/layout.js';
import { copyScriptPath } from '../../pages/paths.js';
import type { UserProfile } from '../../records/account-records.js';
import { readCredentials } from '../operations/credentials.js';
import { contentSecurityPolicy } from '../operations/headers.js';
import { redirect } from '../response.js';
import { postedText } from './csrf.js';
import type { WebContext } from './web.js';
import { isStorageError } from './web-responses.js';

/** A new token on its way from the response that minted it to the page that shows it. */
type Carried = Pick<MintedToken, 'name' | 'token'>;

const cookieName = 'minted';

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

/** The routes of `/settings/api-tokens`, for a user who is signed in by cookie. */
export const addApiTokens = ({ forUsers, asset, accounts, responses, visitor }: WebContext): void => {
  const list = listApiTokens(accounts);
  const now = (user: UserProfile): Timestamp => timestampAt(accounts.clock(user.id));

  const pageIn = (context: PageContext, user: UserProfile, shown: Partial<ApiTokensView>): Html => {
    const facts = { now: now(user), isShared: accounts.isPublished(user.id) };
    return apiTokensPage(context, { tokens: [], minted: null, message: null, name: '', ...facts, ...shown });
  };

  const pageAfter =
    (user: UserProfile, shown: Partial<ApiTokensView> = {}) =>
    async (context: PageContext, message: string, failure: AccountError): Promise<Html> => {
      const listed = isStorageError(failure) ? E.left(failure) : await list({ userId: user.id })();
      return pageIn(context, user, { tokens: E.isRight(listed) ? listed.right : [], message, ...shown });
    };

  const confirmation = async (ctx: Context, user: UserProfile, tokens: readonly ListedToken[]) => {
    const failed = (failure: AccountError) => responses.failure(ctx, failure, pageAfter(user));
    if (accounts.isPublished(user.id)) return failed({ _tag: 'AccountPublished', wish: 'revoke API tokens' });
    const token = tokens.find(({ id }) => id === ctx.query.revoke);
    if (token === undefined) return failed({ _tag: 'ApiTokenNotFound' });
    // A token that is no longer valid needs no question: the list says so.
    return tokenState(token, now(user)) === 'active'
      ? responses.page(ctx, (context) => revokePage(context, token))
      : redirect('/settings/api-tokens');
  };

  asset(copyScriptPath, 'copy.js');

  forUsers.get('/settings/api-tokens', async (ctx, user) => {
    const tokens = await list({ userId: user.id })();
    if (E.isRight(tokens)) {
      if (responses.prefersJson(ctx)) return responses.json(ctx, 200, ListedTokens, tokens.right);
      if (ctx.query.revoke !== undefined) return confirmation(ctx, user, tokens.right);
    }
    // A HEAD request shows no token, so it must not use up the only time that the token is shown.
    const minted = ctx.method === 'GET' && !responses.prefersJson(ctx) ? takeMinted(ctx) : null;
    const shown = E.isLeft(tokens)
      ? await responses.failure(ctx, tokens.left, pageAfter(user, { minted }))
      : await responses.page(ctx, (context) => pageIn(context, user, { tokens: tokens.right, minted }));
    return minted === null ? shown : { ...shown, headers: { ...shown.headers, ...withScript } };
  });

  forUsers.postForm('/settings/api-tokens', (ctx, user) =>
    responses.outcome(
      ctx,
      mintApiToken(accounts)({ userId: user.id }, ctx.request.body, visitor(ctx)),
      (minted) => {
        if (responses.prefersJson(ctx)) return responses.json(ctx, 201, MintedToken, minted);
        // The page that shows the token is another request, so that reloading it mints no second token.
        carryMinted(ctx, minted);
        return redirect('/settings/api-tokens');
      },
      pageAfter(user, { name: postedText(ctx, 'name') }),
    ),
  );

  forUsers.post('/settings/api-tokens/:id/revoke', (ctx, user) =>
    responses.outcome(
      ctx,
      revokeApiToken(accounts)({ userId: user.id }, ctx.params.id ?? '', visitor(ctx)),
      () => responses.done(ctx, '/settings/api-tokens'),
      pageAfter(user),
    ),
  );
};
