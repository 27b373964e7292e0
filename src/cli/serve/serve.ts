import { setTimeout } from 'node:timers/promises';
import * as E from '#fp-ts/Either';
import type { Clock } from '../../common/clock.js';
import { isLoopback } from '../../common/is-loopback.js';
import type { Log } from '../../common/log.js';
import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import { shippedFixtures } from '../../fixtures/read-fixtures.js';
import { defaultConnectionLimits } from '../../http/connections.js';
import { allowedHosts, anyHost } from '../../http/guard.js';
import { listen, type TlsCertificate } from '../../http/listen.js';
import type { Metrics } from '../../http/metrics.js';
import { rateLimit } from '../../http/operations/rate-limit.js';
import { explorerPath } from '../../pages/paths.js';
import { startServer } from '../../server/start-server.js';
import {
  frozenAt,
  machineTime,
  type SimulatedClock,
  simulatedClock,
} from '../../simulation/simulated-clock.js';
import { createSimulation, type Simulation } from '../../simulation/simulation.js';
import { defineCommand } from '../define-command.js';
import { accessLog, diagnosticLog, linesTogether } from '../terminal/logging.js';
import { type ExitCode, exitCode, type Terminal } from '../terminal/terminal.js';
import { openFixtureBackend, type ServeBackend } from './fixture-backend.js';
import { serveGroups, serveOptions } from './settings/serve-options.js';
import {
  type NamedSource,
  type ServeSettings,
  serveConflicts,
  serveSettings,
} from './settings/serve-settings.js';
import {
  baseUrl,
  exposureWarning,
  formatListenError,
  localUrl,
  originWarnings,
  printLines,
  printStart,
} from './start-messages.js';

type SimulationSettings = Pick<
  ServeSettings,
  | 'storage'
  | 'databaseUrl'
  | 'mockControls'
  | 'seed'
  | 'journalSize'
  | 'maxHang'
  | 'delay'
  | 'jitter'
  | 'failRate'
>;

/**
 * What a server simulates from the start: the delays and failures of its command line, as rules like any
 * other. Null: it has no mock controls.
 */
export const simulationOf = (settings: SimulationSettings): Simulation | null => {
  const { storage, databaseUrl, mockControls, delay, jitter, failRate } = settings;
  if (storage !== undefined || databaseUrl !== undefined || !mockControls) return null;
  const simulation = createSimulation(settings);
  if (delay + jitter > 0) simulation.faults.add({ delay, jitter });
  if (failRate > 0) simulation.faults.add({ code: 503, probability: failRate });
  return simulation;
};

/** The database to serve, if any, and what the first line says about the choice. */
export type ChosenSource = Readonly<{
  databaseUrl: string | undefined;
  /** In parentheses, after what is served; empty if there is nothing to say. */
  why: string;
  /** Whether a variable that may be meant for another program had a part in it. */
  isGuess: boolean;
}>;

/** How long a database may take to answer at the start at least, in milliseconds: longer than a request. */
const minTimeLimit = 5000;

/**
 * Chooses what to serve. A database that `DATABASE_URL` alone names is asked whether it has the schema of
 * triage-api: it may belong to another program, whose `.env` is loaded here.
 */
export const chooseSource = async ({
  databaseUrl,
  databaseTimeout,
  source,
}: Pick<ServeSettings, 'databaseUrl' | 'databaseTimeout' | 'source'>): Promise<ChosenSource> => {
  if (databaseUrl === undefined || !source.isGeneric)
    return { databaseUrl, why: inParentheses(source), isGuess: source.ignored !== null };
  const { whyForeign } = await import('./database-checks.js');
  const foreign = await whyForeign(databaseUrl, Math.max(databaseTimeout, minTimeLimit));
  return foreign === null
    ? { databaseUrl, why: inParentheses(source), isGuess: true }
    : {
        databaseUrl: undefined,
        why: ` (DATABASE_URL is ignored: ${foreign}; set TRIAGE_DATABASE_URL to serve from it)`,
        isGuess: true,
      };
};

const inParentheses = ({ name, ignored }: NamedSource): string => {
  const why = ignored ?? name;
  return why === null ? '' : ` (${why})`;
};

/** Metrics that are served on a port of their own. */
export type ServedMetrics = Readonly<{ metrics: Metrics; url: string; close: () => Promise<void> }>;

type MetricsSettings = Readonly<{ port: number; host: string }> & Pick<ServeSettings, 'allowedHosts'>;

type MetricsDependencies = Readonly<{ version: string; elapsed: Clock; log: Log }>;

/** How long whoever reads the metrics may take to finish when the server stops, in milliseconds. */
const metricsGracePeriod = 100;

/**
 * Serves metrics if the settings name a port; null: they do not. The library is loaded only then. `left`: why
 * it cannot listen.
 */
export const serveMetrics = async (
  {
    metricsPort: port,
    metricsHost: host,
    allowedHosts: listed,
  }: Pick<ServeSettings, 'metricsPort' | 'metricsHost' | 'allowedHosts'>,
  dependencies: MetricsDependencies,
): Promise<E.Either<string, ServedMetrics | null>> =>
  port === undefined ? E.right(null) : serveOn({ port, host, allowedHosts: listed }, dependencies);

