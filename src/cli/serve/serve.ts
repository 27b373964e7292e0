import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import * as E from '#fp-ts/Either';
import { securityEvents } from '../../accounts/account-flow.js';
import { attemptLimiter, defaultHashingLimits, hashingQueue } from '../../accounts/login-limits.js';
import { hashPassword, isPassword } from '../../accounts/passwords.js';
import { watchedStorage } from '../../accounts/storage-calls.js';
import type { Layer } from '../../api/call.js';
import { appendToFolder } from '../../common/append-to-folder.js';
import type { Clock } from '../../common/clock.js';
import { isLoopback } from '../../common/is-loopback.js';
import type { Log } from '../../common/log.js';
import { allowedHosts, anyHost, isThisMachine } from '../../common/own-hosts.js';
import { errorCode } from '../../common/replace-file.js';
import { pause } from '../../common/timers.js';
import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import { defaultConnectionLimits } from '../../koa/connections.js';
import { listen, type TlsCertificate } from '../../koa/listen.js';
import { explorerPath } from '../../pages/paths.js';
import { frozenAt, machineTime, simulatedClock } from '../../simulation/simulated-clock.js';
import { createSimulation, type Simulation } from '../../simulation/simulation.js';
import type { Metrics } from '../../start/metrics.js';
import { rateLimit } from '../../start/rate-limit.js';
import { startServer } from '../../start/start-server.js';
import { defineCommand } from '../define-command.js';
import { messageOf } from '../output/text.js';
import { originLabel } from '../settings/read-settings.js';
import { accessLog, diagnosticLog } from '../terminal/logging.js';
import { type ExitCode, exitCode, fail, type Terminal } from '../terminal/terminal.js';
import type { BackendDependencies, OpenedBackend } from './backend.js';
import { openFixtureBackend } from './fixture-backend.js';
import {
  type ServeSettings,
  serveConflicts,
  serveGroups,
  serveOptions,
  serveSettings,
} from './serve-options.js';
import {
  baseUrl,
  exposureWarning,
  formatListenError,
  linesAtStart,
  localUrl,
  originWarnings,
} from './start-messages.js';

/**
 * How long requests in flight may take to finish after a signal, in milliseconds: with the rest, less than
 * the ten seconds after which Docker kills a process.
 */
const gracePeriod = 8000;

/** The same for whoever reads the metrics. */
const metricsGracePeriod = 100;

/** Serves the API and the web flows until a signal or a fatal error. */
const serve = async (settings: ServeSettings, terminal: Terminal, version: string): Promise<ExitCode> => {
  if (settings.state !== undefined) {
    const found = await stat(settings.state).catch(() => null);
    const isFile = `--state: ${settings.state} is a file; name a folder, in which each account gets a file of its own`;
    if (found?.isDirectory() === false) return fail(terminal, [isFile], exitCode.usage);
  }
  const log = diagnosticLog(terminal, settings.logLevel, () => Date.now());
  const lying = await openLying(settings, log);
  if (E.isLeft(lying)) return fail(terminal, [`--lie: ${lying.left}`], exitCode.usage);
  const started = await startServing(settings, terminal, version, { log, lying: lying.right });
  if (E.isLeft(started)) return fail(terminal, started.left);
  const { drain, stop, signal, fatalError } = started.right;
  const end = await Promise.race([
    signal.then((name) => E.right(name)),
    fatalError.then((reason) => E.left(reason)),
  ]);
  if (E.isRight(end) && settings.drain > 0) {
    log('info', `${end.right}: no longer ready, stopping in ${settings.drain} ms`);
    drain();
    await pause(settings.drain);
  }
  const stopped = stop();
  if (E.isRight(end)) log('info', `${end.right}: finishing requests in flight`);
  await stopped;
  return E.isLeft(end) ? fail(terminal, [end.left]) : exitCode.done;
};

