import * as E from '#fp-ts/Either';
import {
  type AccountDependencies,
  type SecurityEvent,
  securityEvents,
  type Visitor,
} from '../accounts/account-flow.js';
import type { Storage } from '../accounts/account-storage.js';
import { type DemoAccounts, noDemoAccounts } from '../accounts/demo-rows.js';
import type { Layer, Params, Row } from '../api/call.js';
import type { Failure, RequestRefused } from '../api/failures.js';
import { requestLog, type ServiceRequest } from '../api/request.js';
import { assetAnswer, forAWhile, type PageKind, type Reply } from '../api/response.js';
import type { RouteTable } from '../api/routes.js';
import { plainRow } from '../api/routes.js';
import type { ClockOf } from '../common/clock.js';
import type { Log } from '../common/log.js';
import type { IsAllowedOrigin } from '../common/own-hosts.js';
import type { OfferedAccounts } from './account-pages.js';
import { type AssetName, readAsset } from './assets.js';
import type { PageContext, ServerMode, SimulatedLine } from './layout.js';
import { docsPaths, explorerPath, isQuiet } from './paths.js';
import { crossSiteRefusal, postedAccount, readForm } from './posts.js';
import type { Answer, PageRow } from './rows.js';
import { type SignedInUser, sessionHashOf, signedInUser } from './signed-in-user.js';
import { type WebResponses, webResponses } from './web-responses.js';

/** What the web flows depend on. */
export type WebDependencies = Readonly<{
  storage: Storage;
  clock: ClockOf;
  log: Log;
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
  /** Whether there is an explorer, the pages under `/explore`. */
  explorer: boolean;
  /** What a page says of what is simulated; null: nothing, or it is not for who looks at it to know. */
  simulatedLine: (request: ServiceRequest) => SimulatedLine | null;
}>;

/** What the pages are like that were not told otherwise. */
export const webDefaults = {
  demoAccounts: () => noDemoAccounts,
  mode: 'fixtures',
  hasPages: true,
  isAllowedOrigin: () => true,
  onSecurityEvent: () => {},
  explorer: true,
  simulatedLine: () => null,
} as const satisfies Partial<WebDependencies>;

/** What the web flows have to be told. */
export type WebSettings = Omit<WebDependencies, keyof typeof webDefaults> & Partial<WebDependencies>;

/**
 * Which demo accounts a visitor is offered. Those of the package are open to everyone, others to visitors on
 * this machine; to the rest they are shown only with their passwords, as `--show-passwords` demands.
 */
const offers = ({ demoAccounts }: Readonly<{ demoAccounts: () => DemoAccounts }>) => {
  const isOpenTo = ({ isLocal }: ServiceRequest, { areShipped }: DemoAccounts): boolean =>
    areShipped || isLocal;
  return {
    /** Those that a page shows; `next`: where to return to after a login. */
    offeredOn: (request: ServiceRequest, { user }: PageContext, next: string | null): OfferedAccounts => {
      const accounts = demoAccounts();
      const isOpen = isOpenTo(request, accounts);
      const arePublic =
        accounts.areLocal !== true && accounts.shown.every(({ password }) => password !== null);
      const isUsable = isOpen || arePublic;
      const { shown, total } = isUsable ? accounts : noDemoAccounts;
      return { shown, total, isOpen, next, current: user?.email ?? null };
    },
    /** Finds one that the visitor may log in to without a password. */
    findFor: (request: ServiceRequest): DemoAccounts['find'] => {
      const accounts = demoAccounts();
      return (isOpenTo(request, accounts) ? accounts : noDemoAccounts).find;
    },
  };
};

type Offers = ReturnType<typeof offers>;

/** What the routes of pages are made with. */
export type WebContext = Readonly<{
  accounts: AccountDependencies;
  responses: WebResponses;
  signedInUser: SignedInUser;
  offers: Offers;
  visitor: (request: ServiceRequest) => Visitor;
  /** A row for everyone. */
  get: (path: string, answer: Answer) => PageRow;
  asset: (path: string, name: AssetName, caching?: string) => PageRow;
}>;