const serveOn = async (
  { port, host, allowedHosts: listed }: MetricsSettings,
  { version, elapsed, log }: MetricsDependencies,
): Promise<E.Either<string, ServedMetrics>> => {
  const { createMetrics, metricsApp } = await import('../../http/metrics.js');
  const metrics = createMetrics(version, elapsed);
  const isAllowedHost = isLoopback(host) ? allowedHosts(listed) : anyHost;
  const listening = await listen(metricsApp(metrics.expose, isAllowedHost, log).callback(), {
    host,
    port,
    limits: defaultConnectionLimits,
    log,
  })();
  if (E.isLeft(listening))
    return E.left(`metrics: ${formatListenError(listening.left, host, port, 'metrics-')}`);
  const { right: server } = listening;
  return E.right({
    metrics,
    url: `${baseUrl(host, server.port)}/metrics`,
    close: () => server.stop(metricsGracePeriod),
  });
};

type Dependencies = Readonly<{
  simulated: SimulatedClock;
  log: Log;
  terminal: Terminal;
  metrics: ServedMetrics['metrics'] | null;
}>;

/**
 * Opens what is served: a storage of one's own, `databaseUrl` if it is chosen, or else fixtures. What only
 * the first two need is loaded for them alone. `left`: one line for each reason why it cannot be opened.
 */
export const openBackend = async (
  settings: ServeSettings,
  databaseUrl: string | undefined,
  { simulated, log, terminal, metrics }: Dependencies,
): Promise<E.Either<readonly string[], ServeBackend>> => {
  const { storage, fixtures = shippedFixtures } = settings;
  const clock = simulated.now;
  if (storage !== undefined) {
    const { openStorageBackend } = await import('./storage-backend.js');
    return openStorageBackend({ ...settings, storage }, { clock, log });
  }
  if (databaseUrl !== undefined) {
    const { openDatabaseBackend } = await import('./database-backend.js');
    return openDatabaseBackend({ ...settings, databaseUrl }, { clock, log, metrics });
  }
  return openFixtureBackend({ ...settings, fixtures }, { simulated, log, terminal, metrics });
};

/**
 * Opens a server at `url` in a browser: the explorer or, without it, the start page. A failure is only
 * logged.
 */
export const openPage = (
  url: string,
  hasExplorer: boolean,
  { terminal, log }: Readonly<{ terminal: Pick<Terminal, 'openBrowser'>; log: Log }>,
): void => {
  const page = `${url}${hasExplorer ? explorerPath : '/'}`;
  void terminal.openBrowser(page).then((problem) => {
    if (problem !== null) log('warn', `no browser was opened: open ${page} yourself`, { reason: problem });
  });
};

/** How long requests in flight may take to finish after a signal, in milliseconds. */
const gracePeriod = 10_000;

type Started = Readonly<{
  /** Announces the end to whoever sends requests, and keeps answering for as long as the settings say. */
  drain: (signal: string) => Promise<void>;
  stop: () => Promise<void>;
  log: Log;
  signal: Promise<string>;
  fatalError: Promise<readonly string[]>;
}>;

/** Serves the API and the web flows until a signal or a fatal error. */
export const serve = async (
  settings: ServeSettings,
  terminal: Terminal,
  _argument: string,
  version: string,
): Promise<ExitCode> => {
  const notAFolder =
    settings.state === undefined
      ? null
      : await (await import('./state-lock.js')).stateProblem(settings.state);
  if (notAFolder !== null) {
    terminal.err(notAFolder);
    return exitCode.usage;
  }
  const started = await start(settings, terminal, version);
  const fail = (lines: readonly string[]): ExitCode => {
    for (const line of lines) terminal.err(line);
    return exitCode.failed;
  };
  if (E.isLeft(started)) return fail(started.left);
  const { drain, stop, log, signal, fatalError } = started.right;
  const end = await Promise.race([
    signal.then((name) => E.right(name)),
    fatalError.then((lines) => E.left(lines)),
  ]);
  if (E.isRight(end)) await drain(end.right);
  const stopped = stop();
  if (E.isRight(end)) log('info', `${end.right}: finishing requests in flight`);
  await stopped;
  return E.isLeft(end) ? fail(end.left) : exitCode.done;
};

/** The certificate to serve with; null: without https. A server without it does not load what reads one. */
const certificateOf = async (
  { https, cert, key }: ServeSettings,
  now: number,
): Promise<E.Either<readonly string[], TlsCertificate | null>> => {
  if (!https || cert === undefined || key === undefined) return E.right(null);
  const { readCertificate } = await import('./certificate.js');
  return readCertificate(cert, key, now);
};

/**
 * Everything up to the line that says that the server listens. `left`: one line for each reason why it
 * cannot.
 */
