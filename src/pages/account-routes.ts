import * as E from '#fp-ts/Either';
import type { AccountError } from '../accounts/account-flow.js';
import type { UserProfile } from '../accounts/account-records.js';
import { SignedIn } from '../accounts/forms.js';
import { signUp } from '../accounts/log-in-and-sign-up.js';
import {
  changePassword,
  deleteAccount,
  type ListedToken,
  ListedTokens,
  MintedToken,
  mintApiToken,
  revokeApiToken,
} from '../accounts/own-account.js';
import { hashSecret } from '../api/credentials.js';
import { contentSecurityPolicy } from '../api/headers.js';
import { queryValue, type ServiceRequest } from '../api/request.js';
import { type Reply, withHeaders } from '../api/response.js';
import { type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import {
  type ApiTokensView,
  accountPage,
  apiTokensPage,
  revokePage,
  signUpPage,
  tokenState,
} from './account-pages.js';
import type { Html } from './html.js';
import type { PageContext, Refusal } from './layout.js';
import { requestedNext } from './log-in.js';
import { copyScriptPath } from './paths.js';
import { postedText } from './posts.js';
import type { LocalPath } from './return-path.js';
import type { PageRow, UserAnswer } from './rows.js';
import type { WebContext } from './web.js';
import { isStorageError } from './web-responses.js';

export const signUpRows = ({ get, accounts, responses, visitor }: WebContext): readonly PageRow[] => {
  const pageFor =
    (posted: object, next: LocalPath | null) =>
    (context: PageContext, refusal?: Refusal): Html => {
      const entered = (field: string): string => postedText(posted, field);
      return signUpPage(context, { entered, next, refusal, personas: accounts.personas() });
    };

  return [
    get('/signup', (request) => responses.page(request, pageFor({}, requestedNext(request, responses)))),
    {
      method: 'POST',
      path: '/signup',
      who: 'everyone',
      posts: 'form',
      answer: (request, { posted }) => {
        const next = responses.pathToReturnTo(postedText(posted, 'next'));
        return responses.outcome(
          request,
          signUp(accounts)(posted, visitor(request)),
          (started) => responses.signedIn(request, started, next),
          pageFor(posted, next),
        );
      },
    },
  ];
};

/** The rows of `/settings/account`, for a user who is signed in by cookie; `/settings` leads there. */
export const accountRows = ({ get, accounts, responses, visitor }: WebContext): readonly PageRow[] => {
  const pageFor =
    ({ id }: UserProfile, isChanged = false) =>
    (context: PageContext, refusal?: Refusal): Html =>
      accountPage(context, { refusal, isChanged, isShared: accounts.isPublished(id) });

  const form = { method: 'POST', who: 'users', posts: 'form' } as const;
  return [
    get('/settings', async () => responses.redirectToOwn('/settings/account')),
    {
      method: 'GET',
      path: '/settings/account',
      who: 'users',
      answer: async (request, user) => {
        if (responses.prefersJson(request)) return responses.json(request, 200, SignedIn, { user });
        const isChanged = queryValue(request, 'password') === 'changed';
        return responses.page(request, pageFor(user, isChanged));
      },
    },
    {
      ...form,
      path: '/settings/account/password',
      answer: (request, user, { posted }) =>
        responses.outcome(
          request,
          changePassword(accounts)(user, posted, visitor(request)),
          ({ sessionValue: session }) => ({
            ...responses.done(request, '/settings/account?password=changed'),
            session,
          }),
          pageFor(user),
        ),
    },
    {
      ...form,
      path: '/settings/account/delete',
      answer: (request, user, { posted }) =>
        responses.outcome(
          request,
          deleteAccount(accounts)(user, posted, visitor(request)),
          () => ({ ...responses.done(request, '/login?account=deleted'), session: null }),
          pageFor(user),
        ),
    },
  ];
};

/**
 * What the form sends along to be good for one token: it is another one as soon as there is a new token.
 * Otherwise a reload of the page that shows a new token would mint the next one.
 */
const formValueAfter = (tokens: readonly ListedToken[]): string =>
  hashSecret(
    tokens
      .map(({ id }) => id)
      .toSorted()
      .join(' '),
  );

/** A page with a new token also has the script that copies it. */
const withScript = { 'Content-Security-Policy': contentSecurityPolicy("script-src 'self'") };

/** The rows of `/settings/api-tokens`, for a user who is signed in by cookie. */
export const apiTokenRows = ({ asset, accounts, responses, visitor }: WebContext): readonly PageRow[] => {
  const list = accounts.storage.apiTokens;
  const now = (user: UserProfile): Timestamp => timestampAt(accounts.clock(user.id));

  const pageIn = (context: PageContext, user: UserProfile, shown: Partial<ApiTokensView>): Html => {
    const formValue = shown.tokens === undefined ? '' : formValueAfter(shown.tokens);
    const facts = { now: now(user), isShared: accounts.isPublished(user.id), formValue };
    const nothing = { tokens: [], minted: null, name: '', api: '' };
    return apiTokensPage(context, { ...nothing, ...facts, ...shown });
  };

  const pageAfter =
    (user: UserProfile, shown: Partial<ApiTokensView> = {}) =>
    async (context: PageContext, refusal: Refusal, failure: AccountError): Promise<Html> => {
      const listed = isStorageError(failure) ? E.left(failure) : await list({ userId: user.id });
      return pageIn(context, user, { ...(E.isRight(listed) && { tokens: listed.right }), refusal, ...shown });
    };

  const confirmation = async (
    request: ServiceRequest,
    user: UserProfile,
    tokens: readonly ListedToken[],
    tokenId: string,
  ) => {
    const failed = (failure: AccountError) => responses.failure(request, failure, pageAfter(user));
    if (accounts.isPublished(user.id)) return failed({ _tag: 'AccountPublished', wish: 'revoke API tokens' });
    const token = tokens.find(({ id }) => id === tokenId);
    if (token === undefined) return failed({ _tag: 'ApiTokenNotFound' });
    // A token that is no longer valid needs no question: the list says so.
    return tokenState(token, now(user)) === 'active'
      ? responses.page(request, (context) => revokePage(context, token))
      : responses.redirectToOwn('/settings/api-tokens');
  };

  const showList = (
    request: ServiceRequest,
    user: UserProfile,
    tokens: Awaited<ReturnType<typeof list>>,
    minted: MintedToken | null,
  ): Promise<Reply> =>
    E.isLeft(tokens)
      ? responses.failure(request, tokens.left, pageAfter(user, { minted }))
      : responses.page(request, (context) => {
          const api = `${request.origin}${responses.basePath}`;
          return pageIn(context, user, { tokens: tokens.right, minted, api });
        });

  const show: UserAnswer = async (request, user) => {
    const tokens = await list({ userId: user.id });
    if (E.isRight(tokens)) {
      if (responses.prefersJson(request)) return responses.json(request, 200, ListedTokens, tokens.right);
      if (new URLSearchParams(request.querystring).has('revoke'))
        return confirmation(request, user, tokens.right, queryValue(request, 'revoke') ?? '');
    }
    return showList(request, user, tokens, null);
  };

  const mint: UserAnswer = async (request, user, { posted }) => {
    const formValue = postedText(posted, 'formValue');
    const earlier = formValue === '' ? null : await list({ userId: user.id });
    if (earlier !== null && E.isRight(earlier) && formValueAfter(earlier.right) !== formValue)
      return responses.redirectToOwn('/settings/api-tokens');
    return responses.outcome(
      request,
      mintApiToken(accounts)({ userId: user.id }, posted, visitor(request)),
      async (minted) =>
        responses.prefersJson(request)
          ? responses.json(request, 201, MintedToken, minted)
          : withHeaders(await showList(request, user, await list({ userId: user.id }), minted), withScript),
      pageAfter(user, { name: postedText(posted, 'name') }),
    );
  };

  const revoke: UserAnswer = (request, user, { params }) =>
    responses.outcome(
      request,
      revokeApiToken(accounts)({ userId: user.id }, params.id ?? '', visitor(request)),
      () => responses.done(request, '/settings/api-tokens'),
      pageAfter(user),
    );

  const path = '/settings/api-tokens';
  return [
    asset(copyScriptPath, 'copy.js'),
    { method: 'GET', path, who: 'users', answer: show },
    { method: 'POST', path, who: 'users', posts: 'form', answer: mint },
    { method: 'POST', path: `${path}/:id/revoke`, who: 'users', posts: 'nothing', answer: revoke },
  ];
};