type Started = Readonly<{
  /** Announces the end to whoever sends requests. */
  drain: () => void;
  stop: () => Promise<void>;
  signal: Promise<string>;
  fatalError: Promise<string>;
}>;

/**
 * Everything up to the line that says that the server listens. `left`: one line for each reason why it
 * cannot.
 */
const startServing = async (
  settings: ServeSettings,
  terminal: Terminal,
  version: string,
  { log, lying }: Readonly<{ log: Log; lying: Layer | null }>,
): Promise<E.Either<readonly string[], Started>> => {
  const { host, now, logLevel, readyTimeout, basePath = '' } = settings;
  const wallClock = (): number => Date.now();
  const beginning = now === undefined ? machineTime : frozenAt(millisecondsOf(now));
  const simulated = simulatedClock(wallClock, beginning);
  const elapsed = performance.now.bind(performance);
  const tls = await certificateOf(settings);
  if (E.isLeft(tls)) return tls;
  const served = await serveMetrics(settings, { version, elapsed, log });
  if (E.isLeft(served)) return E.left([served.left]);
  const metrics = served.right?.metrics ?? null;
  const closeMetrics = async (): Promise<void> => served.right?.close();
  const opened = await openBackend(settings, { simulated, log, terminal, metrics });
  if (E.isLeft(opened)) {
    await closeMetrics();
    return opened;
  }
  const { banner, exposureRisk, work, storage, accounts, ...backend } = opened.right;

  const simulation = simulationOf(settings);
  const signal = terminal.onSignal();
  const server = await startServer({
    ...backend,
    storage: watchedStorage(storage, { log, elapsed, readyTimeout, observe: metrics?.observeCalls ?? null }),
    clock: backend.live?.now ?? simulated.now,
    elapsed,
    log,
    observeRequests: metrics?.observeRequests ?? null,
    onSecurityEvent: ({ _tag }) => metrics?.onSecurityEvent(securityEvents[_tag].event),
    logAccess: accessLog(terminal, logLevel, wallClock),
    strict: settings.strict,
    delay:
      simulation === null && settings.delay + settings.jitter > 0
        ? () => settings.delay + Math.random() * settings.jitter
        : null,
    simulation,
    lying,
    onExchange: settings.coverage === undefined ? null : await recorder(settings.coverage, log),
    adminToken: settings.adminToken ?? null,
    rateLimit: settings.rateLimit === undefined ? null : rateLimit(settings.rateLimit, elapsed),
    renderCache: settings.renderCache,
    compression: settings.compression ?? !settings.trustProxy,
    accounts: {
      ...accounts,
      attempts: attemptLimiter(
        {
          loginsPerAccount: settings.loginLimit,
          loginsPerAccountAnywhere: settings.loginAccountLimit,
          loginsPerAddress: settings.loginAddressLimit,
          allLoginsPerAddress: settings.loginRateLimit,
          signUpsPerAddress: settings.signUpLimit,
        },
        elapsed,
      ),
      hashing: hashingQueue(defaultHashingLimits, Math.random),
      hashPassword,
      isPassword,
    },
    corsOrigins: settings.corsOrigins,
    localhostCors:
      settings.localhostCors ?? settings.allowedHosts.every((host) => isThisMachine(host.replace(/^\./, ''))),
    crossSiteCookies: settings.crossSiteCookies,
    allowedHosts: settings.allowedHosts,
    basePath,
    connectionLimits: { maxConnections: settings.maxConnections },
    trustProxy: settings.trustProxy,
    explorer: settings.explorer,
    tls: tls.right,
    host,
    port: settings.port,
  });
  if (E.isLeft(server)) {
    await closeMetrics();
    return E.left([formatListenError(server.left, host, settings.port)]);
  }
  const { address, port, drain, stop, connections, keptAnswers } = server.right;
  metrics?.watchConnections(connections);
  metrics?.watchKeptAnswers(keptAnswers);
  const place = { host, port, scheme: tls.right === null ? 'http' : 'https', basePath } as const;
  const url = localUrl(place);
  // What reads the access log from standard output gets nothing else.
  const print = (lines: readonly string[]): void => {
    if (settings.quiet) return;
    for (const line of lines) (terminal.outIsTerminal ? terminal.out : terminal.err)(line);
  };
  const [source = '', ...sample] = banner(url);
  const first = settings.why === null ? source : `${source} (${settings.why})`;
  print([first, ...settings.notes]);
  if (settings.quiet) for (const note of settings.notes) log('warn', note);
  const exposure = exposureWarning(settings, { address, port }, exposureRisk);
  for (const warning of [...exposure, ...originWarnings(settings)]) log('warn', warning);
  // Since the process began.
  const ready = `triage-api ${version}, ready in ${Math.round(elapsed())} ms`;
  print([...sample, ...linesAtStart(place, ready, settings.explorer, served.right?.url)]);
  const fatalError = new Promise<string>((resolve, reject) => {
    work(resolve).catch(reject);
  });
  if (settings.open) openPage(`${url}${settings.explorer ? explorerPath : '/'}`, terminal, log);
  return E.right({
    signal,
    fatalError,
    drain,
    stop: async () => {
      await stop(gracePeriod);
      await closeMetrics();
    },
  });
};

