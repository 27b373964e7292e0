import type Router from '@koa/router';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../../accounts/account-error.js';
import { changePassword } from '../../accounts/change-password.js';
import { deleteAccount } from '../../accounts/delete-account.js';
import { SignedIn } from '../../accounts/response-codecs.js';
import { signUp } from '../../accounts/sign-up.js';
import { accountPage } from '../../pages/account-page.js';
import { type SignUpFormState, signUpPage } from '../../pages/sign-up-page.js';
import type { UserProfile } from '../../records/user.js';
import { type OutgoingResponse, respond } from '../response.js';
import { postedText } from './csrf.js';
import type { WebContext } from './web.js';
import { prefersJson, requireUser } from './web-responses.js';

/** What to enter instead in each field of a form that was refused; empty for every other failure. */
const fieldProblems = (error: AccountError): ReadonlyMap<string, string> =>
  new Map(
    error._tag === 'InvalidForm'
      ? error.problems.map(({ path, expected, message }) => [path.join('/'), `Enter ${expected ?? message}.`])
      : [],
  );

/** The message above a form: which fields to correct is said beside them. */
const formMessage = (problems: ReadonlyMap<string, string>, message: string): string =>
  problems.size > 0 ? 'Please correct the highlighted fields.' : message;

/** `GET` and `POST /signup`. */
export const addSignUp = (
  router: Router,
  { accounts, responses, visitor, guard, body }: WebContext,
): void => {
  const start = signUp(accounts);

  router.get(
    '/signup',
    respond((ctx) =>
      responses.page(ctx, (context) => signUpPage(context, emptyForm, null, accounts.personas())),
    ),
  );

  router.post(
    '/signup',
    guard,
    body,
    respond(async (ctx) => {
      const started = await start(ctx.request.body, visitor(ctx))();
      if (E.isRight(started)) return responses.signedIn(ctx, started.right, '/');
      const problems = fieldProblems(started.left);
      return responses.failure(ctx, started.left, (context, message) =>
        signUpPage(
          context,
          {
            email: postedText(ctx, 'email'),
            name: postedText(ctx, 'name'),
            persona: postedText(ctx, 'persona'),
            problems,
          },
          formMessage(problems, message),
          accounts.personas(),
        ),
      );
    }),
  );
};

const emptyForm: SignUpFormState = { email: '', name: '', persona: '', problems: new Map() };

/**
 * `GET /settings/account`, `POST /settings/account/password` and `POST /settings/account/delete`, for a user
 * who is signed in by cookie.
 */
export const addAccount = (router: Router, web: WebContext): void => {
  const { accounts, responses, visitor, guard, body } = web;
  const signedIn = requireUser(web);
  const change = changePassword(accounts);
  const remove = deleteAccount(accounts);

  const failed = (ctx: Context, { id }: UserProfile, failure: AccountError): Promise<OutgoingResponse> => {
    const problems = fieldProblems(failure);
    return responses.failure(ctx, failure, (context, message) =>
      accountPage(context, {
        problems,
        message: formMessage(problems, message),
        isChanged: false,
        isShared: accounts.isPublished(id),
      }),
    );
  };

  router.get(
    '/settings/account',
    signedIn(async (ctx, user) =>
      prefersJson(ctx)
        ? responses.json(ctx, 200, SignedIn, { user })
        : responses.page(ctx, (context) =>
            accountPage(context, {
              problems: new Map(),
              message: null,
              isChanged: ctx.query.password === 'changed',
              isShared: accounts.isPublished(user.id),
            }),
          ),
    ),
  );

  router.post(
    '/settings/account/password',
    guard,
    body,
    signedIn(async (ctx, user) => {
      const changed = await change(user, ctx.request.body, visitor(ctx))();
      if (E.isLeft(changed)) return failed(ctx, user, changed.left);
      const response = responses.done(ctx, '/settings/account?password=changed');
      return { ...response, session: changed.right.sessionValue };
    }),
  );

  router.post(
    '/settings/account/delete',
    guard,
    body,
    signedIn(async (ctx, user) => {
      const removed = await remove(user, ctx.request.body, visitor(ctx))();
      if (E.isLeft(removed)) return failed(ctx, user, removed.left);
      return { ...responses.done(ctx, '/login?account=deleted'), session: null };
    }),
  );
};
