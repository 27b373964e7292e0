import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { timestampAt } from '../../src/contract/codecs/timestamp.js';
import { fixturesFromValues } from '../../src/fixtures/fixtures-from-values.js';
import { validateDataset } from '../../src/fixtures/validate-dataset.js';
import { copyTenant } from '../../src/simulation/copy-tenant.js';
import type { LiveFixtures } from '../../src/simulation/live-fixtures.js';
import type { MadeTenant } from '../../src/simulation/on-demand-tenant.js';
import { patchOf } from '../../src/simulation/patches.js';
import { frozenAt, simulatedClock } from '../../src/simulation/simulated-clock.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, at, aUser, dataset, now } from '../_data.js';
import { bySession } from '../_storage.js';
import { opened, right } from './_opened.js';

const tenant = (id: string, drafts: number) => ({
  asOf: now,
  user: aUser(id),
  sessions: [aSession(id)],
  repos: [aRepo('web')],
  fixDrafts: Array.from({ length: drafts }, (_, index) => aDraft(`d${index}`, 'web')),
});

type Limits = Readonly<{ maxTenants?: number; maxRows?: number }>;

const open = async ({ maxTenants = 1000, maxRows = 1000 }: Limits = {}) => {
  const logged: string[] = [];
  const machine = { now: at(now) };
  const simulated = simulatedClock(() => machine.now, frozenAt(at(now)));
  const backend = await opened(
    async () => fixturesFromValues([tenant('two', 1), tenant('ten', 9)]),
    { tenantLimits: { maxTenants, maxRows } },
    {
      clock: simulated.now,
      simulated,
      log: (level, event, facts) => logged.push(`${level} ${event} ${facts?.userId}`),
    },
  );
  if (backend.live === null) throw new Error('the fixtures can be changed');
  const { live, storage } = backend;
  const works = async ({ session }: MadeTenant) =>
    E.isRight(await storage.repos(bySession(session, timestampAt(simulated.now()))));
  return { ...backend, live, machine, simulated, works, logged };
};

const created = (live: LiveFixtures, from: string, ttl: number | null = null) =>
  live.tenants.create({ from, ttl }, () => []);

const create = async (...words: Parameters<typeof created>): Promise<MadeTenant> =>
  right(await created(...words));

test('above the maximum of rows, as many go as have to, and what can never fit is refused', async (t) => {
  const { live, works } = await open({ maxRows: 12 });
  const made = [];
  for (const from of ['two', 'two', 'two', 'two', 'ten']) made.push(await create(live, from));
  t.deepEqual(await Promise.all(made.map(works)), [false, false, false, true, true]);
  const small = await open({ maxRows: 9 });
  const kept = await create(small.live, 'two');
  const message = '10 rows; all tenants on demand have at most 9 (--max-tenant-rows)';
  t.like(await created(small.live, 'ten'), {
    left: { _tag: 'InvalidChange', problems: [{ path: [], message, expected: null }] },
  });
  t.true(await small.works(kept));
});

test('a patch that adds rows makes room for them, or is refused', async (t) => {
  const { live, works } = await open({ maxRows: 6, maxTenants: 3 });
  const made = [await create(live, 'two'), await create(live, 'two'), await create(live, 'two')];
  const grow = (rows: number) =>
    live.change(
      made[0]?.id ?? '',
      patchOf({ fixDrafts: Array.from({ length: rows }, (_, index) => aDraft(`n${index}`, 'web')) }),
    );
  right(await grow(2));
  t.deepEqual(await Promise.all(made.map(works)), [true, false, true]);
  t.true(E.isLeft(await grow(6)));
  t.deepEqual(await Promise.all(made.map(works)), [true, false, true]);
  right(await grow(5));
  t.deepEqual(await Promise.all(made.map(works)), [true, false, false]);
});

