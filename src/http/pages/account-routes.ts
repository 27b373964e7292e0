import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../../accounts/account-flow.js';
import { SignedIn } from '../../accounts/forms.js';
import { signUp } from '../../accounts/log-in-and-sign-up.js';
import { changePassword, deleteAccount } from '../../accounts/own-account.js';
import { accountPage } from '../../pages/account-pages.js';
import type { Html } from '../../pages/html.js';
import type { PageContext } from '../../pages/layout.js';
import { signUpPage } from '../../pages/log-in-pages.js';
import type { UserProfile } from '../../records/account-records.js';
import type { OutgoingResponse } from '../response.js';
import { postedText } from './csrf.js';
import type { WebContext } from './web.js';
import { userRoutes } from './web-responses.js';

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

export const addSignUp = ({ get, postForm, accounts, responses, visitor }: WebContext): void => {
  const pageIn = (ctx: Context, context: PageContext, { problems, message }: Refusal): Html => {
    const posted = (field: string): string => postedText(ctx, field);
    const form = { email: posted('email'), name: posted('name'), persona: posted('persona'), problems };
    return signUpPage(context, form, message, accounts.personas());
  };

  get('/signup', (ctx) => responses.page(ctx, (context) => pageIn(ctx, context, notRefused)));

  postForm('/signup', async (ctx) => {
    const started = await signUp(accounts)(ctx.request.body, visitor(ctx))();
    if (E.isRight(started)) return responses.signedIn(ctx, started.right, '/');
    const failure = started.left;
    return responses.failure(ctx, failure, (context, message) =>
      pageIn(ctx, context, refusalOf(failure, message)),
    );
  });
};

/** The routes of `/settings/account`, for a user who is signed in by cookie. */
export const addAccount = (web: WebContext): void => {
  const { accounts, responses, visitor } = web;
  const { get, postForm } = userRoutes(web);

  const pageIn = (context: PageContext, { id }: UserProfile, refusal: Refusal, isChanged = false): Html =>
    accountPage(context, { ...refusal, isChanged, isShared: accounts.isPublished(id) });

  const failed = (ctx: Context, user: UserProfile, failure: AccountError): Promise<OutgoingResponse> =>
    responses.failure(ctx, failure, (context, message) => pageIn(context, user, refusalOf(failure, message)));

  get('/settings/account', async (ctx, user) => {
    if (responses.prefersJson(ctx)) return responses.json(ctx, 200, SignedIn, { user });
    const isChanged = ctx.query.password === 'changed';
    return responses.page(ctx, (context) => pageIn(context, user, notRefused, isChanged));
  });

  postForm('/settings/account/password', async (ctx, user) => {
    const changed = await changePassword(accounts)(user, ctx.request.body, visitor(ctx))();
    if (E.isLeft(changed)) return failed(ctx, user, changed.left);
    const response = responses.done(ctx, '/settings/account?password=changed');
    return { ...response, session: changed.right.sessionValue };
  });

  postForm('/settings/account/delete', async (ctx, user) => {
    const removed = await deleteAccount(accounts)(user, ctx.request.body, visitor(ctx))();
    if (E.isLeft(removed)) return failed(ctx, user, removed.left);
    return { ...responses.done(ctx, '/login?account=deleted'), session: null };
  });
};
