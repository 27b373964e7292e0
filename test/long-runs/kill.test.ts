import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { amount } from '../_runs.js';
import { listenProcess } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { type Account, end, fixtureAccounts, logIn, mint, signUp, wrongOnes } from './_accounts.js';
import { faultsIn, inLanes, pick, randomOf, unlimited } from './_soak.js';

const kills = amount('TEST_KILLS', 5);

test('kill -9 under sign-ups and other changes loses nothing acknowledged, and the server starts again', async (t) => {
  const randomFor = randomOf(t);
  const state = join(await directoryWith(t, {}), 'accounts');
  const words = ['--state', state, '--max-signups=100000', ...unlimited];
  const accounts: Account[] = [...fixtureAccounts()];
  let unanswered: readonly string[] = [];
  for (let round = 0; round <= kills; round += 1) {
    // A test without an assertion for so long hangs.
    t.timeout(600_000);
    const random = randomFor(round * 100);
    const { url, ...server } = await listenProcess(t, words);
    const known = accounts.flatMap(({ credentials }) => credentials);
    t.deepEqual(await wrongOnes(url, known.slice(round === kills ? 0 : -500)), [], `after kill ${round}`);
    // A sign-up that was not answered is there as a whole, so that its address is taken, or not at all.
    for (const email of unanswered.slice(0, 2)) {
      const { account, status } = await signUp(url, email);
      t.is(status === 401 ? await logIn(url, account) : status, 200, `after kill ${round}: ${email}`);
    }
    if (round === kills) break;

    let isOver = false;
    const unexpected: string[] = [];
    const expect = (what: string, status: number, ...expected: readonly number[]): void => {
      if (!expected.includes(status) && !(status === 0 && isOver)) unexpected.push(`${what}: ${status}`);
    };
    // The moment follows from what was acknowledged, so that slow machines get as far.
    const target = accounts.length + 1 + Math.floor(random() * 6);
    /** The addresses of sign-ups that wait for their answer, the oldest first. */
    const inFlight = new Set<string>();
    const signingUp = inLanes(8, async (lane) => {
      for (let i = 0; !isOver; i += 1) {
        const email = `u${round}-${lane}-${i}@soak.test`;
        inFlight.add(email);
        const { account, status } = await signUp(url, email);
        expect('sign-up', status, 200);
        if (status !== 0) inFlight.delete(email);
        if (status === 200) accounts.push(account);
      }
    });
    const changing = inLanes(4, async (lane) => {
      const choice = randomFor(round * 100 + 1 + lane);
      while (!isOver) {
        // Every second change is one of the accounts of fixtures.
        const account = pick(choice, accounts.slice(0, choice() < 0.5 ? 2 : undefined));
        const live = account?.credentials.filter(({ isLive }) => isLive === true) ?? [];
        const one = pick(choice, live);
        if (account === undefined) continue;
        if (one !== undefined && choice() < 0.5) expect('end', await end(url, account, one), 204);
        else if (choice() < 0.1) expect('login', await logIn(url, account), 200);
        // 409: mints that were not answered may have left tokens behind.
        else expect('mint', await mint(url, account), 201, 409);
      }
    });
    const isRunning = () => server.child.exitCode === null;
    while ((accounts.length < target || inFlight.size < 3) && isRunning()) await delay(1);
    isOver = true;
    await server.end('SIGKILL');
    await Promise.all([signingUp, changing]);
    unanswered = [...inFlight];
    t.deepEqual([...unexpected, ...faultsIn(server)], [], `before kill ${round + 1}`);
  }
  t.log(`${kills} kills, ${accounts.length - 2} sign-ups acknowledged`);
});