test('a tenant ends in real time, whatever the clocks show', async (t) => {
  const { live, machine, works } = await open();
  const made = [await create(live, 'two', 1000), await create(live, 'two', 1001), await create(live, 'two')];
  t.deepEqual([made[0]?.createdAt, made[0]?.expiresAt], [now, timestampAt(at(now) + 1000)]);
  const day = 24 * 60 * 60 * 1000;
  right(await live.clock.change({ now: undefined, advance: day, running: true }));
  const own = live.tenants.clock(made[0]?.id ?? '');
  right((await own?.change({ now: undefined, advance: day, running: undefined })) ?? null);
  t.deepEqual(await Promise.all(made.map(works)), [true, true, true]);
  const after = async (milliseconds: number) => {
    machine.now += milliseconds;
    // Another tenant: whatever is done first removes those that have ended.
    await create(live, 'two');
    return Promise.all(made.map(works));
  };
  t.deepEqual(await after(999), [true, true, true]);
  t.deepEqual(await after(1), [false, true, true]);
  t.is(live.tenants.clock(made[0]?.id ?? ''), null);
  t.deepEqual(await after(1), [false, false, true]);
});

test('tenants that have ended take no room', async (t) => {
  const { live, machine, works, logged } = await open({ maxTenants: 2 });
  const lasting = await create(live, 'two');
  await create(live, 'two', 1000);
  machine.now += 1000;
  t.is(live.tenants.list().length, 1);
  await create(live, 'two');
  t.true(await works(lasting));
  t.deepEqual(logged, []);
});

test('making a tenant leaves the versions of all others', async (t) => {
  const { live, storage, simulated } = await open();
  const read = async (session: string) => right(await storage.repos(bySession(session)));
  const first = await create(live, 'ten');
  const before = [await read('ten'), await read(first.session)];
  for (let count = 0; count < 20; count += 1) await create(live, 'ten');
  const after = [await read('ten'), await read(first.session)];
  t.deepEqual(after, before);
  t.is(simulated.now(), at(now));
});

const copied = (...words: Parameters<typeof copyTenant>) => right(copyTenant(...words));

const original = dataset({
  asOf: now,
  user: aUser('kim'),
  repos: [aRepo('b'), aRepo('a')],
  scans: [aScan('s', 'a')],
  fixDrafts: Array.from({ length: 12 }, (_, index) => aDraft(`d${index}`, index % 2 === 0 ? 'a' : 'b')),
  pullRequests: [aPullRequest('p', 'd11')],
});

test('copies differ in everything that identifies somebody', (t) => {
  const copies = Array.from({ length: 50 }, () => copied(original, 'same', 0));
  const secrets = copies.flatMap(({ dataset: { user }, session, token, password }) => [
    user.id,
    user.email,
    session,
    token,
    password,
  ]);
  t.is(new Set(secrets).size, secrets.length);
});

test('fresh ids keep references, and the order of ids', (t) => {
  const { dataset: copy } = copied(original, 'fresh', at(now));
  t.true(E.isRight(validateDataset(copy)));
  const ids = (rows: readonly Readonly<{ id: string }>[]): readonly string[] => rows.map(({ id }) => id);
  for (const rows of ['repos', 'scans', 'fixDrafts', 'pullRequests'] as const) {
    const [before, after] = [ids(original[rows]), ids(copy[rows])];
    t.is(new Set([...before, ...after]).size, 2 * before.length);
    const rank = (list: readonly string[]) => list.map((id) => list.filter((other) => other < id).length);
    t.deepEqual(rank(after), rank(before));
  }
  const withoutIds = ({ id: _, repoId: __, ...rest }: (typeof copy.fixDrafts)[number]) => rest;
  t.deepEqual(copy.fixDrafts.map(withoutIds), original.fixDrafts.map(withoutIds));
});

test('a copy of a fixture without a date is dated for the moment, and any e-mail address has a copy', (t) => {
  for (const email of ['a@b', `${'x'.repeat(250)}@y.z`, '"a b"@x', 'ä@ö.test']) {
    const { asOf: _, ...undated } = original;
    const { dataset: copy } = copied(
      { ...undated, asOf: undefined, user: { ...original.user, email } },
      'same',
      at(now),
    );
    t.true(E.isRight(validateDataset(copy)), email);
    t.not(copy.user.email, email);
    t.is(copy.sessions[0]?.createdAt, timestampAt(at(now)));
  }
});
