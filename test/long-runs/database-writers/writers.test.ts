import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { type Random, randomFor } from '../../_random.js';
import { amount } from '../../_runs.js';
import { listenProcess, run } from '../../cli/_cli.js';
import { connected, urlWith } from '../../postgres/_postgres.js';
import { crashes, startCrashingPostgres } from './_crashing-postgres.js';
import { checkRole, now, readersOf, stored } from './_readers.js';
import { changeRows, connect, tenants, write } from './_writer.js';

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
  const history: string[] = [];
  const note = (line: string) => history.push(line);
  const scanner = { url: roleUrl('scanner'), isHeld: true };
  const writers = [scanner, scanner, scanner, { url: roleUrl('loader'), isHeld: false }];
  const readers = readersOf(
    servers.map(({ url }) => url),
    seed,
  );

  const crash = async (random: Random): Promise<void> => {
    const way = random.pick(crashes);
    note(`crash: ${way}`);
    readers.disturb();
    const lost = new Promise((resolve) => admin.once('end', resolve));
    await postgres.crash(way);
    await lost;
    admin = await connectAdmin();
  };
  /** Ends a third of the connections of a role. */
  const endSome = async (random: Random, role: keyof typeof logins): Promise<void> => {
    note(`end connections of ${role}`);
    if (role === 'app') readers.disturb();
    await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND pid % 3 = $2',
      [role, random.below(3)],
    );
  };

  const play = async (round: number): Promise<void> => {
    const random = randomFor(seed, 0, 'tenant', round);
    let isOver = false;
    const situations = writers.map((each, index) => ({
      ...each,
      name: `writer ${index}`,
      random: randomFor(seed, round, 'repo', index),
      isOver: () => isOver,
      note,
    }));
    const writing = Promise.all(situations.map(write));
    writing.catch(() => {});
    for (let left = 1 + random.below(20); left > 0; left -= 1) {
      await Promise.race([writing, setTimeout(random.below(200))]);
      readers.check();
      const happens = random.weighted([
        [14, null],
        [2, 'scanner'],
        [1, 'app'],
        [2, 'crash'],
      ] as const);
      if (happens === 'crash') await crash(random);
      else if (happens !== null) await endSome(random, happens);
    }
    isOver = true;
    await writing;
    if (random.percent(30)) {
      const before = await stored(admin);
      await crash(random);
      t.deepEqual(await stored(admin), before, 'the crash has changed what was committed');
    }
    // What is committed stands still, and a transaction that is open shows nothing.
    const [situation] = situations;
    const client = await connect(scanner);
    if (situation !== undefined) await changeRows(client, situation);
    await readers.compare(admin, random);
    await client.end();
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
