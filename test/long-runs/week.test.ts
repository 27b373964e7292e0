import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { listen } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { ask, type Credential, fixtureAccounts, logIn, mint, signUp, wrongOnes } from './_accounts.js';
import { faultsIn, unlimited } from './_soak.js';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The bytes that a file or all files of a directory have. */
const sizeOf = async (path: string): Promise<number> => {
  const found = await stat(path);
  if (!found.isDirectory()) return found.size;
  const sizes = (await readdir(path)).map((name) => sizeOf(join(path, name)));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

/** Moves the clock, and returns what it shows then. */
const advance = async (url: string, duration: string): Promise<number> => {
  const headers = { 'Content-Type': 'application/json' };
  const change = { method: 'PUT', headers, body: JSON.stringify({ advance: duration }) };
  return Date.parse(Object(await (await fetch(`${url}/__admin/clock`, change)).json()).now);
};

/** When the first repository of an account was scanned last, in milliseconds. */
const scannedAt = async (url: string, session: string): Promise<number> =>
  Date.parse(Object(Object((await ask(url, '/api/v1/repos', { session })).body)[0]).lastScanAt);

test('through weeks, credentials end when they should, new data is fresh, and nothing grows', async (t) => {
  const state = join(await directoryWith(t, {}), 'accounts');
  const [acme] = fixtureAccounts();
  /** Each credential that has not been seen to end, and when it has to. */
  const lasting = new Map<Credential, number>();
  let over: Credential[] = [];
  let now = Date.parse('2030-01-07T00:00:00.000Z');
  const sizes: number[] = [];
  const memory: number[] = [];
  const ages = { signedUp: new Set<number>(), fixture: new Set<number>() };
  const options = ['--state', state, '--max-signups=40', '--render-cache=1mb', ...unlimited];

  for (const weeks of [2, 2]) {
    // The clock of a new start: fixtures are as fresh as they were on the first day.
    const server = await listen(t, [...options, '--now', new Date(now).toISOString()]);
    const { url } = server;
    t.timeout(600_000);
    sizes.push(await sizeOf(state));
    t.deepEqual(await wrongOnes(url, [...lasting.keys(), ...over.slice(-100)]), []);
    const fixtureScan = await scannedAt(url, acme.keeper);
    ages.fixture.add(now - fixtureScan);

    for (let step = 0; step < weeks * 28; step += 1) {
      const { account, status } = await signUp(url, `u${now}@soak.test`);
      t.is(status, 200);
      ages.signedUp.add(now - (await scannedAt(url, account.keeper)));
      t.is(await scannedAt(url, acme.keeper), fixtureScan, 'data ages, and does not move with the clock');
      t.is(await logIn(url, acme), 200);
      t.is(await mint(url, acme, { expiresInDays: 1 }), 201);
      t.is(await mint(url, acme, { expiresInDays: 3 }), 201);
      const first: Credential = { kind: 'session', value: account.keeper, id: '', isLive: true };
      for (const [index, credential] of [...acme.credentials.splice(0), first].entries()) {
        lasting.set(credential, now + ([7, 1, 3, 7][index] ?? 0) * day);
      }
      // A millisecond before the moment at which some of them end, and at that moment.
      now = await advance(url, `${6 * hour - 1}ms`);
      const ending = [...lasting].filter(([, until]) => until === now + 1).map(([credential]) => credential);
      t.deepEqual(await wrongOnes(url, ending), [], new Date(now).toISOString());
      now = await advance(url, '1ms');
      for (const credential of ending) {
        credential.isLive = false;
        lasting.delete(credential);
      }
      t.deepEqual(await wrongOnes(url, ending), [], new Date(now).toISOString());
      over = [...over, ...ending];
      if (step % 28 === 27) {
        t.deepEqual(await wrongOnes(url, lasting.keys()), []);
        collectGarbage();
        memory.push(process.memoryUsage().heapUsed / 2 ** 20);
      }
    }
    t.deepEqual(faultsIn(server), []);
    t.is((await server.end('SIGTERM')).code, 0);
  }
  const last = await listen(t, [...options, '--now', new Date(now).toISOString()]);
  sizes.push(await sizeOf(state));
  t.deepEqual(await wrongOnes(last.url, over), [], 'nothing comes back');
  t.log(`bytes stored at each start: ${sizes.join(', ')}`);
  t.log(`MiB in use after each week: ${memory.map((each) => each.toFixed(1)).join(', ')}`);
  t.is(ages.fixture.size, 1, 'fixtures are as fresh at each start');
  t.is(ages.signedUp.size, 1, 'new accounts are as fresh on each day');
  t.true(Math.max(...ages.signedUp, ...ages.fixture) < day);
  // From the tenth day on, as many accounts and sessions come as go.
  const [, stored = 0, storedLater = 0] = sizes;
  t.true(Math.abs(storedLater - stored) < stored / 50, 'what is stored does not grow');
  const [, , used = 0, usedLater = 0] = memory;
  t.true(usedLater < used + 4, 'memory does not grow');
});
