import type { Context, Middleware } from 'koa';
import type { AccountDependencies } from '../../accounts/dependencies.js';
import type { PageContext } from '../../pages/layout.js';
import type { SignedInUser } from './signed-in-user.js';
import type { WebAnswers } from './web-answers.js';

/** What the routes of the web flows share. */
export type WebContext = Readonly<{
  accounts: AccountDependencies;
  answers: WebAnswers;
  who: SignedInUser;
  frameFor: (ctx: Context) => Promise<PageContext>;
  /** Refuses posts from other sites. */
  guard: Middleware;
  /** Reads the body of a post. */
  body: Middleware;
}>;
