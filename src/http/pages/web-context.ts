import type { Context, Middleware } from 'koa';
import type { AccountDependencies } from '../../accounts/dependencies.js';
import type { Visitor } from '../../accounts/visitor.js';
import type { ReadAsset } from '../../pages/paths.js';
import type { Offers } from './offered-accounts.js';
import type { SignedInUser } from './signed-in-user.js';
import type { WebResponses } from './web-responses.js';

/** What the routes of the web flows share. */
export type WebContext = Readonly<{
  accounts: AccountDependencies;
  responses: WebResponses;
  signedInUser: SignedInUser;
  readAsset: ReadAsset;
  /** Who sends a request. */
  visitor: (ctx: Context) => Visitor;
  /** Which demo accounts a visitor is offered. */
  offers: Offers;
  /** Refuses posts from other sites. */
  guard: Middleware;
  /** Parses the body of a post. */
  body: Middleware;
}>;
