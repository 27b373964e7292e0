import * as E from 'fp-ts/lib/Either.js';
import { countAttempts } from '../accounts/attempts.js';
import { hashPassword, isPassword } from '../accounts/hash-password.js';
import { createApp } from '../http/app.js';
import { listen } from '../http/listen.js';
import type { Log } from '../vocabulary/log.js';
import { millisecondsOf } from '../vocabulary/timestamp.js';
import { banner } from './banner.js';
import { baseUrl, isExposed, localUrl } from './base-url.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { fixtureProblemLines } from './fixture-problem-lines.js';
import { listenProblem } from './listen-problem.js';
import { lockState } from './lock-state.js';
import { accessLines, diagnostics } from './logging.js';
import { type OpenFixtures, openFixtures } from './open-fixtures.js';
import type { ServeSettings } from './serve-settings.js';
import { shortPath } from './short-path.js';
import { readSwaggerUi } from './swagger-ui.js';
import type { Terminal } from './terminal.js';
import { watchFixtures } from './watch-fixtures.js';

/** How long requests in flight may take to finish once the process is asked to end, in milliseconds. */
const patience = 10_000;

type Running = Readonly<{ stop: () => Promise<void>; log: Log; signalled: Promise<string> }>;

/** `triage-api serve`: the API and the web flows from fixtures, until a signal asks it to end. */
export const serve = async (settings: ServeSettings, terminal: Terminal): Promise<ExitCode> => {
  const running = await start(settings, terminal);
  if (E.isLeft(running)) {
    for (const line of running.left) terminal.err(line);
    return exitCode.failed;
  }
  const { stop, log, signalled } = running.right;
  const signal = await signalled;
  const stopped = stop();
  log('info', `${signal}: finishing requests in flight`);
  await stopped;
  return exitCode.done;
};

/** Everything up to the listening line; `left`: why not, a line for each reason. */
const start = async (
  settings: ServeSettings,
  terminal: Terminal,
): Promise<E.Either<readonly string[], Running>> => {
  const { host, now, logLevel, state, maxSignups } = settings;
  const directory = shortPath(settings.fixtures);
  const wallClock = (): number => Date.now();
  const clock = now === undefined ? wallClock : () => millisecondsOf(now);
  const log = diagnostics(terminal, logLevel, wallClock);

  const swaggerUi = readSwaggerUi();
  if (E.isLeft(swaggerUi)) return E.left([swaggerUi.left]);
  const lock = state === undefined ? E.right(() => {}) : lockState(state, terminal.pid, terminal.isRunning);
  if (E.isLeft(lock)) return E.left([lock.left]);
  const unlock = lock.right;
  const watching = settings.watch ? await watchFixtures(directory, log) : null;
  const opened = await openFixtures({ directory, host, state, maxSignups }, { clock, log });
  if (E.isLeft(opened)) {
    await watching?.stop();
    unlock();
    return E.left(fixtureProblemLines(opened.left));
  }
  const { storage, samples, reload, close, demo, demoAccounts } = opened.right;

  const app = createApp({
    storage,
    clock,
    elapsed: () => performance.now(),
    log,
    tellAccess: accessLines(terminal, logLevel, wallClock),
    strict: settings.strict,
    delay: () => settings.delay + Math.random() * settings.jitter,
    accounts: {
      attempts: countAttempts({
        loginsPerAccount: settings.loginLimit,
        loginsPerAddress: settings.loginAddressLimit,
        signUpsPerAddress: settings.signupLimit,
      }),
      hashPassword,
      isPassword,
      demo,
    },
    corsOrigins: settings.corsOrigin,
    trustProxy: settings.trustProxy,
    mode: 'fixtures',
    demoAccounts,
    swaggerUi: swaggerUi.right,
  });
  const signalled = terminal.signalled();
  const listening = await listen(app, host, settings.port)();
  if (E.isLeft(listening)) {
    await close();
    await watching?.stop();
    unlock();
    return E.left([listenProblem(listening.left, host, settings.port)]);
  }
  const { address, port, stop } = listening.right;
  if (isExposed(address)) {
    log(
      'warn',
      `OPEN TO OTHER MACHINES: on ${host}, whoever reaches port ${port} can sign in with the credentials in ${directory}`,
    );
  }
  if (!settings.quiet) {
    for (const line of banner(directory, localUrl(host, port), samples)) terminal.out(line);
    terminal.out(`listening on ${baseUrl(host, port)}`);
  }

  watching?.tell(tellReload(reload, log));
  return E.right({
    log,
    signalled,
    stop: async () => {
      const stopped = stop(patience);
      await watching?.stop();
      await stopped;
      await close();
      unlock();
    },
  });
};

const tellReload = (reload: OpenFixtures['reload'], log: Log) => async (): Promise<void> => {
  const changed = await reload();
  if (E.isRight(changed)) log('info', 'fixtures read again', { tenants: changed.right });
  else
    log('error', 'the changed fixtures are refused; the ones before are still served', {
      problems: changed.left,
    });
};