/** Opens a page in a browser. A failure is only logged. */
const openPage = (page: string, { openBrowser }: Pick<Terminal, 'openBrowser'>, log: Log): void => {
  void openBrowser(page).then((problem) => {
    if (problem !== null) log('warn', `no browser was opened: open ${page} yourself`, { reason: problem });
  });
};

/** The certificate to serve with; null: without https. `left`: why no client could connect with it. */
const certificateOf = async ({
  https,
  cert,
  key,
}: ServeSettings): Promise<E.Either<readonly string[], TlsCertificate | null>> => {
  if (!https || cert === undefined || key === undefined) return E.right(null);
  try {
    const pair = { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
    createSecureContext(pair);
    return E.right(pair);
  } catch (error) {
    const reason = certificateFaults[errorCode(error)] ?? messageOf(error);
    return E.left([`--cert ${cert} and --key ${key} cannot be used: ${reason}`]);
  }
};

/** What OpenSSL says in fewer words of what is most often wrong. */
const certificateFaults: Readonly<Record<string, string>> = {
  ERR_OSSL_PEM_NO_START_LINE: 'expected a certificate and a private key, both in PEM',
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'the key does not belong to the certificate',
  ERR_OSSL_BAD_DECRYPT: 'the key is encrypted',
  ERR_MISSING_PASSPHRASE: 'the key is encrypted',
};

type ServedMetrics = Readonly<{ metrics: Metrics; url: string; close: () => Promise<void> }>;

/**
 * Serves metrics if the settings name a port; null: they do not. The library is loaded only then. `left`: why
 * it cannot listen.
 */
const serveMetrics = async (
  { metricsPort: port, metricsHost: host, allowedHosts: listed }: ServeSettings,
  { version, elapsed, log }: Readonly<{ version: string; elapsed: Clock; log: Log }>,
): Promise<E.Either<string, ServedMetrics | null>> => {
  if (port === undefined) return E.right(null);
  const { createMetrics, metricsApp } = await import('../../start/metrics.js');
  const events = Object.values(securityEvents).map(({ event }) => event);
  const metrics = createMetrics(version, elapsed, events);
  const isAllowedHost = isLoopback(host) ? allowedHosts(listed) : anyHost;
  const app = metricsApp(metrics.expose, isAllowedHost, log).callback();
  const listening = await listen(app, { host, port, limits: defaultConnectionLimits, log });
  if (E.isLeft(listening))
    return E.left(`metrics: ${formatListenError(listening.left, host, port, 'metrics-')}`);
  const { right: server } = listening;
  return E.right({
    metrics,
    url: `${baseUrl({ host, port: server.port })}/metrics`,
    close: () => server.stop(metricsGracePeriod),
  });
};

/**
 * Opens what is served: a storage of one's own, a database, or else fixtures. What only the first two need is
 * loaded for them alone.
 */
const openBackend = async (
  settings: ServeSettings,
  dependencies: BackendDependencies,
): Promise<OpenedBackend> => {
  const { storage, databaseUrl } = settings;
  if (storage !== undefined) {
    const { openStorageBackend } = await import('./storage-backend.js');
    return openStorageBackend(storage, settings, dependencies);
  }
  if (databaseUrl !== undefined) {
    const { openDatabaseBackend } = await import('./database-backend.js');
    return openDatabaseBackend(databaseUrl, settings, dependencies);
  }
  return openFixtureBackend(settings, dependencies);
};

/** Notes which states clients see, which few servers do. */
const recorder = async (folder: string, log: Log) => {
  const { recordCoverage } = await import('../../simulation/states/coverage.js');
  const onFailure = (cause: unknown): void =>
    log('error', 'cannot note which states clients see', { folder, cause: String(cause) });
  return recordCoverage(appendToFolder(folder, 'states', onFailure))();
};

/** What answers wrongly on purpose; null: nothing does. `left`: there is no such lie. */
const openLying = async ({ lie = '', lies: folder }: ServeSettings, log: Log) => {
  if (lie === '' && folder === undefined) return E.right(null);
  const { lyingLayer } = await import('../../simulation/lies/tell.js');
  const onFailure = (cause: unknown): void =>
    log('error', 'cannot note which lies are told', { folder, cause: String(cause) });
  return lyingLayer(lie, folder === undefined ? () => {} : appendToFolder(folder, 'lies', onFailure));
};

/**
 * What a server simulates from the start: the delays and failures of its command line, as rules like any
 * other. Null: it has no mock controls.
 */
const simulationOf = (settings: ServeSettings): Simulation | null => {
  const { storage, databaseUrl, mockControls, delay, jitter, failRate } = settings;
  if (storage !== undefined || databaseUrl !== undefined || !mockControls) return null;
  const simulation = createSimulation(settings);
  if (delay + jitter > 0) simulation.faults.add({ delay, jitter });
  if (failRate > 0) simulation.faults.add({ code: 503, probability: failRate });
  return simulation;
};

/** `triage-api serve`. */
export const serveCommand = defineCommand({
  name: 'serve',
  description: 'serve the API over HTTP',
  options: serveOptions,
  groups: serveGroups,
  examples: {
    'serve the shipped fixtures on port 5000': 'triage-api serve --port 5000',
    'serve fixtures of your own to a front end on another origin':
      'triage-api serve -f fixtures --cors-origin https://app.example.com',
    'serve over https with a certificate that mkcert has made':
      'triage-api serve --https --cert localhost.pem --key localhost-key.pem',
  },
  conflicts: serveConflicts,
  run: (call) => serve(serveSettings(call), call.terminal, call.version),
});

/** `triage-api explore`: `serve`, but a browser is opened unless that is turned off. */
export const exploreCommand = defineCommand({
  name: 'explore',
  description: 'serve the API, and open the explorer in a browser',
  options: { ...serveOptions, open: { ...serveOptions.open, default: true } },
  groups: serveGroups,
  examples: {
    'look at the shipped fixtures': 'triage-api explore',
    'look at fixtures of your own while you edit them': 'triage-api explore -f fixtures',
  },
  conflicts: (found) => {
    const { explorer } = found.origins;
    if (found.settings.explorer || explorer === undefined) return serveConflicts(found);
    return [
      `explore opens the explorer, which ${originLabel(explorer)} turns off; to serve without it, use serve`,
    ];
  },
  run: (call) => serve(serveSettings(call), call.terminal, call.version),
});
