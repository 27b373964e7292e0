import type { Middleware } from 'koa';
import type { AccountDependencies } from '../../accounts/dependencies.js';
import type { SignedInUser } from './signed-in-user.js';
import type { WebResponses } from './web-responses.js';

/** What the routes of the web flows share. */
export type WebContext = Readonly<{
  accounts: AccountDependencies;
  responses: WebResponses;
  signedInUser: SignedInUser;
  /** Refuses posts from other sites. */
  guard: Middleware;
  /** Parses the body of a post. */
  body: Middleware;
}>;
