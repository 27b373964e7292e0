import type Router from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import type { AccountError } from '../../accounts/account-error.js';
import { SignedIn } from '../../accounts/response-codecs.js';
import { signUp } from '../../accounts/sign-up.js';
import { type SignUpFormState, signUpPage } from '../../pages/sign-up-page.js';
import { setSessionCookie } from './session-cookie.js';
import { sessionHashOf } from './signed-in-user.js';
import { speaksJson } from './speaks-json.js';
import type { WebContext } from './web-context.js';

/** `GET` and `POST /signup`. */
export const addSignUp = (router: Router, { accounts, answers, frameFor, guard, body }: WebContext): void => {
  const start = signUp(accounts);

  router.get('/signup', async (ctx) => answers.page(ctx, 200, signUpPage(await frameFor(ctx), noTry, null)));

  router.post('/signup', guard, body, async (ctx) => {
    const started = await start(ctx.request.body, ctx.ip, sessionHashOf(ctx))();
    if (E.isLeft(started)) {
      const before = tried(ctx.request.body, started.left);
      return answers.failure(ctx, started.left, async (message) =>
        signUpPage(
          await frameFor(ctx),
          before,
          before.problems.size > 0 ? 'Please mend what is marked below.' : message,
        ),
      );
    }
    const { user, sessionValue } = started.right;
    setSessionCookie(ctx, sessionValue);
    if (speaksJson(ctx)) answers.json(ctx, 200, SignedIn, { user });
    else answers.redirect(ctx, '/');
  });
};

const noTry: SignUpFormState = { email: '', name: '', problems: new Map() };

const tried = (posted: unknown, error: AccountError): SignUpFormState => {
  const { email, name } = Object(posted);
  return {
    email: typeof email === 'string' ? email : '',
    name: typeof name === 'string' ? name : '',
    problems: new Map(
      error._tag === 'InvalidForm'
        ? error.problems.map(({ path, expected }) => [path.join('/'), `Enter ${expected}.`])
        : [],
    ),
  };
};
