import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { AccountDependencies, SecurityEvent, Visitor } from '../../accounts/account-flow.js';
import type { Log } from '../../common/log.js';
import type { Keep } from '../../common/lru.js';
import { operations } from '../../contract/operations.js';
import { docsPaths, type ReadAsset, stylesheetPath } from '../../pages/paths.js';
import { docsPage } from '../../pages/reference-page.js';
import { startPage } from '../../pages/start-page.js';
import type { Storage } from '../../storage/port.js';
import { asset } from '../asset.js';
import type { IsAllowedOrigin } from '../cors.js';
import { respond } from '../response.js';
import { addAccount, addSignUp } from './account-routes.js';
import { addApiTokens } from './api-token-routes.js';
import { readBody, refuseCrossSite } from './csrf.js';
import { addExplore, type ExploreDependencies } from './explorer-routes.js';
import { addLogIn, addSession, type Offers } from './sign-in-routes.js';
import { type SignedInUser, visitorOf } from './signed-in-user.js';
import type { WebResponses } from './web-responses.js';

/** What the routes of the web flows share. */
export type WebContext = Readonly<{
  accounts: AccountDependencies;
  readAsset: ReadAsset;
  responses: WebResponses;
  signedInUser: SignedInUser;
  /** Who sends a request. */
  visitor: (ctx: Context) => Visitor;
  /** Which demo accounts a visitor is offered. */
  offers: Offers;
  /** Refuses posts from other sites. */
  guard: Middleware;
  /** Parses the body of a post. */
  body: Middleware;
}>;

/** The OpenAPI document. What makes it is loaded with the first request for it. */
const document = (hasControls: boolean): Middleware => {
  let loaded: Promise<Middleware> | undefined;
  return async function document(ctx, next) {
    loaded ??= loadDocument(hasControls);
    return (await loaded)(ctx, next);
  };
};

const loadDocument = async (hasControls: boolean): Promise<Middleware> => {
  const { openApiDocument } = await import('../../openapi/document.js');
  const { readExamples } = await import('../../openapi/examples.js');
  return asset('application/json', () => JSON.stringify(openApiDocument(readExamples(), hasControls)));
};

/**
 * `/openapi.json`, and `/docs`: the reference made from it, where a signed-in user can try each operation.
 */
const addDocs = (
  router: Router,
  { readAsset, responses }: Pick<WebContext, 'readAsset' | 'responses'>,
  hasControls: boolean,
): void => {
  router.get(docsPaths.document, document(hasControls));
  router.get(
    docsPaths.page,
    respond((ctx) => responses.page(ctx, 200, (context) => docsPage(context, hasControls))),
  );
  for (const [path, type, name] of [
    [docsPaths.script, 'text/javascript', 'docs.js'],
    [docsPaths.stylesheet, 'text/css', 'docs.css'],
    [docsPaths.swaggerUiScript, 'text/javascript', 'swagger-ui-bundle.js'],
    [docsPaths.swaggerUiStylesheet, 'text/css', 'swagger-ui.css'],
  ] as const) {
    const content = () => readAsset(name);
    router.get(path, asset(`${type}; charset=utf-8`, content));
  }
};

type WebDependencies = Readonly<{
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
