import type Router from '@koa/router';
import type { AccountDependencies } from '../../accounts/dependencies.js';
import type { SecurityEvent } from '../../accounts/security-event.js';
import type { Keep } from '../../common/kept-values.js';
import type { Log } from '../../common/log.js';
import { operations } from '../../contract/operations.js';
import { type ReadAsset, stylesheetPath } from '../../pages/paths.js';
import { startPage } from '../../pages/start-page.js';
import type { Storage } from '../../storage/port.js';
import type { IsAllowedOrigin } from '../allowed-origins.js';
import { respond } from '../response.js';
import { addAccount } from './account-route.js';
import { addApiTokens } from './api-tokens-route.js';
import { addDocs } from './docs-route.js';
import { addExplore, type ExploreDependencies } from './explore.js';
import { addLogIn } from './log-in-route.js';
import type { Offers } from './offered-accounts.js';
import { readBody } from './read-body.js';
import { refuseCrossSite } from './refuse-cross-site.js';
import { addSession } from './session-route.js';
import { addSignUp } from './sign-up-route.js';
import type { SignedInUser } from './signed-in-user.js';
import { visitorOf } from './visitor.js';
import type { WebContext } from './web-context.js';
import type { WebResponses } from './web-responses.js';

export type WebDependencies = Readonly<{
  accounts: AccountDependencies;
  storage: Storage;
  log: Log;
  onSecurityEvent: (event: SecurityEvent) => void;
  isAllowedOrigin: IsAllowedOrigin;
  offers: Offers;
  signedInUser: SignedInUser;
  responses: WebResponses;
  readAsset: ReadAsset;
  /** Whether there are mock controls. */
  hasControls: boolean;
  /** Whether there is an explorer. */
  explorer: boolean;
  /** Refuse unknown query parameters, as the API then does. */
  strict: boolean;
  /** What the script of the explorer asks for. */
  changes: ExploreDependencies['changes'];
  maySeeFiles: ExploreDependencies['maySeeFiles'];
  /** Has room for what the explorer renders. */
  keep: Keep;
}>;

/**
 * The web flows and their pages. They are not part of v1, but sessions and tokens have to come from
 * somewhere.
 */
export const addWeb = (router: Router, dependencies: WebDependencies): void => {
  const { accounts, storage, log, isAllowedOrigin, readAsset, explorer } = dependencies;
  const { offers, signedInUser, responses } = dependencies;
  const visitor = visitorOf(log, dependencies.onSecurityEvent);
  const web: WebContext = {
    accounts,
    readAsset,
    responses,
    signedInUser,
    visitor,
    offers,
    guard: refuseCrossSite(isAllowedOrigin, responses, visitor),
    body: readBody(responses),
  };

  router.get(
    '/',
    respond((ctx) =>
      responses.page(ctx, 200, (context) =>
        startPage(context, Object.values(operations), offers.offeredOn(ctx, context, null)),
      ),
    ),
  );
  const stylesheet = readAsset('style.css');
  router.get(stylesheetPath, (ctx) => {
    ctx.type = 'text/css; charset=utf-8';
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = stylesheet;
  });
  addDocs(router, web, dependencies.hasControls);
  addLogIn(router, web);
  addSignUp(router, web);
  addSession(router, web);
  addApiTokens(router, web);
  addAccount(router, web);
  if (explorer) {
    const { strict, keep, changes, maySeeFiles } = dependencies;
    addExplore(router, {
      ...web,
      storage,
      clock: accounts.clock,
      log,
      strict,
      keep,
      changes,
      maySeeFiles,
    });
  }
};
