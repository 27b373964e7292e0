import type Router from '@koa/router';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../../accounts/account-flow.js';
import { SignedIn, signUp } from '../../accounts/log-in-and-sign-up.js';
import { changePassword, deleteAccount } from '../../accounts/own-account.js';
import { accountPage } from '../../pages/account-pages.js';
import { type SignUpFormState, signUpPage } from '../../pages/log-in-pages.js';
import type { UserProfile } from '../../records/account-records.js';
import { type OutgoingResponse, redirect, respond } from '../response.js';
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
      responses.page(ctx, 200, (context) => signUpPage(context, emptyForm, null, accounts.personas())),
    ),
  );

  router.post(
    '/signup',
    guard,
    body,
    respond(async (ctx) => {
      const started = await start(ctx.request.body, visitor(ctx))();
      if (E.isLeft(started)) {
        const form = formWith(ctx.request.body, started.left);
        return responses.failure(ctx, started.left, (context, message) =>
          signUpPage(context, form, formMessage(form.problems, message), accounts.personas()),
        );
      }
      const { user, sessionValue } = started.right;
      const response = prefersJson(ctx) ? responses.json(ctx, 200, SignedIn, { user }) : redirect('/');
      return { ...response, session: sessionValue };
    }),
  );
};

const emptyForm: SignUpFormState = { email: '', name: '', persona: '', problems: new Map() };

/** The form as it was posted, with what to enter instead beside the fields that were refused. */
const formWith = (posted: unknown, error: AccountError): SignUpFormState => {
  const { email, name, persona } = Object(posted);
  return {
    email: typeof email === 'string' ? email : '',
    name: typeof name === 'string' ? name : '',
    persona: typeof persona === 'string' ? persona : '',
    problems: fieldProblems(error),
  };
};

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
        : responses.page(ctx, 200, (context) =>
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
      const response = prefersJson(ctx) ? { status: 204 } : redirect('/settings/account?password=changed');
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
      return { ...(prefersJson(ctx) ? { status: 204 } : redirect('/login?account=deleted')), session: null };
    }),
  );
};
