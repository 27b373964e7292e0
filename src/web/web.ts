import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import * as E from '#fp-ts/Either';
import {
  type AccountDependencies,
  type SecurityEvent,
  securityEvents,
  type Visitor,
} from '../accounts/account-flow.js';
import type { JsonObject } from '../common/json.js';
import type { Log } from '../common/log.js';
import { operations } from '../contract/operations.js';
import { docsPage, startPage } from './api-pages.js';
import { docsPaths, type ReadAsset, stylesheetPath } from './paths.js';
import type { UserProfile } from '../records/account-records.js';
import { asset } from '../http/compression.js';
import type { IsAllowedOrigin } from '../http/cors.js';
import { addressOf } from '../http/guard.js';
import { requestLog } from '../protocol/request.js';
import { type OutgoingResponse, respond } from '../http/write-response.js';
import { addAccount, addApiTokens, addLogIn, addSignUp, type Offers } from './account-routes.js';
import { readBody, refuseCrossSite } from './csrf.js';
import { addExplore, type ExploreDependencies } from './explorer-routes.js';
import { type SignedInUser, sessionHashOf } from './signed-in-user.js';
import { signIn, type WebResponses } from './web-responses.js';

type AddRoute<Answer> = (path: string, answer: Answer) => void;

/** Adds routes of pages: `postForm` has the body parsed, and posts of other sites are refused. */
type AddRoutes<Answer> = Readonly<Record<'get' | 'post' | 'postForm', AddRoute<Answer>>>;

type Answer = (ctx: Context) => Promise<OutgoingResponse>;
type UserAnswer = (ctx: Context, user: UserProfile) => Promise<OutgoingResponse>;

export type WebContext = AddRoutes<Answer> &
  Readonly<{
    accounts: AccountDependencies;
    responses: WebResponses;
    signedInUser: SignedInUser;
    offers: Offers;
    visitor: (ctx: Context) => Visitor;
    /** The same for users who are signed in by cookie. Others get the login page or, in JSON, a 401. */
    forUsers: AddRoutes<UserAnswer>;
    asset: (path: string, name: Parameters<ReadAsset>[0], caching?: string) => void;
  }>;

/** The visitor who sends a request. Security events go to the log and to `observe`. */
export const visitorOf =
  (log: Log, observe: (event: SecurityEvent) => void) =>
  (ctx: Context): Visitor => {
    const address = addressOf(ctx);
    return {
      address,
      network: addressOf(ctx, 48),
      session: sessionHashOf(ctx),
      // A client that has sent everything may still read; but few do, and logins need not wait for them.
      hasLeft: () => ctx.req.socket.destroyed || ctx.req.socket.readableEnded,
      report: (reported) => {
        const { _tag, ...details } = reported;
        if (reported._tag === 'LoggedIn' || reported._tag === 'SignedUp')
          ctx.state.tenantId = reported.userId;
        const { level, event } = securityEvents[_tag];
        requestLog(log, ctx)(level, event, { ...details, address });
        observe(reported);
      },
    };
  };

/** What the web flows depend on. */
export type WebDependencies = ExploreDependencies &
  Pick<WebContext, 'accounts' | 'offers' | 'responses' | 'signedInUser' | 'visitor'> &
  Readonly<{
    isAllowedOrigin: IsAllowedOrigin;
    /** Reads the style sheets and scripts of the pages. */
    readAsset: ReadAsset;
    hasControls: boolean;
    /** Whether there is an explorer, the pages under `/explore`. */
    explorer: boolean;
  }>;

/** The web flows and their pages: no part of v1, but sessions and tokens have to come from somewhere. */
export const addWeb = (router: Router, dependencies: WebDependencies): WebContext => {
  const { responses, offers, signedInUser, hasControls, readAsset } = dependencies;
  const guard = refuseCrossSite(dependencies.isAllowedOrigin, responses, dependencies.visitor);
  const body = readBody(responses);
  const routes: AddRoutes<Answer> = {
    get: (path, answer) => router.get(path, respond(answer)),
    post: (path, answer) => router.post(path, guard, respond(answer)),
    postForm: (path, answer) => router.post(path, guard, body, respond(answer)),
  };
  const ofUser =
    (answer: UserAnswer): Answer =>
    async (ctx) => {
      const user = await signedInUser(ctx);
      if (E.isRight(user)) return answer(ctx, user.right);
      return user.left._tag === 'Unauthorized' ? signIn(ctx) : responses.failure(ctx, user.left);
    };
  const web: WebContext = {
    ...dependencies,
    ...routes,
    forUsers: {
      get: (path, answer) => routes.get(path, ofUser(answer)),
      post: (path, answer) => routes.post(path, ofUser(answer)),
      postForm: (path, answer) => routes.postForm(path, ofUser(answer)),
    },
    asset: (path, name, caching) => {
      const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
      const serve = asset(`${type}; charset=utf-8`, () => readAsset(name), caching);
      router.get(path, serve);
    },
  };

  web.get('/', (ctx) =>
    responses.page(ctx, (context) =>
      startPage(context, Object.values(operations), offers.offeredOn(ctx, context, responses.home)),
    ),
  );
  web.asset(stylesheetPath, 'style.css');
  // The API reference, where a signed-in user can try each operation, and the document that it is made from.
  router.get(docsPaths.document, lazyDocument(loadOpenApi(hasControls)));
  web.get(docsPaths.page, (ctx) => responses.page(ctx, (context) => docsPage(context, hasControls)));
  web.asset(docsPaths.script, 'docs.js');
  web.asset(docsPaths.stylesheet, 'docs.css');
  web.asset(docsPaths.swaggerUiScript, 'swagger-ui-bundle.js');
  web.asset(docsPaths.swaggerUiStylesheet, 'swagger-ui.css');
  addLogIn(web);
  addSignUp(web);
  addApiTokens(web);
  addAccount(web);
  if (dependencies.explorer) addExplore(web, dependencies);
  return web;
};

/** Serves a JSON document. What makes it is loaded with the first request for it. */
export const lazyDocument = (load: () => Promise<() => JsonObject>): Middleware => {
  let served: Promise<Middleware> | undefined;
  return async function document(ctx, next) {
    served ??= load().then((make) => asset('application/json', () => JSON.stringify(make())));
    return (await served)(ctx, next);
  };
};

const loadOpenApi = (hasControls: boolean) => async () => {
  const { openApiDocument } = await import('../openapi/document.js');
  const { readExamples } = await import('../openapi/examples.js');
  return () => openApiDocument(readExamples(), hasControls);
};
