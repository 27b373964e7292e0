import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../accounts/account-flow.js';
import { type DemoAccounts, noDemoAccounts } from '../accounts/demo-rows.js';
import { CurrentSession, SignedIn } from '../accounts/forms.js';
import { demoLogIn, logIn, logOut, signUp } from '../accounts/log-in-and-sign-up.js';
import {
  changePassword,
  deleteAccount,
  type ListedToken,
  ListedTokens,
  MintedToken,
  mintApiToken,
  revokeApiToken,
} from '../accounts/own-account.js';
import { hashSecret, sessionExpiry } from '../accounts/sessions-and-tokens.js';
import { type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import {
  type ApiTokensView,
  accountPage,
  apiTokensPage,
  type LogInView,
  logInPage,
  type OfferedAccounts,
  revokePage,
  signUpPage,
  tokenState,
} from './account-pages.js';
import type { Html } from './html.js';
import type { PageContext } from './layout.js';
import { copyScriptPath, demoLogInPath, withNext } from './paths.js';
import type { UserProfile } from '../records/account-records.js';
import type { AppDependencies } from '../http/app.js';
import { readCredentials } from '../protocol/credentials.js';
import { failureResponse } from '../protocol/failures.js';
import { contentSecurityPolicy } from '../protocol/headers.js';
import { type LocalPath, returnPath } from '../service/routes.js';
import { redirect } from '../http/write-response.js';
import { localReferrer, postedText } from './csrf.js';
import { sessionHashOf } from './signed-in-user.js';
import type { WebContext } from './web.js';
import { isStorageError } from './web-responses.js';

/** What a form says that was refused: beside its fields what to enter instead, or above them why. */
type Refusal = Readonly<{ problems: ReadonlyMap<string, string>; message: string | null }>;

const notRefused: Refusal = { problems: new Map(), message: null };

const refusalOf = (failure: AccountError, message: string): Refusal => {
  if (failure._tag !== 'InvalidForm') return { ...notRefused, message };
  const problems = failure.problems.map(
    (each) => [each.path.join('/'), `Enter ${each.expected ?? each.message}.`] as const,
  );
  return { problems: new Map(problems), message: 'Please correct the highlighted fields.' };
};

/** Where a login shall lead: what the link to it says, or else back to the page with the link. */
const requestedNext = (ctx: Context): LocalPath | null => returnPath(ctx.query.next ?? localReferrer(ctx));

export const addSignUp = ({ get, postForm, accounts, responses, visitor }: WebContext): void => {
  const pageFor =
    (ctx: Context, next: LocalPath | null) =>
    (context: PageContext, { problems, message }: Refusal = notRefused): Html => {
      const posted = (field: string): string => postedText(ctx, field);
      const form = { email: posted('email'), name: posted('name'), persona: posted('persona') };
      return signUpPage(context, { ...form, next, problems }, message, accounts.personas());
    };

  get('/signup', (ctx) => responses.page(ctx, pageFor(ctx, requestedNext(ctx))));

  postForm('/signup', (ctx) => {
    const next = returnPath(postedText(ctx, 'next'));
    return responses.outcome(
      ctx,
      signUp(accounts)(ctx.request.body, visitor(ctx)),
      (started) => responses.signedIn(ctx, started, next ?? '/'),
      (context, message, failure) => pageFor(ctx, next)(context, refusalOf(failure, message)),
    );
  });
};

/** The routes of `/settings/account`, for a user who is signed in by cookie; `/settings` leads there. */
export const addAccount = ({ get, forUsers, accounts, responses, visitor }: WebContext): void => {
  const pageIn = (context: PageContext, { id }: UserProfile, refusal: Refusal, isChanged = false): Html =>
    accountPage(context, { ...refusal, isChanged, isShared: accounts.isPublished(id) });

  const pageAfter = (user: UserProfile) => (context: PageContext, message: string, failure: AccountError) =>
    pageIn(context, user, refusalOf(failure, message));

  get('/settings', async () => redirect('/settings/account'));

  forUsers.get('/settings/account', async (ctx, user) => {
    if (responses.prefersJson(ctx)) return responses.json(ctx, 200, SignedIn, { user });
    const isChanged = ctx.query.password === 'changed';
    return responses.page(ctx, (context) => pageIn(context, user, notRefused, isChanged));
  });

  forUsers.postForm('/settings/account/password', (ctx, user) =>
    responses.outcome(
      ctx,
      changePassword(accounts)(user, ctx.request.body, visitor(ctx)),
      ({ sessionValue: session }) => ({
        ...responses.done(ctx, '/settings/account?password=changed'),
        session,
      }),
      pageAfter(user),
    ),
  );

  forUsers.postForm('/settings/account/delete', (ctx, user) =>
    responses.outcome(
      ctx,
      deleteAccount(accounts)(user, ctx.request.body, visitor(ctx)),
      () => ({ ...responses.done(ctx, '/login?account=deleted'), session: null }),
      pageAfter(user),
    ),
  );
};

/**
 * Which demo accounts a visitor is offered. Those of the package are open to everyone, others to visitors on
 * this machine; to the rest they are shown only with their passwords, as `--show-passwords` demands.
 */
export const offers = ({ demoAccounts, isLocal }: Pick<AppDependencies, 'demoAccounts' | 'isLocal'>) => {
  const isOpenTo = (ctx: Context, { areShipped }: DemoAccounts): boolean => areShipped || isLocal(ctx.req);
  return {
    /** Those that a page shows; `next`: where to return to after a login. */
    offeredOn: (ctx: Context, { user }: PageContext, next: string | null): OfferedAccounts => {
      const accounts = demoAccounts();
      const isOpen = isOpenTo(ctx, accounts);
      const isUsable = isOpen || accounts.shown.every(({ password }) => password !== null);
      const { shown, total } = isUsable ? accounts : noDemoAccounts;
      return { shown, total, isOpen, next, current: user?.email ?? null };
    },
    /** Finds one that the visitor may log in to without a password. */
    findFor: (ctx: Context): DemoAccounts['find'] => {
      const accounts = demoAccounts();
      return (isOpenTo(ctx, accounts) ? accounts : noDemoAccounts).find;
    },
  };
};

export type Offers = ReturnType<typeof offers>;

export const addLogIn = (web: WebContext): void => {
  const { get, post, postForm, accounts, responses, visitor, offers, signedInUser } = web;
  const expiryOf = sessionExpiry(accounts);

  const pageFor =
    (ctx: Context, view: Partial<LogInView>) =>
    (context: PageContext, message: string | null = null): Html => {
      const demoAccounts = offers.offeredOn(ctx, context, view.next ?? null);
      return logInPage(context, { email: '', message, ...view, demoAccounts });
    };

  get('/login', (ctx) => {
    const done = ctx.query.account === 'deleted' ? 'Your account has been deleted.' : null;
    // The previous page showed the account that has been deleted, so nothing leads back to it.
    const next = done === null ? requestedNext(ctx) : null;
    return responses.page(ctx, pageFor(ctx, { done, next }));
  });

  postForm('/login', (ctx) => {
    const next = returnPath(postedText(ctx, 'next'));
    return responses.outcome(
      ctx,
      logIn(accounts)(ctx.request.body, visitor(ctx)),
      (started) => responses.signedIn(ctx, started, next ?? '/'),
      pageFor(ctx, { email: postedText(ctx, 'email'), next }),
    );
  });

  postForm(demoLogInPath, (ctx) => {
    const next = returnPath(postedText(ctx, 'next'));
    return responses.outcome(
      ctx,
      demoLogIn(accounts)(ctx.request.body, offers.findFor(ctx), visitor(ctx)),
      (started) => responses.signedIn(ctx, started, next ?? '/'),
      pageFor(ctx, { next }),
    );
  });

  post('/logout', async (ctx) => {
    const page = withNext('/login', returnPath(ctx.query.next));
    const ended = await logOut(accounts)(visitor(ctx));
    if (E.isRight(ended)) return { ...responses.done(ctx, page), session: null };
    const failure = ended.left;
    if (failure._tag !== 'AccountPublished') return responses.failure(ctx, failure, pageFor(ctx, {}));
    // A shared session goes on for others, but this visitor has left it.
    return { ...(responses.prefersJson(ctx) ? failureResponse(failure) : redirect(page)), session: null };
  });

  // Always JSON: a front end cannot learn it from v1 or from the cookie, which scripts cannot read.
  get('/session', async (ctx) => {
    const user = await signedInUser(ctx);
    if (E.isLeft(user)) return responses.jsonFailure(ctx, user.left);
    const session = sessionHashOf(ctx);
    if (session === null) return failureResponse({ _tag: 'Unauthorized' });
    const expiresAt = await expiryOf(session, user.right.id);
    return E.isLeft(expiresAt)
      ? responses.jsonFailure(ctx, expiresAt.left)
      : responses.json(ctx, 200, CurrentSession, { user: user.right, expiresAt: expiresAt.right });
  });
};

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
  const list = accounts.storage.apiTokens;
  const now = (user: UserProfile): Timestamp => timestampAt(accounts.clock(user.id));

  const pageIn = (context: PageContext, user: UserProfile, shown: Partial<ApiTokensView>): Html => {
    const facts = { now: now(user), isShared: accounts.isPublished(user.id) };
    return apiTokensPage(context, { tokens: [], minted: null, message: null, name: '', ...facts, ...shown });
  };

  const pageAfter =
    (user: UserProfile, shown: Partial<ApiTokensView> = {}) =>
    async (context: PageContext, message: string, failure: AccountError): Promise<Html> => {
      const listed = isStorageError(failure) ? E.left(failure) : await list({ userId: user.id });
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
    const tokens = await list({ userId: user.id });
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
