import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { migrate } from '../src/storage/postgres/migrate.js';
import { roleNames } from '../src/storage/postgres/roles/role-names.js';
import { connected, urlWith } from '../test/storage/postgres/_postgres.js';
import { dropRoles } from '../test/storage/postgres/_role.js';
import { aTenantOf } from '../test/storage/postgres/_tenants.js';
import { median } from './load.js';
import { withDatabase, withPostgres } from './postgres.js';
import { timeOfPostgres } from './processes.js';
import type { Context, Report } from './report.js';

const tenant = 'bench';

/** The tables that other programs write to. */
const tables = ['repos', 'scans', 'fix_drafts', 'pull_requests'];

/** A statement with its values, and the row that it locks, as a key by which such rows can be sorted. */
type Write = Readonly<{ text: string; values: readonly string[]; row: string }>;

const write =
  (table: string, text: string) =>
  (id: string, ...values: readonly string[]): Write => ({
    text,
    values: [tenant, id, ...values],
    row: `${table} ${id}`,
  });

const setStatus = write(
  'fix_drafts',
  'UPDATE triage.fix_drafts SET status = $3 WHERE user_id = $1 AND id = $2',
);
const setPrState = write(
  'pull_requests',
  'UPDATE triage.pull_requests SET pr_state = $3 WHERE user_id = $1 AND id = $2',
);
const insertFinding = write(
  'fix_drafts',
  `INSERT INTO triage.fix_drafts VALUES ($1, $2, $3, $4, 'lodash', 'npm', '< 4.17.21', '>= 4.17.21',
    'high', 0.5, 0.25, 'pending', 'none', now(), now(), NULL)`,
);
const deleteFinding = write('fix_drafts', 'DELETE FROM triage.fix_drafts WHERE user_id = $1 AND id = $2');
/** What is measured: each call of `transaction` gives the statements of another one. */
type Case = Readonly<{ title: string; transaction: () => readonly Write[] }>;

const random = (count: number): number => Math.floor(Math.random() * count);
const pick = (...values: readonly string[]): string => values[random(values.length)] ?? '';

/** Rows are deleted that were inserted before. All of it goes to 5 of the 30 repositories. */
const casesFor = (rows: number): readonly Case[] => {
  const prefix = Math.random().toString(36).slice(2);
  let [inserted, deleted] = [0, 0];
  const existing = (): number => 30 * (1 + random(Math.floor(rows / 30) - 1)) + random(5);
  const changeStatus = (): Write =>
    setStatus(`d${existing()}`, pick('pending', 'drafting', 'escalated', 'resolved'));
  const changeState = (): Write => setPrState(`p${existing()}`, pick('open', 'merged', 'closed'));
  const insert = (): Write => {
    inserted += 1;
    return insertFinding(`${prefix}_${inserted}`, `r${random(5)}`, `GHSA-${random(2000)}`);
  };
  const remove = (): Write => {
    deleted += 1;
    return deleteFinding(`${prefix}_${deleted}`);
  };
  return [
    { title: 'update the status of a finding', transaction: () => [changeStatus()] },
    { title: 'update the state of a pull request', transaction: () => [changeState()] },
    { title: 'insert a finding', transaction: () => [insert()] },
    { title: 'delete a finding', transaction: () => [remove()] },
    {
      title: 'make four changes',
      // In the order of the rows: only what the schema itself locks can deadlock.
      transaction: () =>
        [changeState(), changeStatus(), changeStatus(), insert()].toSorted((l, r) =>
          l.row < r.row ? -1 : l.row > r.row ? 1 : 0,
        ),
    },
  ];
};

type Side = Readonly<{ clients: readonly pg.Client[]; cases: readonly Case[] }>;

/** Opens connections of a role for writing that has set the tenant. */
const open = async (url: string, count: number, rows: number): Promise<Side> => {
  const options = `-c triage.user_id=${tenant} -c deadlock_timeout=10ms`;
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: url, options }));
  // A server that stops says so to each connection; without a listener Node would end.
  for (const client of clients) client.on('error', () => {});
  await Promise.all(clients.map((client) => client.connect()));
  return { clients, cases: casesFor(rows) };
};

/** Runs one transaction; gives 1 if it was the victim of a deadlock, which has changed nothing. */
const deadlocksIn = async (client: pg.Client, statements: readonly Write[]): Promise<number> => {
  try {
    if (statements.length > 1) await client.query('BEGIN');
    // Each text is prepared once per connection.
    for (const { text, values } of statements)
      await client.query({ name: text.slice(0, 60), text, values: [...values] });
    if (statements.length > 1) await client.query('COMMIT');
    return 0;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error;
    if (statements.length > 1) await client.query('ROLLBACK');
    return 1;
  }
};