/** The visitor who sends a request. Security events go to the log and to `observe`. */
const visitorOf =
  (log: Log, observe: (event: SecurityEvent) => void) =>
  (request: ServiceRequest): Visitor => {
    const { address, network } = request;
    return {
      address,
      network,
      session: sessionHashOf(request),
      hasLeft: () => request.hasLeft(),
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

/** Which headers the answers at a path have. */
const kindOf = (path: string): PageKind => {
  if (path.startsWith('/api/')) return 'otherApiPath';
  return path === docsPaths.page || isOfExplorer(path) ? 'pageWithScript' : 'page';
};

const isOfExplorer = (path: string): boolean => path === explorerPath || path.startsWith(`${explorerPath}/`);

/**
 * The web flows and their pages: no part of v1, but sessions and tokens have to come from somewhere.
 * `pagesOf`: what there is.
 */
export const webPages = (settings: WebSettings, pagesOf: (web: WebContext) => readonly PageRow[]) => {
  const dependencies: WebDependencies = { ...webDefaults, ...settings };
  const { storage, clock, log, mode, explorer } = dependencies;
  const userOf = signedInUser({ storage, clock });
  const responses = webResponses(userOf, { mode, hasExplorer: explorer }, dependencies);
  const visitor = visitorOf(log, dependencies.onSecurityEvent);
  const offered = offers(dependencies);
  const get: WebContext['get'] = (path, answer) => ({ method: 'GET', path, who: 'everyone', answer });
  const web: WebContext = {
    accounts: { ...dependencies.accounts, storage, clock },
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

  /** Answers what a row is for, or why not. */
  const answer = async (row: PageRow, request: ServiceRequest, params: Params): Promise<Reply> => {
    if (row.posts !== undefined) {
      const refused = crossSiteRefusal(request, dependencies.isAllowedOrigin, responses.prefersJson);
      if (refused !== null) {
        visitor(request).report({ _tag: 'CrossSiteRefused' });
        return responses.failure(request, refused);
      }
    }
    const form = row.posts === 'form' ? await readForm(request) : E.right({});
    if (E.isLeft(form)) return responses.failure(request, form.left);
    const input = { params, posted: form.right };
    if (row.who !== 'users') return row.answer(request, input);
    const user = await userOf(request);
    if (E.isRight(user)) return row.answer(request, user.right, input);
    return user.left._tag === 'Unauthorized'
      ? responses.askToSignIn(request)
      : responses.failure(request, user.left);
  };

  const toRow = (row: PageRow): Row => {
    const { method, path, who } = row;
    const isFor: Row['isFor'] = who === 'operators' ? ({ mayControl }) => mayControl : () => true;
    const kind = kindOf(path);
    return plainRow(method, path, (request, params) => answer(row, request, params), { isFor, kind });
  };

  return {
    rows: pagesOf(web).map(toRow),
    present: async (failure: Failure, request: ServiceRequest, methods?: readonly string[]) => ({
      ...(await responses.present(request, failure, methods)),
      kind: failure._tag === 'Unexpected' ? 'malformed' : kindOf(request.path),
    }),
    onRefused: (request: ServiceRequest, refused: RequestRefused): void => {
      if (refused._tag === 'HostRefused') visitor(request).report(refused);
    },
    withoutSlash:
      (table: RouteTable): Layer =>
      (next) =>
      (call) => {
        const { request, row } = call;
        const { method, path } = request;
        if (row !== null || !path.endsWith('/') || table.at(path, request).length > 0) return next(call);
        const shorter = table.find(method, path.slice(0, -1));
        const reply = shorter?.row.isFor(request) === true ? responses.withoutSlash(request) : null;
        return reply === null ? next(call) : Promise.resolve({ ...reply, kind: kindOf(path) });
      },
    isQuiet,
    simulated: { ...responses, postedAccount, kindOf, showsData: isOfExplorer },
  };
};

export type Pages = ReturnType<typeof webPages>;
