import type { IncomingMessage } from 'node:http';
import * as E from '#fp-ts/Either';
import { type RoomForAnswers, roomForAnswers } from '../api/kept-answers.js';
import { isLoopback } from '../common/is-loopback.js';
import { allowedHosts, type IsAllowedHost } from '../common/own-hosts.js';
import { isFromThisMachine } from '../koa/admin-guard.js';
import { type AppDependencies, createApp } from '../koa/app.js';
import { compression } from '../koa/compression.js';
import { type ConnectionLimits, defaultConnectionLimits } from '../koa/connections.js';
import { allowedOrigins } from '../koa/cors.js';
import { type Listening, listen, type TlsCertificate } from '../koa/listen.js';
import { allRows, type SiteSettings } from './all-rows.js';
import { compose } from './compose.js';

/** What a server does that was not told otherwise. */
const defaults = {
  log: () => {},
  logAccess: null,
  observeRequests: null,
  strict: false,
  delay: null,
  renderCache: 256 * 2 ** 20,
  compression: false,
  basePath: '',
  corsOrigins: [],
  localhostCors: true,
  crossSiteCookies: false,
  allowedHosts: null,
  connectionLimits: {},
  trustProxy: false,
  adminToken: null,
  isExposed: false,
  rateLimit: null,
  close: async () => {},
  host: '127.0.0.1',
  port: 0,
  tls: null,
} satisfies Partial<AllSettings>;

/** What is told of the service, of what is served around the operations, and of the door. */
type AllSettings = Omit<SiteSettings, 'room' | 'compression' | 'isAllowedOrigin' | 'isDraining'> &
  Omit<AppDependencies, 'isAllowedOrigin' | 'isAllowedHost' | 'isLocal' | 'isQuiet' | 'adminAccess'> &
  Readonly<{
    /** How much memory kept answers may take, in bytes: about. */
    renderCache: number;
    /** Whether JSON and assets are compressed for clients that accept it. */
    compression: boolean;
    /** Origins whose pages may read responses. */
    corsOrigins: readonly string[];
    /** Whether pages of origins on this machine may read responses, too. */
    localhostCors: boolean;
    host: string;
    port: number;
    connectionLimits: Partial<ConnectionLimits>;
    /**
     * Hosts, besides those of loopback, that requests may be for. An empty list has no effect unless the
     * server is bound to a loopback address. Null: requests may be for any host.
     */
    allowedHosts: readonly string[] | null;
    /** The bearer token that opens the mock controls to clients on other machines; null: nothing does. */
    adminToken: string | null;
    /** Whether clients on other machines may do all that those on this one may. */
    isExposed: boolean;
    /** What encrypts the connections; null: nothing does. */
    tls: TlsCertificate | null;
    /** Closes what the storage is over, when the server has stopped. */
    close: () => Promise<void>;
  }>;

/**
 * What a server is made of. By default, it listens on a free port of 127.0.0.1, logs nothing, delays and
 * compresses nothing, and ignores unknown query parameters.
 */
export type ServerConfig = Omit<AllSettings, keyof typeof defaults> & Partial<AllSettings>;

/**
 * A server that accepts requests. Once it drains, it is no longer ready, and still answers every request. To
 * stop, it waits for requests in flight, cuts off those that take too long, and closes the backend.
 */
type RunningServer = Listening &
  Readonly<{
    /** The base URL for clients on this machine if it is bound to 127.0.0.1, with the base path. */
    url: string;
    /** How kept answers are used. */
    keptAnswers: RoomForAnswers['figures'];
  }>;

/** The address at which a server is reached, and the hosts that it is for, if the settings do not say so. */
type Reach = Readonly<{ isLoopback: boolean; isAllowedHost?: IsAllowedHost }>;

/**
 * The API and what is served around it, as a listener of the requests of an HTTP server: of one that somebody
 * else has, or of `startServer`. `reach` is asked with each request.
 */
export const openListener = (config: ServerConfig, reach: () => Reach) => {
  const settings = { ...defaults, ...config };
  const { trustProxy, adminToken, isExposed, allowedHosts: listedHosts } = settings;
  let isDraining = false;
  // Named hosts mean that a proxy may pass requests on, which then seem to come from this machine.
  const isProxied = trustProxy || (listedHosts ?? []).length > 0;
  const isListedHost = allowedHosts(listedHosts ?? []);
  const room = roomForAnswers(settings.renderCache);
  const dependencies = {
    ...settings,
    room,
    compression: settings.compression ? compression : null,
    isAllowedOrigin: allowedOrigins(settings.corsOrigins, settings.localhostCors),
    isDraining: () => isDraining,
  };
  const site = allRows(dependencies);
  const listener = createApp(compose(dependencies, site), {
    ...dependencies,
    isQuiet: site.isQuiet ?? (() => false),
    adminAccess: site.hasControls === true ? { token: adminToken, isProxied, isExposed } : null,
    isLocal: (request) => isExposed || (reach().isLoopback && !isProxied && isFromThisMachine(request)),
    isAllowedHost: (name) => {
      const { isLoopback, isAllowedHost } = reach();
      if (isAllowedHost !== undefined) return isAllowedHost(name);
      const isRestricted = listedHosts !== null && (listedHosts.length > 0 || isLoopback);
      return !isRestricted || isListedHost(name);
    },
  });
  return {
    listener,
    isAllowedOrigin: dependencies.isAllowedOrigin,
    /** Whether a request may do what those from this machine may. */
    isTrusted: (request: IncomingMessage) => isExposed || isFromThisMachine(request),
    keptAnswers: room.figures,
    drain: () => {
      isDraining = true;
    },
    /** Ends what is going on, so that the server can stop. */
    end: () => site.stop?.(),
  };
};

/** Starts the API and what is served around it. `left`: why it cannot listen; the backend is closed. */
export const startServer = async (
  config: ServerConfig,
): Promise<E.Either<NodeJS.ErrnoException, RunningServer>> => {
  const { tls, close, basePath, connectionLimits, ...settings } = { ...defaults, ...config };
  // The address is only known when the server listens, and no request comes before.
  let reach: Reach = { isLoopback: false };
  const opened = openListener(config, () => reach);
  const limits = { ...defaultConnectionLimits, ...connectionLimits };
  const { listener, isAllowedOrigin } = opened;
  const listening = await listen(listener, { ...settings, isAllowedOrigin, tls, limits });
  if (E.isLeft(listening)) {
    await close();
    return listening;
  }
  const server = listening.right;
  reach = { isLoopback: isLoopback(server.address) };
  return E.right({
    ...server,
    keptAnswers: opened.keptAnswers,
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${server.port}${basePath}`,
    drain: () => {
      opened.drain();
      server.drain();
    },
    stop: async (gracePeriod) => {
      opened.end();
      await server.stop(gracePeriod);
      await close();
    },
  });
};
