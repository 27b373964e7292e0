/** What `triage-api/vite` exports: a plugin by which Vite's servers answer as the API (docs/vite.md). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve, sep } from 'node:path';
import { areAccepted } from '../accounts/sessions-and-tokens.js';
import { readCredentials } from '../api/credentials.js';
import { TriageApiError } from '../common/messages.js';
import { allowedHosts, anyHost } from '../common/own-hosts.js';
import { runAfter } from '../common/timers.js';
import { sessionCookieName } from '../contract/operations.js';
import { explorerPath } from '../pages/paths.js';
import type { TriageApiOptions } from './test-options.js';

/** The options of `triageApi`, all of them optional: those of `startTriageApi`, and these. */
export type TriageApiPluginOptions = Omit<TriageApiOptions, 'port' | 'basePath'> &
  Readonly<{
    /** The tenant whose session pages begin with. Default: the first one; null: they begin without one. */
    persona?: string | null;
    /** Paths that the app has pages at, there and below, such as `/login`. Default: none. */
    ownPages?: readonly string[];
    /** Whether other machines may use the controls and log in with one click. Default: false. */
    expose?: boolean;
  }>;

// Nothing of Vite is imported, not even its types: these are what its versions have in common.

type Hosts = Readonly<{ allowedHosts?: readonly string[] | true | undefined }>;
type Server = {
  readonly middlewares: Readonly<{
    use: (
      answer: (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void,
    ) => unknown;
  }>;
  readonly httpServer?: Readonly<{ once: (event: string, listener: () => void) => unknown }> | null;
  readonly config: Readonly<{
    root: string;
    base: string;
    logger: Readonly<Record<'info' | 'warn' | 'error', (message: string) => void>>;
    server: Hosts;
    preview: Hosts;
  }>;
  readonly resolvedUrls: Readonly<{ local: readonly string[]; network: readonly string[] }> | null;
  printUrls: () => void;
};
type DevServer = Server & {
  readonly watcher: Readonly<{
    add: (path: string) => unknown;
    on: (event: 'all', listener: (event: string, path: string) => void) => unknown;
  }>;
};

/** A plugin of Vite that does nothing in a build. */
export type TriageApiPlugin = Readonly<{
  name: string;
  apply: 'serve';
  configureServer: (server: DevServer) => void;
  configurePreviewServer: (server: Server) => void;
  closeBundle: () => Promise<void>;
}>;

/**
 * Answers as the API, with its pages and controls, in the development server of Vite and in its preview: on
 * the origin of the page, without another process, a proxy or CORS. Pages begin with the session of a tenant.
 */
export const triageApi = (options: TriageApiPluginOptions = {}): TriageApiPlugin => {
  const { ownPages = [] } = options;
  if (!Array.isArray(ownPages) || !ownPages.every((each) => String(each).startsWith('/')))
    throw new TriageApiError(['ownPages: expected a list of paths such as "/login"']);
  // In the middleware mode, there is no server whose end could be heard of.
  const closing: (() => Promise<void>)[] = [];
  return {
    name: 'triage-api',
    apply: 'serve',
    configureServer: (server) => {
      const { reload, close } = serveIn(server, server.config.server, options);
      closing.push(close);
      if (typeof options.fixtures !== 'string') return;
      const folder = resolve(server.config.root, options.fixtures);
      let cancel = (): void => {};
      server.watcher.add(folder);
      server.watcher.on('all', (_, path) => {
        if ((path !== folder && !path.startsWith(folder + sep)) || !path.endsWith('.json')) return;
        cancel();
        cancel = runAfter(settlingTime, reload);
      });
    },
    configurePreviewServer: (server) => {
      serveIn(server, server.config.preview, options);
    },
    closeBundle: async () => {
      await Promise.all(closing.splice(0).map((close) => close()));
    },
  };
};

/** For how long no fixture may have changed before they are read, in milliseconds: editors write in steps. */
const settlingTime = 100;

/** What the API answers; everything else is of the app. */
const paths =
  /^\/(?:api\/v1|login|signup|logout|session|settings|explore|docs|__admin|openapi\.json|assets\/(?:copy|explore)\.\w+)(?:[/?]|$)/;

/** Serves the API in a server of Vite, which does not wait for it. `reload` reads the fixtures again. */
const serveIn = (server: Server, hosts: Hosts, options: TriageApiPluginOptions) => {
  const { base, logger } = server.config;
  const { ownPages = [], expose = false } = options;
  const open = (): Promise<Api> => {
    const opening = openApi(server, hosts, options);
    opening.catch((cause: unknown) => logger.error(messageAbout(cause)));
    return opening;
  };
  let opened: Promise<Api> | null = null;
  server.middlewares.use((request, response, next) => {
    const { url = '/', method, headers } = request;
    // HTTP/2 has another name for it.
    headers.host ??= [headers[':authority']].flat()[0];
    const isBelowBase = base !== '/' && url.startsWith(base) && !paths.test(url);
    const path = isBelowBase ? url.slice(base.length - 1) : url;
    const isOwnPage =
      (method === 'GET' || method === 'HEAD') &&
      ownPages.some((own) => `${path.split('?')[0]}/`.startsWith(own.replace(/\/*$/, '/')));
    const isOfApi = paths.test(path) && !isOwnPage;
    const isNavigation = method === 'GET' && headers.accept?.includes('text/html') === true;
    if (!isOfApi && !isNavigation) {
      next();
      return;
    }
    opened ??= open();
    const answer = async (api: Api): Promise<void> => {
      if (isNavigation) await api.signIn(request, response);
      if (isOfApi) api.answer(Object.assign(request, { url: path }), response);
      else next();
    };
    const explain = (cause: unknown): void => {
      if (isOfApi) {
        response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' });
        response.end(`${messageAbout(cause)}\n`);
      } else next();
    };
    opened.then(answer, explain).catch(next);
  });
  server.httpServer?.once('listening', () => {
    opened ??= open();
  });
  const close = async (): Promise<void> => {
    const ending = opened;
    opened = null;
    await ending?.then((api) => api.close()).catch(() => {});
  };
  server.httpServer?.once('close', () => void close());
  const { printUrls } = server;
  server.printUrls = () => {
    printUrls();
    const { local = [], network = [] } = server.resolvedUrls ?? {};
    for (const url of local) logger.info(`  ➜  API:     ${new URL(explorerPath, url)}`);
    if (network.length === 0) return;
    if (expose) logger.warn('  ➜  API:     OPEN TO OTHER MACHINES, with its controls and one-click logins');
    else logger.info('  ➜  API:     only this machine may use controls and one-click logins (else: expose)');
  };
  const reload = (): void => {
    const reloaded = opened?.then((api) => api.reload());
    opened = opened?.catch(open) ?? null;
    reloaded?.then(
      () => logger.info('triage-api: the fixtures were read again'),
      (cause: unknown) => logger.error(`${messageAbout(cause)}\n(the data stays as it was)`),
    );
  };
  return { reload, close };
};

/** A line for each problem. */
const messageAbout = (cause: unknown): string =>
  cause instanceof TriageApiError ? cause.message : `triage-api: ${String(cause)}`;

/** The cookie with the persona whose session a browser has been given. It stays after a logout. */
const personaCookieName = 'triage-api-persona';

type Api = Awaited<ReturnType<typeof openApi>>;

/** Opens the API for a server of Vite. Rejects with a `TriageApiError` about the options or the fixtures. */
const openApi = async (
  server: Server,
  { allowedHosts: hosts = [] }: Hosts,
  options: TriageApiPluginOptions,
) => {
  const { persona, ownPages: _, expose: isExposed = false, fixtures, ...others } = options;
  const { root, logger } = server.config;
  // What a page never asks for is not loaded: that would delay the start of Vite.
  const [{ openTriageApi }, { openListener }] = await Promise.all([
    import('./open-triage-api.js'),
    import('../start/start-server.js'),
  ]);
  const located = typeof fixtures === 'string' ? resolve(root, fixtures) : fixtures;
  const log: TriageApiOptions['log'] = (level, event, details) => {
    if (level === 'warn' || level === 'error')
      logger[level](`triage-api: ${event}${details === undefined ? '' : ` ${JSON.stringify(details)}`}`);
  };
  const api = await openTriageApi(
    {
      log,
      ...others,
      ...(located === undefined ? {} : { fixtures: located }),
    },
    { showPasswords: isExposed },
  );
  const { config, controls } = api;
  // The hosts that Vite answers for are those of the API, too.
  const isAllowedHost = isExposed || hosts === true ? anyHost : allowedHosts(hosts);
  const isForThisMachine = () => (server.resolvedUrls?.network ?? []).length === 0;
  const { listener, isTrusted, end } = openListener({ ...config, allowedHosts: [], isExposed }, () => ({
    isLoopback: isForThisMachine(),
    isAllowedHost: isForThisMachine() ? isAllowedHost : anyHost,
  }));
  await api.state?.enter(controls);
  const first = controls.tenants[0]?.name;
  const named = persona === undefined ? first : persona;
  const sessionOf = () => (named == null ? null : controls.tenant(named).session);
  try {
    sessionOf();
  } catch (cause) {
    if (!(cause instanceof TriageApiError)) throw cause;
    throw new TriageApiError(cause.problems.map((line) => line.replace(/^tenant:/, 'persona:')));
  }
  const isAccepted = areAccepted(config);
  /** Gives a browser the session of the persona, unless it has a session or has ended the one that it had. */
  const signIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const session = sessionOf();
    if (session === null || !isTrusted(request)) return;
    const { cookie = '' } = request.headers;
    const marker = `${personaCookieName}=${encodeURIComponent(named ?? '')}`;
    const { sessionValue } = readCredentials(request.headers, ['session']);
    const before = cookie.split(/; */).find((each) => each.startsWith(`${personaCookieName}=`));
    const isKept = sessionValue === null ? before !== undefined : await isAccepted({ sessionValue });
    if (isKept && (before === undefined || before === marker)) return;
    const own = `${sessionCookieName}=${session}`;
    response.appendHeader('Set-Cookie', `${own}; Path=/; HttpOnly; SameSite=Lax`);
    response.appendHeader('Set-Cookie', `${marker}; Path=/; HttpOnly; SameSite=Lax`);
    // What renders the page on the server sends its cookies on.
    const others = cookie
      .split(/; */)
      .filter((each) => each !== '' && !each.startsWith(`${sessionCookieName}=`));
    request.headers.cookie = [...others, own].join('; ');
  };
  return {
    signIn,
    answer: listener,
    reload: async (): Promise<void> => {
      if (located !== undefined) await controls.setFixtures(located);
    },
    close: async (): Promise<void> => {
      api.stop();
      end();
      await config.close?.();
    },
  };
};