const start = async (
  settings: ServeSettings,
  terminal: Terminal,
  version: string,
): Promise<E.Either<readonly string[], Started>> => {
  const { host, now, logLevel } = settings;
  const wallClock = (): number => Date.now();
  const beginning = now === undefined ? machineTime : frozenAt(millisecondsOf(now));
  const simulated = simulatedClock(wallClock, beginning);
  const clock = simulated.now;
  const elapsed = (): number => performance.now();
  const log = diagnosticLog(terminal, logLevel, wallClock);
  const tls = await certificateOf(settings, wallClock());
  if (E.isLeft(tls)) return tls;
  const served = await serveMetrics(settings, { version, elapsed, log });
  if (E.isLeft(served)) return E.left([served.left]);
  const metrics = served.right?.metrics ?? null;
  const closeMetrics = async (): Promise<void> => served.right?.close();
  const { databaseUrl, why, isGuess } = await chooseSource(settings);
  const dependencies = { simulated, log, terminal, metrics };
  const opened = await openBackend(settings, databaseUrl, dependencies);
  if (E.isLeft(opened)) {
    await closeMetrics();
    return opened;
  }
  const { banner, exposureRisk, onListening, fatalError, ...backend } = opened.right;

  const simulation = simulationOf(settings);
  const requestLines = linesTogether(terminal.out);
  const signal = terminal.onSignal();
  const server = await startServer({
    ...backend,
    clock,
    elapsed,
    log,
    observeRequests: metrics?.observeRequests ?? null,
    observeCalls: metrics?.observeCalls ?? null,
    onSecurityEvent: metrics?.onSecurityEvent ?? (() => {}),
    logAccess: accessLog({ ...terminal, out: requestLines.add }, logLevel, wallClock),
    strict: settings.strict,
    delay: simulation === null ? () => settings.delay + Math.random() * settings.jitter : () => 0,
    simulation,
    adminToken: settings.adminToken ?? null,
    rateLimit: settings.rateLimit === undefined ? null : rateLimit(settings.rateLimit, elapsed),
    renderCache: settings.renderCache,
    compression: settings.compression ?? !settings.trustProxy,
    limits: {
      loginsPerAccount: settings.loginLimit,
      loginsPerAccountAnywhere: settings.loginAccountLimit,
      loginsPerAddress: settings.loginAddressLimit,
      allLoginsPerAddress: settings.loginRateLimit,
      signUpsPerAddress: settings.signUpLimit,
    },
    corsOrigins: settings.corsOrigins,
    localhostCors: settings.localhostCors,
    crossSiteCookies: settings.crossSiteCookies,
    allowedHosts: settings.allowedHosts,
    connectionLimits: { maxConnections: settings.maxConnections },
    trustProxy: settings.trustProxy,
    explorer: settings.explorer,
    readyTimeout: settings.readyTimeout,
    tls: tls.right,
    host,
    port: settings.port,
  })();
  if (E.isLeft(server)) {
    await closeMetrics();
    const error = server.left;
    return E.left([
      error._tag === 'AssetsMissing' ? error.reason : formatListenError(error.cause, host, settings.port),
    ]);
  }
  const { address, port, drain, stop, connections } = server.right;
  metrics?.watchConnections(connections);
  const scheme = tls.right === null ? 'http' : 'https';
  const url = localUrl(host, port, scheme);
  const [first = '', ...sample] = banner(url);
  if (!settings.quiet) printLines([`${first}${why}`, ...settings.notes], terminal);
  else if (isGuess) log(databaseUrl === undefined ? 'warn' : 'info', `${first}${why}`);
  const exposure = exposureWarning({ ...settings, address, port }, exposureRisk);
  if (exposure !== null) log('warn', exposure);
  for (const warning of originWarnings(settings)) log('warn', warning);
  if (!settings.quiet)
    printStart({ settings, scheme, url, port, sample, metrics: served.right?.url }, terminal);
  onListening();
  if (settings.open) openPage(url, settings.explorer, { terminal, log });
  return E.right({
    log,
    signal,
    fatalError,
    drain: async (name) => {
      if (settings.drain === 0) return;
      log('info', `${name}: no longer ready, stopping in ${settings.drain} ms`);
      drain();
      await setTimeout(settings.drain);
    },
    stop: async () => {
      await stop(gracePeriod);
      requestLines.flush();
      await closeMetrics();
    },
  });
};

/** `triage-api serve`. */
export const serveCommand = defineCommand({
  name: 'serve',
  description: 'serve the API over HTTP',
  options: serveOptions,
  groups: serveGroups,
  examples: [
    { does: 'serve the shipped fixtures on port 5000', command: 'triage-api serve --port 5000' },
    {
      does: 'serve fixtures of your own to a front end on another origin',
      command: 'triage-api serve -f fixtures --cors-origin https://app.example.com',
    },
    {
      does: 'serve over https with a certificate that mkcert has made',
      command: 'triage-api serve --https --cert localhost.pem --key localhost-key.pem',
    },
  ],
  conflicts: serveConflicts,
  run: (_settings, terminal, argument, version, _words, found) =>
    serve(serveSettings(found), terminal, argument, version),
});
