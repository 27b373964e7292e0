import * as E from '#fp-ts/Either';
import {
  type AccountDependencies,
  type SecurityEvent,
  securityEvents,
  type Visitor,
} from '../accounts/account-flow.js';
import type { DemoAccounts } from '../accounts/demo-rows.js';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import { operations } from '../contract/operations.js';
import type { ControlsDependencies } from '../controls/controls.js';
import { jsonType } from '../protocol/rendered.js';
import { requestLog, type ServiceRequest } from '../protocol/request.js';
import { assetAnswer, forAWhile, type Reply } from '../protocol/response.js';
import type { Answer, Params, Row } from '../protocol/routes.js';
import type { Storage } from '../storage/port.js';
import { accountRows, apiTokenRows, logInRows, type Offers, offers, signUpRows } from './account-routes.js';
import { docsPage, startPage } from './api-pages.js';
import { controlsPageRows } from './controls-routes.js';
import { type ExploreDependencies, explorerRows } from './explorer-routes.js';
import type { ServerMode } from './layout.js';
import { docsPaths, type ReadAsset, stylesheetPath } from './paths.js';
import { crossSiteRefusal, type IsAllowedOrigin, readForm } from './posts.js';
import { type SignedInUser, sessionHashOf, signedInUser } from './signed-in-user.js';
import { type WebResponses, webResponses } from './web-responses.js';

/** What the web flows depend on. */
export type WebDependencies = Omit<ExploreDependencies, 'storage'> &
  Readonly<{
    storage: Storage;
    /** What the flows of accounts need besides the storage and the clock. */
    accounts: Omit<AccountDependencies, 'storage' | 'clock'>;
    /** Accounts that the pages offer. */
    demoAccounts: () => DemoAccounts;
    mode: ServerMode;
    /** Whether there are pages; without them, all but redirects is JSON. */
    hasPages: boolean;
    /** What comes before the paths of the service: `/mock`, or nothing. */
    basePath: string;
    isAllowedOrigin: IsAllowedOrigin;
    /** Told of every security event, which is also logged. */
    onSecurityEvent: (event: SecurityEvent) => void;
    /** Reads the style sheets and scripts of the pages. */
    readAsset: ReadAsset;
    /** What the mock controls need; null: there are none. */
    controls: ControlsDependencies | null;
    /** Whether there is an explorer, the pages under `/explore`. */
    explorer: boolean;
  }>;

/** What the routes of pages are made with. */
export type WebContext = Readonly<{
  accounts: AccountDependencies;
  responses: WebResponses;
  signedInUser: SignedInUser;
  offers: Offers;
  visitor: (request: ServiceRequest) => Visitor;
  /** A row for everyone. */
  get: (path: string, answer: Answer) => Row;
  asset: (path: string, name: Parameters<ReadAsset>[0], caching?: string) => Row;
}>;

/** The visitor who sends a request. Security events go to the log and to `observe`. */
const visitorOf =
  (log: Log, observe: (event: SecurityEvent) => void) =>
  (request: ServiceRequest): Visitor => {
    const { address, network, hasLeft } = request;
    return {
      address,
      network,
      session: sessionHashOf(request),
      hasLeft,
      report: (reported) => {
        const { _tag, ...details } = reported;
        if (reported._tag === 'LoggedIn' || reported._tag === 'SignedUp')
          request.notes.tenantId = reported.userId;
        const { level, event } = securityEvents[_tag];
        requestLog(log, request)(level, event, { ...details, address });
        observe(reported);
      },
    };
  };

/** The web flows and their pages: no part of v1, but sessions and tokens have to come from somewhere. */
export const createWeb = (
  dependencies: WebDependencies & Readonly<{ ownClock: (userId: string) => Clock | null }>,
) => {
  const { storage, clock, log, mode, explorer, controls, readAsset, ownClock } = dependencies;
  const userOf = signedInUser({ storage, clock });
  const responses = webResponses(userOf, { mode, hasExplorer: explorer }, dependencies);
  const visitor = visitorOf(log, dependencies.onSecurityEvent);
  const clockOf = (userId?: string): number => ((userId === undefined ? null : ownClock(userId)) ?? clock)();
  const offered = offers(dependencies);
  const get: WebContext['get'] = (path, answer) => ({ method: 'GET', path, who: 'everyone', answer });
  const web: WebContext = {
    accounts: { ...dependencies.accounts, storage, clock: clockOf },
    responses,
    signedInUser: userOf,
    offers: offered,
    visitor,
    get,
    asset: (path, name, caching = forAWhile) => {
      const type = `${name.endsWith('.css') ? 'text/css' : 'text/javascript'}; charset=utf-8`;
      return get(
        path,
        assetAnswer(type, caching, () => readAsset(name)),
      );
    },
  };
  const rows: readonly Row[] = [
    get('/', (request) =>
      responses.page(request, (context) =>
        startPage(context, Object.values(operations), offered.offeredOn(request, context, responses.home)),
      ),
    ),
    web.asset(stylesheetPath, 'style.css'),
    // The API reference, where a signed-in user can try each operation, and the document behind it.
    get(docsPaths.document, assetAnswer(jsonType, forAWhile, openApi(dependencies))),
    get(docsPaths.page, (request) =>
      responses.page(request, (context) => docsPage(context, controls !== null)),
    ),
    web.asset(docsPaths.script, 'docs.js'),
    web.asset(docsPaths.stylesheet, 'docs.css'),
    web.asset(docsPaths.swaggerUiScript, 'swagger-ui-bundle.js'),
    web.asset(docsPaths.swaggerUiStylesheet, 'swagger-ui.css'),
    ...logInRows(web),
    ...signUpRows(web),
    ...apiTokenRows(web),
    ...accountRows(web),
    ...(explorer ? explorerRows(web, dependencies) : []),
    ...(explorer && controls !== null ? controlsPageRows(web, controls) : []),
  ];

  /** Answers what a row is for, or why not. */
  const answer = async (row: Row, request: ServiceRequest, params: Params): Promise<Reply> => {
    if (row.posts !== undefined) {
      const refused = crossSiteRefusal(request, dependencies.isAllowedOrigin, responses.prefersJson);
      if (refused !== null) {
        visitor(request).report({ _tag: 'CrossSiteRefused' });
        return responses.failure(request, refused);
      }
    }
    const form = row.posts === 'form' ? await readForm(request) : E.right({});
    if (E.isLeft(form)) return responses.failure(request, form.left);
    const given = { params, posted: form.right };
    if (row.who !== 'users') return row.answer(request, given);
    const user = await userOf(request);
    if (E.isRight(user)) return row.answer(request, user.right, given);
    return user.left._tag === 'Unauthorized'
      ? responses.askToSignIn(request)
      : responses.failure(request, user.left);
  };

  return { rows, responses, signedInUser: userOf, visitor, answer };
};

export type Web = ReturnType<typeof createWeb>;

/** The OpenAPI document. What makes it is loaded when it is asked for. */
const openApi =
  ({ controls, basePath, readAsset }: Pick<WebDependencies, 'controls' | 'basePath' | 'readAsset'>) =>
  async (): Promise<string> => {
    const { openApiDocument } = await import('../openapi/document.js');
    const { decodeExamples } = await import('../openapi/examples.js');
    const examples = decodeExamples(await readAsset('examples.json'));
    return JSON.stringify(openApiDocument(examples, { hasMockControls: controls !== null, basePath }));
  };
