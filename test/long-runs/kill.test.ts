import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { amount } from '../_runs.js';
import { listenProcess } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { type Account, ask, end, fixtureAccounts, logIn, mint, signUp, wrongOnes } from './_accounts.js';
import { faultsIn, inLanes, pick, randomOf, unlimited } from './_soak.js';

const kills = amount('TEST_KILLS', 5);

test('kill -9 under sign-ups and other changes loses nothing acknowledged, and the server starts again', async (t) => {
  const randomFor = randomOf(t);
  const state = join(await directoryWith(t, {}), 'accounts');
  const words = ['--state', state, '--max-signups=100000', ...unlimited];
  const fixtures = fixtureAccounts();
  const accounts: Account[] = [...fixtures];
  const counts = { signUps: 0, others: 0, stored: 0, lost: 0 };
  const inFlightAtKills: number[] = [];
  let unanswered: readonly string[] = [];
  for (let round = 0; round <= kills; round += 1) {
    // A test without an assertion for so long hangs.
    t.timeout(600_000);
    const random = randomFor(round * 100);
    const { url, ...server } = await listenProcess(t, words);
    const isLast = round === kills;
    const known = accounts.flatMap(({ credentials }) => credentials);
    const newest = [...fixtures, ...accounts.slice(-20)].flatMap(({ credentials }) => credentials.slice(-30));
    const older = Array.from({ length: 40 }, () => pick(random, known)).filter((each) => each !== undefined);
    t.deepEqual(await wrongOnes(url, isLast ? known : [...newest, ...older]), [], `after kill ${round}`);
    for (const { email, keeper } of isLast ? accounts : accounts.slice(-20)) {
      const { body } = await ask(url, '/session', { session: keeper });
      t.is(Object(body).user?.email, email, `after kill ${round}`);
    }
    // A sign-up that was not answered is there as a whole, so that its address is taken, or not at all.
    for (const email of unanswered.slice(0, 2)) {
      const { account, status } = await signUp(url, email);
      if (status === 401) t.is(await logIn(url, account), 200, `after kill ${round}: ${email}`);
      else t.is(status, 200, `after kill ${round}: ${email}`);
      counts[status === 401 ? 'stored' : 'lost'] += 1;
      const session = account.credentials[0]?.value ?? account.keeper;
      const { body } = await ask(url, '/api/v1/repos', { session });
      t.true(Array.isArray(body) && body.length > 0, `after kill ${round}: ${email} has its rows`);
    }
    if (isLast) break;

    let isOver = false;
    // The moment follows from what was acknowledged, so that slow machines get as far. Two passwords at a
    // time are hashed, so at an answer another sign-up may be being written.
    const target = 1 + Math.floor(random() * 6);
    let reached = (): void => {};
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    /** The addresses of sign-ups that wait for their answer, the oldest first. */
    const inFlight = new Set<string>();
    let signUps = 0;
    const unexpected: string[] = [];
    const note = (what: string, status: number, expected: number): void => {
      if (status === expected) counts.others += 1;
      else if (status !== 0 || !isOver) unexpected.push(`${what}: ${status}`);
    };
    const signingUp = inLanes(8, async (lane) => {
      for (let i = 0; !isOver; i += 1) {
        const email = `u${round}-${lane}-${i}@soak.test`;
        inFlight.add(email);
        const { account, status } = await signUp(url, email);
        if (status !== 0) inFlight.delete(email);
        if (status === 200) {
          accounts.push(account);
          signUps += 1;
          if (signUps === target) reached();
        } else if (status !== 0 || !isOver) unexpected.push(`sign-up: ${status}`);
      }
    });
    const changing = inLanes(4, async (lane) => {
      const choice = randomFor(round * 100 + 1 + lane);
      while (!isOver) {
        // Every second change is one of the accounts of fixtures.
        const account = pick(choice, choice() < 0.5 ? fixtures : accounts) ?? fixtures[0];
        const live = account.credentials.filter(({ isLive }) => isLive === true);
        const one = pick(choice, live);
        const kind = choice();
        if (kind < 0.04 && live.length < 20) note('login', await logIn(url, account), 200);
        else if (one !== undefined && (kind < 0.5 || live.length >= 20))
          note('end', await end(url, account, one), 204);
        else {
          const status = await mint(url, account);
          // The limit: mints that were not answered may have left tokens behind.
          if (status !== 409) note('mint', status, 201);
        }
      }
    });
    await Promise.race([isReached, server.finished]);
    if (random() < 0.5) await delay(random() * 20);
    while (inFlight.size < 3 && server.child.exitCode === null) await delay(1);
    inFlightAtKills.push(inFlight.size);
    isOver = true;
    await server.end('SIGKILL');
    await Promise.all([signingUp, changing]);
    unanswered = [...inFlight];
    counts.signUps += signUps;
    t.deepEqual(unexpected, [], `before kill ${round + 1}`);
    t.deepEqual(faultsIn(server), [], `before kill ${round + 1}`);
  }
  t.log(
    `${kills} kills, each with ${Math.min(...inFlightAtKills)} sign-ups or more on their way; acknowledged:`,
    `${counts.signUps} sign-ups, ${counts.others} other changes; of some sign-ups that were not answered,`,
    `${counts.stored} were stored and ${counts.lost} were not`,
  );
});
