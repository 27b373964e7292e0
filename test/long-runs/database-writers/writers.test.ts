import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { type Random, randomFor } from '../../_random.js';
import { amount } from '../../_runs.js';
import { listenProcess, run } from '../../cli/_cli.js';
import { connected, urlWith } from '../../storage/postgres/_postgres.js';
import { crashes, startCrashingPostgres } from './_crashing-postgres.js';
import { checkRole, now, readersOf, stored } from './_readers.js';
import { tenants, writer } from './_writer.js';

/** For how long to write; `TEST_SECONDS=600` is the long form. */
const seconds = amount('TEST_SECONDS', 20);
/** Everything that is drawn follows from it: a run with the seed of another one repeats its rounds. */
const seed = amount('TEST_SEED', 1 + Math.floor(Math.random() * 2 ** 31));

const logins = {
  app: 'triage_serve',
  scanner: 'triage_write',
  loader: 'triage_owner',
  reader: 'triage_read',
} as const;

/** Prepares the database, its roles and tenants without rows, by the commands that an operator has. */
const prepare = async (t: ExecutionContext, url: string): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-fuzz-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  for (const id of tenants) {
    const user = { id, email: `${id}@fuzz.test`, name: id, password: 'a-long-enough-one' };
    const lifetime = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2027-01-01T00:00:00.000Z' };
    const fixture = { user, sessions: [{ id: 'ses_1', value: `session-of-${id}`, ...lifetime }] };
    await writeFile(join(directory, `${id}.json`), JSON.stringify(fixture));
  }
  for (const words of [
    ['db', 'migrate', '--roles'],
    ['db', 'import', directory],
  ]) {
    const { code, err } = await run([...words, '--database-url', url]);
    if (code !== 0) throw new Error(err);
  }
  await connected(url, async (client) => {
    for (const [name, group] of Object.entries(logins))
      await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' IN ROLE ${group}`);
  });
};

test('whatever programs write and whatever crashes, the API shows exactly what is committed', async (t) => {
  t.timeout((seconds + 1200) * 1000);
  t.log(`TEST_SEED=${seed}`);
  const postgres = await startCrashingPostgres(t);
  await prepare(t, postgres.url);
  const roleUrl = (username: keyof typeof logins) => urlWith(postgres.url, { username, password: 'secret' });

  // A lock that a writer holds makes a reader wait; it is no reason to answer 503.
  const settings = ['--database-url', roleUrl('app'), '--database-timeout', '60000', '--now', now];
  const servers = [await listenProcess(t, settings), await listenProcess(t, settings)];
  const connectAdmin = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  let admin = await connectAdmin();
  const isWaiting = async (pid: number): Promise<boolean> => {
    const { rows } = await admin.query('SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits', [pid]);
    return rows[0].waits === true;
  };
  const history: string[] = [];
  const note = (line: string) => history.push(line);
  const common = { isWaiting, note };
  const scanner = (name: string) => writer({ ...common, name, url: roleUrl('scanner'), isHeld: true });
  const owner = writer({ ...common, name: 'owner', url: roleUrl('loader'), isHeld: false });
  const writers = [scanner('writer 1'), scanner('writer 2'), scanner('writer 3'), owner] as const;
  const readers = readersOf(
    servers.map(({ url }) => url),
    seed,
  );

  /** Crashes the server while a statement runs or between two; what was committed must be there again. */
  const crash = async (random: Random): Promise<void> => {
    const way = random.pick(crashes);
    // A transaction that has a table for itself would hold up the look at what is stored.
    const isBusy = writers.some((each) => each.isRunning() || each.isExclusive());
    const isBetween = random.percent(70) && !isBusy;
    const before = isBetween ? await stored(admin) : null;
    history.push(`crash: ${way}`);
    readers.disturb();
    const pids = writers.map((each) => each.pid());
    const lost = new Promise((resolve) => admin.once('end', resolve));
    const acting = isBetween ? null : random.pick(writers).step(random);
    await Promise.all([postgres.crash(way), acting?.catch(() => {})]);
    // A writer without a connection may have a new one already.
    while (writers.some((each, index) => each.pid() !== null && each.pid() === pids[index]))
      await setTimeout(5);
    await lost;
    await postgres.untilAccepting();
    admin = await connectAdmin();
    if (isBetween && !isDeepStrictEqual(await stored(admin), before))
      throw new Error('the crash lost or changed what was committed');
  };

  const act = async (random: Random): Promise<void> => {
    const one = random.pick(writers);
    const next = random.weighted([
      [250, 'write'],
      [2, 'end a writer'],
      [1, 'end a server connection'],
      [4, 'crash'],
    ] as const);
    const end = `SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE`;
    if (next === 'write') await one.step(random);
    else if (next === 'crash') await crash(random);
    else if (next === 'end a writer') {
      history.push(next);
      await admin.query(`${end} pid = $1`, [one.pid()]);
      while (one.pid() !== null && !(await isConnected(one.pid()))) await setTimeout(5);
    } else {
      history.push(next);
      readers.disturb();
      await admin.query(`${end} usename = 'app' AND pid % 3 = $1`, [random.below(3)]);
    }
  };
  const isConnected = async (pid: number | null): Promise<boolean> =>
    (await admin.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount === 1;

  const play = async (round: number): Promise<void> => {
    const draw = randomFor(seed, 0, 'tenant', round);
    const steps = 10 + draw.below(200);
    for (let step = 1; step <= steps; step += 1) {
      const random = randomFor(seed, round, 'tenant', step);
      await act(random);
      for (const each of writers) await each.settle();
      readers.check();
      // Between two statements, what is committed stands still, whatever transactions are open.
      if (random.percent(20) && !writers.some((each) => each.isExclusive()))
        await readers.compareOne(admin, random);
    }
    const ends = writers.map((_, index) => randomFor(seed, round, 'repo', index));
    for (;;) {
      const ended: boolean[] = [];
      for (const [index, each] of writers.entries()) ended.push(await each.end(ends[index] ?? draw));
      if (ended.every(Boolean)) break;
      await setTimeout(5);
      for (const each of writers) await each.settle();
    }
    await readers.compareAll(admin, draw);
    for (const role of ['scanner', 'reader'] as const) await checkRole(admin, roleUrl(role));
    readers.check();
  };

  const started = performance.now();
  let round = 0;
  try {
    do {
      round += 1;
      await play(round);
    } while (performance.now() - started < seconds * 1000);
  } catch (error) {
    t.log(`round ${round}; the last of what was done:\n${history.slice(-60).join('\n')}`);
    throw error;
  } finally {
    t.log(`${round} rounds, ${history.length} steps, ${await readers.end()}`);
    await admin.end();
  }
  t.true(round > 0);
});
