import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { hashPassword } from '../accounts/hash-password.js';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import { type OpenFixtures, openFixtures } from '../server/open-fixtures.js';
import { shippedFixtures } from '../server/shipped-fixtures.js';
import { readFixtures } from '../storage/fixtures/read-fixtures.js';
import { banner } from './banner.js';
import { isExposed } from './base-url.js';
import type { DataSource } from './data-source.js';
import { fixtureProblemLines } from './fixture-problem-lines.js';
import { lockState } from './lock-state.js';
import { shortPath } from './short-path.js';
import type { Terminal } from './terminal.js';
import { watchFixtures } from './watch-fixtures.js';

type Settings = Readonly<{
  fixtures: string;
  host: string;
  state: string | undefined;
  maxSignups: number;
  watch: boolean;
}>;

type Dependencies = Readonly<{ clock: Clock; log: Log; terminal: Terminal }>;

/** Fixtures as a source, with the state that belongs to them; `left`: all that is wrong, a line each. */
export const fixtureSource = async (
  { fixtures, host, state, maxSignups, watch }: Settings,
  { clock, log, terminal }: Dependencies,
): Promise<E.Either<readonly string[], DataSource>> => {
  const directory = shortPath(fixtures);
  if (state !== undefined && dirname(resolve(state)) === resolve(directory)) {
    return E.left(
      fixtureProblemLines([`${state}: expected a state file outside of the fixtures, got one among them`]),
    );
  }
  const lock = state === undefined ? E.right(() => {}) : lockState(state, terminal.pid, terminal.isRunning);
  if (E.isLeft(lock)) return E.left([lock.left]);
  const unlock = lock.right;
  const watching = watch ? await watchFixtures(directory, log) : null;
  const opened = await openFixtures(
    {
      read: readFixtures(directory),
      tellPasswords: areKnown(directory) || !isExposed(host),
      state,
      maxSignups,
    },
    { clock, log, hashPassword },
  );
  if (E.isLeft(opened)) {
    await watching?.stop();
    unlock();
    return E.left(fixtureProblemLines(opened.left));
  }
  const { storage, samples, reload, close, demo, demoAccounts } = opened.right;
  return E.right({
    storage,
    mode: 'fixtures',
    demo,
    demoAccounts,
    banner: (baseUrl) => banner(directory, baseUrl, samples),
    exposure: `can sign in with the credentials in ${directory}`,
    begin: () => watching?.tell(tellReload(reload, log)),
    failed: new Promise(() => {}),
    close: async () => {
      await watching?.stop();
      await close();
      unlock();
    },
  });
};

/** Whether everybody knows the passwords of these fixtures anyway. */
const areKnown = (directory: string): boolean => resolve(directory) === resolve(shippedFixtures);

const tellReload = (reload: OpenFixtures['reload'], log: Log) => async (): Promise<void> => {
  const changed = await reload();
  if (E.isRight(changed)) log('info', 'fixtures read again', { tenants: changed.right });
  else
    log('error', 'the changed fixtures are refused; the ones before are still served', {
      problems: changed.left,
    });
};
