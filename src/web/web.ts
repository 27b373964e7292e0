import * as E from '#fp-ts/Either';
import {
  type AccountDependencies,
  type SecurityEvent,
  securityEvents,
  type Visitor,
} from '../accounts/account-flow.js';
import { type DemoAccounts, noDemoAccounts } from '../accounts/demo-rows.js';
import type { ClockOf } from '../common/clock.js';
import type { Log } from '../common/log.js';
import { requestLog, type ServiceRequest } from '../protocol/request.js';
import { assetAnswer, forAWhile, type Reply } from '../protocol/response.js';
import type { Answer, Params, Row } from '../protocol/routes.js';
import type { Storage } from '../storage/port.js';
import type { OfferedAccounts } from './account-pages.js';
import { type AssetName, readAsset } from './assets.js';
import type { PageContext, ServerMode } from './layout.js';
import { crossSiteRefusal, type IsAllowedOrigin, readForm } from './posts.js';
import { type SignedInUser, sessionHashOf, signedInUser } from './signed-in-user.js';
import type { simulatedLines } from './simulated-line.js';
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
}>;

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
  get: (path: string, answer: Answer) => Row;
  asset: (path: string, name: AssetName, caching?: string) => Row;
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

/**
 * The web flows and their pages: no part of v1, but sessions and tokens have to come from somewhere.
 * `rowsOf`: what there is.
 */
export const createWeb = (
  dependencies: WebDependencies & Readonly<{ simulated: ReturnType<typeof simulatedLines> }>,
  rowsOf: (web: WebContext) => readonly Row[],
) => {
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
  const rows = rowsOf(web);

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
