import * as E from 'fp-ts/lib/Either.js';
import { hashSecret } from '../accounts/hash-secret.js';
import { createApp } from '../http/app.js';
import { listen } from '../http/listen.js';
import { fixtureStorage } from '../storage/fixtures/fixture-storage.js';
import { readFixtures } from '../storage/fixtures/read-directory.js';
import { replaceableStorage } from '../storage/replaceable-storage.js';
import { millisecondsOf } from '../vocabulary/timestamp.js';
import { banner } from './banner.js';
import { baseUrl, isExposed, localUrl } from './base-url.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { listenProblem } from './listen-problem.js';
import { accessLines, diagnostics } from './logging.js';
import type { ServeSettings } from './serve-settings.js';
import { shortPath } from './short-path.js';
import { tellFixtureProblems } from './tell-fixture-problems.js';
import type { Terminal } from './terminal.js';
import { watchFixtures } from './watch-fixtures.js';
import { tenantSamples } from './working-credentials.js';

/** How long requests in flight may take to finish once the process is asked to end, in milliseconds. */
const patience = 10_000;

/** `triage-api serve`: the API from fixtures, until a signal asks it to end. */
export const serve = async (settings: ServeSettings, terminal: Terminal): Promise<ExitCode> => {
  const { host, now, logLevel } = settings;
  const directory = shortPath(settings.fixtures);
  const wallClock = (): number => Date.now();
  const clock = now === undefined ? wallClock : () => millisecondsOf(now);
  const log = diagnostics(terminal, logLevel, wallClock);
  const load = fixtureStorage({ clock, hashSecret });

  const fixtures = await readFixtures(directory)();
  if (E.isLeft(fixtures)) {
    tellFixtureProblems(terminal, fixtures.left);
    return exitCode.failed;
  }
  const { storage, replace } = replaceableStorage(load(fixtures.right.map(({ dataset }) => dataset)));
  const samples = await tenantSamples({ storage, clock }, fixtures.right);

  const app = createApp({
    storage,
    clock,
    elapsed: () => performance.now(),
    log,
    tellAccess: accessLines(terminal, logLevel, wallClock),
    strict: settings.strict,
    delay: () => settings.delay + Math.random() * settings.jitter,
  });
  const signalled = terminal.signalled();
  const listening = await listen(app, host, settings.port)();
  if (E.isLeft(listening)) {
    terminal.err(listenProblem(listening.left, host, settings.port));
    return exitCode.failed;
  }
  const { port, stop } = listening.right;
  if (isExposed(host)) {
    log(
      'warn',
      `OPEN TO OTHER MACHINES: on ${host}, whoever reaches port ${port} can sign in with the credentials in ${directory}`,
    );
  }
  if (!settings.quiet) {
    for (const line of banner(directory, localUrl(host, port), samples)) terminal.out(line);
    terminal.out(`listening on ${baseUrl(host, port)}`);
  }

  const stopWatching = settings.watch
    ? watchFixtures(
        directory,
        async () => {
          const changed = await readFixtures(directory)();
          if (E.isLeft(changed)) {
            log('error', 'the changed fixtures are refused; the ones before are still served', {
              problems: changed.left,
            });
            return;
          }
          replace(load(changed.right.map(({ dataset }) => dataset)));
          log('info', 'fixtures read again', { tenants: changed.right.length });
        },
        (error) => log('warn', 'fixtures cannot be watched', { cause: String(error) }),
      )
    : async () => {};

  const signal = await signalled;
  const stopped = stop(patience);
  log('info', `${signal}: finishing requests in flight`);
  await stopWatching();
  await stopped;
  return exitCode.done;
};
