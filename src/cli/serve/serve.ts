import { setTimeout } from 'node:timers/promises';
import * as E from '#fp-ts/Either';
import type { Log } from '../../common/log.js';
import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import type { TlsCertificate } from '../../http/listen.js';
import { rateLimit } from '../../http/operations/rate-limit.js';
import { startServer } from '../../server/start-server.js';
import { frozenAt, machineTime, simulatedClock } from '../../simulation/simulated-clock.js';
import { defineCommand } from '../define-command.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import { linesTogether } from '../terminal/lines-together.js';
import { accessLog, diagnosticLog } from '../terminal/logging.js';
import type { Terminal } from '../terminal/terminal.js';
import { chooseSource } from './choose-source.js';
import { exposureWarning } from './exposure-warning.js';
import { formatListenError } from './listen-error.js';
import { openBackend } from './open-backend.js';
import { openPage } from './open-page.js';
import { originWarnings } from './origin-warnings.js';
import { printLines, printStart } from './print-start.js';
import { serveMetrics } from './serve-metrics.js';
import { localUrl } from './server-url.js';
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
export const serve = async (
  settings: ServeSettings,
  terminal: Terminal,
  _argument: string,
  version: string,
): Promise<ExitCode> => {
  const notAFolder =
    settings.state === undefined
      ? null
      : await (await import('./lock-state.js')).stateProblem(settings.state);
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
  const { readCertificate } = await import('./read-certificate.js');
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
  isDefault: true,
  options: serveOptions,
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
  readSettings: readServeSettings,
  run: serve,
});