/** What a number of transactions took: milliseconds of time and of processor time each, and deadlocks. */
type Run = Readonly<{ time: number; processor: number; deadlocks: number }>;

const runCase = async (
  { clients, cases }: Side,
  index: number,
  transactions: number,
  processorTime: () => Promise<number>,
): Promise<Run> => {
  let started = 0;
  let deadlocks = 0;
  const before = await processorTime();
  const start = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (started < transactions) {
        started += 1;
        deadlocks += await deadlocksIn(client, cases[index]?.transaction() ?? []);
      }
    }),
  );
  const time = (performance.now() - start) / transactions;
  return { time, processor: ((await processorTime()) - before) / transactions, deadlocks };
};

/** Prepares a database with a tenant, and gives its URL for a role that may write. */
const prepareSide = (url: string, prefix: string, rows: number, isPlain: boolean): Promise<string> =>
  connected(url, async (client) => {
    const roles = roleNames(prefix);
    const migrated = await migrate(client, { roles })();
    if (E.isLeft(migrated)) throw new Error(JSON.stringify(migrated.left));
    const login = `${prefix}_login`;
    await client.query(`DROP ROLE IF EXISTS ${login}`);
    await client.query(`CREATE ROLE ${login} LOGIN PASSWORD 'secret' IN ROLE ${roles.write}`);
    await aTenantOf(client, tenant, rows);
    // The triggers of foreign keys stay: a table without them would be another one.
    if (isPlain)
      for (const table of tables)
        await client.query(
          `ALTER TABLE triage.${table} DISABLE TRIGGER USER, DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY`,
        );
    await client.query('VACUUM ANALYZE');
    return urlWith(url, { username: login, password: 'secret' });
  });

/** Writing with the triggers and policies of the schema against the same tables without them. */
export const writers = async ({ print, quick, rounds, rows, connections }: Context): Promise<Report> => {
  const transactions = quick ? 300 : 1000;
  const size = rows.at(-1) ?? 0;
  const prefixes = ['ours', 'plain'].map((name) => `triage_bench_${process.pid}_${name}`);
  const compare = async (url: string, ours: Side, plain: Side): Promise<Report> =>
    connected(url, async (client) => {
      const time = await timeOfPostgres(client);
      const measured = ours.cases.map(({ title }) => ({
        title,
        pairs: [] as Readonly<{ our: Run; their: Run }>[],
      }));
      // All cases run before the next round, so that the rows that one inserts are deleted by another.
      for (let round = 0; round <= rounds; round += 1)
        for (const [i, { pairs }] of measured.entries()) {
          const our = await runCase(ours, i, transactions, time);
          const their = await runCase(plain, i, transactions, time);
          // The first round warms up.
          if (round > 0) pairs.push({ our, their });
        }
      for (const { title, pairs } of measured) {
        const of = (side: 'our' | 'their', figure: keyof Run): string =>
          median(pairs.map((pair) => pair[side][figure])).toFixed(2);
        const deadlocks = pairs.reduce((sum, { our }) => sum + our.deadlocks, 0);
        print(
          `${title}: ${of('our', 'time')} and ${of('their', 'time')} ms, PostgreSQL ${of('our', 'processor')} and ` +
            `${of('their', 'processor')} ms of processor time; ${deadlocks} deadlocks`,
        );
      }
      return {
        results: measured.map(({ title, pairs }) => {
          const ratios = pairs.map(({ our, their }) => our.time / their.time);
          return {
            measure: `Time to ${title}, ${size.toLocaleString('en')} rows`,
            comparedWith: 'without triggers and policies',
            value: median(ratios),
            range: [Math.min(...ratios), Math.max(...ratios)] as const,
            byProcessorTime: median(pairs.map(({ our, their }) => our.processor / their.processor)),
          };
        }),
      };
    });

  return withPostgres((server) =>
    withDatabase(server, 'ours', (ourUrl) =>
      withDatabase(server, 'plain', async (plainUrl) => {
        const sides: Side[] = [];
        try {
          for (const [i, url] of [ourUrl, plainUrl].entries()) {
            print(`building a tenant of ${size} findings and as many pull requests …`);
            const writerUrl = await prepareSide(url, prefixes[i] ?? '', size, i === 1);
            sides.push(await open(writerUrl, connections, size));
          }
          const [ours, plain] = sides;
          if (ours === undefined || plain === undefined) throw new Error('a side is missing');
          return await compare(ourUrl, ours, plain);
        } finally {
          await Promise.all(sides.flatMap(({ clients }) => clients.map((client) => client.end())));
          for (const [i, url] of [ourUrl, plainUrl].entries()) {
            const prefix = prefixes[i] ?? '';
            await dropRoles(url, [`${prefix}_login`, ...Object.values(roleNames(prefix))]);
          }
        }
      }),
    ),
  );
};
