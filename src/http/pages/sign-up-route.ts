import type Router from '@koa/router';
import * as E from '#fp-ts/Either';
import type { AccountError } from '../../accounts/account-error.js';
import { SignedIn } from '../../accounts/response-codecs.js';
import { signUp } from '../../accounts/sign-up.js';
import { type SignUpFormState, signUpPage } from '../../pages/log-in-pages.js';
import { redirect, respond } from '../response.js';
import { fieldProblems, formMessage } from './field-problems.js';
import type { WebContext } from './web-context.js';
import { prefersJson } from './web-responses.js';

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
