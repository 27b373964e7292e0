import * as E from 'fp-ts/lib/Either.js';
import { attemptLimiter } from '../accounts/attempt-limiter.js';
import { hashPassword, isPassword } from '../accounts/hash-password.js';
import { millisecondsOf } from '../codecs/timestamp.js';
import type { Log } from '../common/log.js';
import { createApp } from '../http/app.js';
import { listen } from '../http/listen.js';
import { shippedFixtures } from '../server/shipped-fixtures.js';
import { readSwaggerUi } from '../server/swagger-ui.js';
import { baseUrl, isExposed, localUrl } from './base-url.js';
import { databaseSource } from './database-source.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { fixtureSource } from './fixture-source.js';
import { listenProblem } from './listen-problem.js';
import { accessLines, diagnostics } from './logging.js';
import type { ServeSettings } from './serve-settings.js';
import type { Terminal } from './terminal.js';

/** How long requests in flight may take to finish once the process is asked to end, in milliseconds. */
const patience = 10_000;

type Running = Readonly<{
  stop: () => Promise<void>;
  log: Log;
  signalled: Promise<string>;
  failed: Promise<readonly string[]>;
}>;

/** `triage-api serve`: the API and the web flows, until a signal asks it to end. */
export const serve = async (settings: ServeSettings, terminal: Terminal): Promise<ExitCode> => {
  const running = await start(settings, terminal);
  const refuse = (lines: readonly string[]): ExitCode => {
    for (const line of lines) terminal.err(line);
    return exitCode.failed;
  };
  if (E.isLeft(running)) return refuse(running.left);
  const { stop, log, signalled, failed } = running.right;
  const end = await Promise.race([
    signalled.then((signal) => E.right(signal)),
    failed.then((lines) => E.left(lines)),
  ]);
  const stopped = stop();
  if (E.isRight(end)) log('info', `${end.right}: finishing requests in flight`);
  await stopped;
  return E.isLeft(end) ? refuse(end.left) : exitCode.done;
};

/** Everything up to the listening line; `left`: why not, a line for each reason. */
const start = async (
  settings: ServeSettings,
  terminal: Terminal,
): Promise<E.Either<readonly string[], Running>> => {
  const { host, now, logLevel, databaseUrl } = settings;
  const wallClock = (): number => Date.now();
  const clock = now === undefined ? wallClock : () => millisecondsOf(now);
  const log = diagnostics(terminal, logLevel, wallClock);
  const swaggerUi = readSwaggerUi();
  if (E.isLeft(swaggerUi)) return E.left([swaggerUi.left]);
  const opened =
    databaseUrl === undefined
      ? await fixtureSource(
          { ...settings, fixtures: settings.fixtures ?? shippedFixtures },
          { clock, log, terminal },
        )
      : await databaseSource({ ...settings, databaseUrl }, log);
  if (E.isLeft(opened)) return opened;
  const source = opened.right;

  const app = createApp({
    storage: source.storage,
    clock,
    elapsed: () => performance.now(),
    log,
    logAccess: accessLines(terminal, logLevel, wallClock),
    strict: settings.strict,
    delay: () => settings.delay + Math.random() * settings.jitter,
    accounts: {
      attempts: attemptLimiter({
        loginsPerAccount: settings.loginLimit,
        loginsPerAddress: settings.loginAddressLimit,
        signUpsPerAddress: settings.signupLimit,
      }),
      hashPassword,
      isPassword,
      demo: source.demo,
    },
    corsOrigins: settings.corsOrigin,
    trustProxy: settings.trustProxy,
    mode: source.mode,
    demoAccounts: source.demoAccounts,
    swaggerUi: swaggerUi.right,
  });
  const signalled = terminal.signalled();
  const listening = await listen(app, host, settings.port)();
  if (E.isLeft(listening)) {
    await source.close();
    return E.left([listenProblem(listening.left, host, settings.port)]);
  }
  const { address, port, stop } = listening.right;
  if (isExposed(address) && source.exposure !== null) {
    log('warn', `OPEN TO OTHER MACHINES: on ${host}, whoever reaches port ${port} ${source.exposure}`);
  }
  if (!settings.quiet) {
    for (const line of source.banner(localUrl(host, port))) terminal.out(line);
    terminal.out(`listening on ${baseUrl(host, port)}`);
  }
  source.begin();
  return E.right({
    log,
    signalled,
    failed: source.failed,
    stop: async () => {
      await stop(patience);
      await source.close();
    },
  });
};
