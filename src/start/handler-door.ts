import { nonePublished, withoutLimits } from '../accounts/account-flow.js';
import { noDemoAccounts } from '../accounts/demo-rows.js';
import { roomForAnswers } from '../api/kept-answers.js';
import type { ServiceRequest } from '../api/request.js';
import type { Service } from '../api/service.js';
import type { MoreRows } from './all-rows.js';
import { compose, type ServiceDependencies } from './compose.js';
import { type FetchDependencies, fetchDoor } from './fetch.js';

/** What a door serves besides the operations. */
export type LoadedPages = MoreRows &
  Pick<ServiceDependencies, 'hasPages' | 'demoAccounts'> &
  Partial<Pick<ServiceDependencies, 'mode'>> &
  Pick<ServiceDependencies['accounts'], 'demo'>;

/**
 * What is served besides the operations, and is loaded when it is asked for. `names`: of its rows; null: they
 * are not known before. `accounts`: how passwords are hashed, and which sessions are public.
 */
export type LoadRows = Readonly<{
  names: readonly string[] | null;
  accounts: Pick<ServiceDependencies['accounts'], 'hashPassword' | 'isPassword' | 'isPublishedSession'> &
    Partial<Pick<ServiceDependencies['accounts'], 'personas'>>;
  load: () => Promise<LoadedPages>;
}>;

/** What handlers without a server need. */
export type HandlerDependencies = Pick<
  ServiceDependencies,
  | 'storage'
  | 'live'
  | 'clock'
  | 'elapsed'
  | 'simulation'
  | 'rateLimit'
  | 'strict'
  | 'delay'
  | 'log'
  | 'basePath'
> &
  Pick<FetchDependencies, 'onRequest' | 'mayControl'>;

/** What new accounts start with where there is nothing else. */
export const noRows = { repos: [], scans: [], fixDrafts: [], pullRequests: [] };

/** How much memory kept answers may take, in bytes: about. */
const renderCache = 32 * 2 ** 20;

/**
 * The door of `fetch` to a service that loads its pages when they are asked for. `more`: null, if there are
 * only operations.
 */
export const handlerDoor = (dependencies: HandlerDependencies, more: LoadRows | null) => {
  const settings: ServiceDependencies = {
    ...dependencies,
    clock: dependencies.live?.now ?? dependencies.clock,
    room: roomForAnswers(renderCache),
    compression: null,
    crossSiteCookies: false,
    isAllowedOrigin: () => true,
    onSecurityEvent: () => {},
    demoAccounts: () => noDemoAccounts,
    mode: 'fixtures',
    explorer: false,
    hasPages: false,
    accounts: {
      ...withoutLimits,
      ...nonePublished,
      hashPassword: () => Promise.reject(new TypeError('nobody signs up')),
      isPassword: async () => false,
      demo: () => noRows,
      personas: () => null,
      ...more?.accounts,
    },
  };
  const operationsAlone = compose(settings);
  let loaded: Promise<Service> | undefined;
  const load = async (): Promise<Service> => {
    if (more === null) return operationsAlone;
    const { rows, pagesOf, demo, ...pages } = await more.load();
    const { webPages } = await import('../pages/web.js');
    const accounts = { ...settings.accounts, demo };
    const whole = { ...settings, ...pages, explorer: pages.hasPages, accounts };
    return compose(whole, webPages(whole, pagesOf), rows);
  };
  const serviceFor = (request: ServiceRequest): Service | Promise<Service> => {
    const { method, path, refused } = request;
    const isOperation = refused === null && operationsAlone.find(method, path) !== null;
    if (isOperation && loaded === undefined) return operationsAlone;
    loaded ??= load().catch((cause: unknown) => {
      // The next request tries again.
      loaded = undefined;
      throw cause;
    });
    return loaded;
  };
  if (more !== null) dependencies.simulation?.names.serve({ pages: more.names });
  return fetchDoor(serviceFor, dependencies);
};
