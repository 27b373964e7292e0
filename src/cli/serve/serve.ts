import { setTimeout } from 'node:timers/promises';
import * as E from '#fp-ts/Either';
import { defaultHashingLimits, hashingQueue } from '../../accounts/hashing-queue.js';
import { millisecondsOf } from '../../codecs/timestamp.js';
import type { Log } from '../../common/log.js';
import { shippedFixtures } from '../../server/shipped-fixtures.js';
import { startServer } from '../../server/start-server.js';
import { rateLimit } from '../../simulation/rate-limit.js';
import { frozenAt, machineTime, simulatedClock } from '../../simulation/simulated-clock.js';
import { explorerPath } from '../../web-pages/layout.js';
import { defineCommand } from '../define-command.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import { linesTogether } from '../terminal/lines-together.js';
import { accessLog, diagnosticLog } from '../terminal/logging.js';
import type { Terminal } from '../terminal/terminal.js';
import { openFixtureBackend } from './fixture-backend.js';
import { formatListenError } from './listen-error.js';
import { originWarnings } from './origin-warnings.js';
import { serveMetrics } from './serve-metrics.js';
import { baseUrl, isExposed, localUrl, otherLocalUrl } from './server-url.js';
import { readServeSettings, type ServeSettings, serveOptions } from './settings/serve-settings.js';
import { simulationOf } from './simulation-of.js';

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
const serve = async (
  settings: ServeSettings,
  terminal: Terminal,
  _argument: string,
  version: string,
): Promise<ExitCode> => {
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

/**
 * Everything up to the line that says that the server listens. `left`: one line for each reason why it
 * cannot.
 */
const start = async (
  settings: ServeSettings,
  terminal: Terminal,
  version: string,
): Promise<E.Either<readonly string[], Started>> => {
  const { host, now, logLevel, databaseUrl } = settings;
  const wallClock = (): number => Date.now();
  const simulated = simulatedClock(
    wallClock,
    now === undefined ? machineTime : frozenAt(millisecondsOf(now)),
  );
  const clock = simulated.now;
  const elapsed = (): number => performance.now();
  const log = diagnosticLog(terminal, logLevel, wallClock);
  const hashing = hashingQueue(defaultHashingLimits);
  const served = await serveMetrics(settings, { version, elapsed, log });
  if (E.isLeft(served)) return E.left([served.left]);
  const metrics = served.right?.metrics ?? null;
  const closeMetrics = async (): Promise<void> => served.right?.close();
  const opened =
    databaseUrl === undefined
      ? await openFixtureBackend(
          { ...settings, fixtures: settings.fixtures ?? shippedFixtures },
          { simulated, log, terminal, hashing, metrics },
        )
      : await (await import('./database-backend.js')).openDatabaseBackend(
          { ...settings, databaseUrl },
          { clock, elapsed, log, metrics },
        );
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
    hashing,
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
  if (
    isExposed({ host: address, trustProxy: settings.trustProxy, allowedHosts: settings.allowedHosts }) &&
    exposureRisk !== null
  ) {
    const where = `${settings.trustProxy ? 'the proxy or ' : ''}port ${port} of ${host}`;
    log('warn', `OPEN TO OTHER MACHINES: anyone who can reach ${where} ${exposureRisk}`);
  }
  for (const warning of originWarnings(settings)) log('warn', warning);
  if (!settings.quiet) {
    // What reads the access log from standard output gets nothing else.
    const print = terminal.outIsTerminal ? terminal.out : terminal.err;
    for (const line of banner(localUrl(host, port))) print(line);
    if (served.right !== null) print(`metrics on ${served.right.url}`);
    if (settings.explorer) print(`look at the data: ${localUrl(host, port)}${explorerPath}`);
    const other = otherLocalUrl(host, port);
    if (other !== null)
      print(`also at ${other}: browsers keep a session only under the host name of the page`);
    print(`listening on ${baseUrl(host, port)}`);
  }
  onListening();
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
  isDefault: true,
  options: serveOptions,
  readSettings: readServeSettings,
  run: serve,
});
