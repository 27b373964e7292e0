import type Router from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import type { Context } from 'koa';
import type { AccountDependencies } from '../../accounts/dependencies.js';
import type { Log } from '../../common/log.js';
import { operations } from '../../contract/operations.js';
import type { PageContext, ServerMode } from '../../pages/layout.js';
import { stylesheetPath } from '../../pages/layout.js';
import { type DemoAccount, startPage } from '../../pages/start-page.js';
import { stylesheet } from '../../pages/stylesheet.js';
import type { Storage } from '../../storage/port.js';
import type { IsAllowedOrigin } from '../allowed-origins.js';
import { addApiTokens } from './api-tokens-route.js';
import { addDocs, type SwaggerUi } from './docs-route.js';
import { addLogIn } from './log-in-route.js';
import { readBody } from './read-body.js';
import { refuseCrossSite } from './refuse-cross-site.js';
import { addSignUp } from './sign-up-route.js';
import { signedInUser } from './signed-in-user.js';
import { webAnswers } from './web-answers.js';

export type WebDependencies = Readonly<{
  accounts: AccountDependencies;
  storage: Storage;
  log: Log;
  isAllowedOrigin: IsAllowedOrigin;
  mode: ServerMode;
  demoAccounts: () => readonly DemoAccount[];
  swaggerUi: SwaggerUi;
}>;

/** The web flows and their pages: what v1 is not, but a session has to come from somewhere. */
export const addWeb = (router: Router, dependencies: WebDependencies): void => {
  const { accounts, storage, log, isAllowedOrigin, mode, demoAccounts, swaggerUi } = dependencies;
  const who = signedInUser({ storage, clock: accounts.clock });
  const isCutOff = new WeakSet<Context>();
  // A page that does not need to know who looks is shown even where the storage cannot tell.
  const frameFor = async (ctx: Context): Promise<PageContext> => {
    if (isCutOff.has(ctx)) return { user: null, mode };
    const user = await who(ctx)();
    return { user: E.isRight(user) ? user.right : null, mode };
  };
  const answers = webAnswers(frameFor, (ctx) => isCutOff.add(ctx), log);
  const web = {
    accounts,
    answers,
    who,
    frameFor,
    guard: refuseCrossSite(isAllowedOrigin, answers),
    body: readBody(answers),
  };

  router.get('/', async (ctx) =>
    answers.page(ctx, 200, startPage(await frameFor(ctx), Object.values(operations), demoAccounts())),
  );
  router.get(stylesheetPath, (ctx) => {
    ctx.type = 'text/css; charset=utf-8';
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = stylesheet;
  });
  addDocs(router, web, swaggerUi);
  addLogIn(router, web);
  addSignUp(router, web);
  addApiTokens(router, web);
};
