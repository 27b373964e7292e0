import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { migrate } from '../src/postgres/migrate.js';
import { rowTables } from '../src/postgres/schema.js';
import { aTenantOf, connected, urlWith } from '../test/postgres/_postgres.js';
import { aRolePrefix, dropRoles, roleNames } from '../test/postgres/_role.js';
import { median, medianAndRange } from './load.js';
import { vacuum, withDatabase, withPostgres } from './postgres.js';
import { timeOfPostgres } from './processes.js';
import type { Context, Report, Result } from './report.js';

const tenant = 'bench';

/** A statement, its name as a prepared one, and its values besides the tenant, the id of the row first. */
type Write = Readonly<{ name: keyof typeof statements; values: readonly string[] }>;

const statements = {
  setStatus: 'UPDATE triage.fix_drafts SET status = $3 WHERE user_id = $1 AND id = $2',
  setPrState: 'UPDATE triage.pull_requests SET pr_state = $3 WHERE user_id = $1 AND id = $2',
  insert: `INSERT INTO triage.fix_drafts VALUES ($1, $2, $3, $4, 'lodash', 'npm', '< 4.17.21', '>= 4.17.21',
    'high', 0.5, 0.25, 'pending', 'none', now(), now(), NULL)`,
  remove: 'DELETE FROM triage.fix_drafts WHERE user_id = $1 AND id = $2',
};

/** What is measured: each call of `transaction` gives the writes of another one. */
type WriteCase = Readonly<{ title: string; transaction: () => readonly Write[] }>;

const random = (count: number): number => Math.floor(Math.random() * count);
const pick = (...values: readonly string[]): string => values[random(values.length)] ?? '';

/** Rows are deleted that were inserted before. All of it goes to 5 of the 30 repositories. */
const casesFor = (rows: number): readonly WriteCase[] => {
  const prefix = Math.random().toString(36).slice(2);
  let [inserted, deleted] = [0, 0];
  const existing = (): number => 30 * (1 + random(Math.floor(rows / 30) - 1)) + random(5);
  const setStatus = (id = `d${existing()}`): Write => ({
    name: 'setStatus',
    values: [id, pick('pending', 'drafting', 'escalated', 'resolved')],
  });
  const setPrState = (): Write => ({
    name: 'setPrState',
    values: [`p${existing()}`, pick('open', 'merged', 'closed')],
  });
  const insert = (): Write => {
    inserted += 1;
    return { name: 'insert', values: [`${prefix}_${inserted}`, `r${random(5)}`, `GHSA-${random(2000)}`] };
  };
  const remove = (): Write => {
    deleted += 1;
    return { name: 'remove', values: [`${prefix}_${deleted}`] };
  };
  return [
    { title: 'update the status of a finding', transaction: () => [setStatus()] },
    { title: 'update the state of a pull request', transaction: () => [setPrState()] },
    { title: 'insert a finding', transaction: () => [insert()] },
    { title: 'delete a finding', transaction: () => [remove()] },
    {
      title: 'make four changes',
      // In the order of the rows: only what the schema itself locks can deadlock.
      transaction: () => {
        const [first, second] = [`d${existing()}`, `d${existing()}`].sort();
        return [insert(), setStatus(first), setStatus(second), setPrState()];
      },
    },
  ];
};

type Side = Readonly<{ clients: readonly pg.Client[]; cases: readonly WriteCase[] }>;

/** Makes a tenant in a database, and gives some work connections of a role for writing that has set the tenant. */
const withSide = <A>(
  url: string,
  size: Readonly<{ rows: number; connections: number }>,
  isPlain: boolean,
  work: (side: Side) => Promise<A>,
): Promise<A> =>
  connected(url, async (owner) => {
    const prefix = aRolePrefix();
    const [roles, login] = [roleNames(prefix), aRolePrefix()];
    try {
      const migrated = await migrate(owner, { roles: prefix });
      if (E.isLeft(migrated)) throw new Error(JSON.stringify(migrated.left));
      await owner.query(`CREATE ROLE ${login} LOGIN PASSWORD 'secret' IN ROLE ${roles.write}`);
      await aTenantOf(owner, tenant, size.rows);
      if (isPlain)
        for (const table of rowTables)
          await owner.query(`ALTER TABLE triage.${table} DISABLE ROW LEVEL SECURITY`);
      await vacuum(owner);
      const connectionString = urlWith(url, { username: login, password: 'secret' });
      const settings = { connectionString, options: `-c triage.user_id=${tenant}` };
      const clients = Array.from({ length: size.connections }, () => new pg.Client(settings));
      // A server that stops says so to each connection; without a listener Node would end.
      for (const client of clients) client.on('error', () => {});
      await Promise.all(clients.map((client) => client.connect()));
      const result = await work({ clients, cases: casesFor(size.rows) });
      await Promise.all(clients.map((client) => client.end()));
      return result;
    } finally {
      await dropRoles(url, [login, ...Object.values(roles)]);
    }
  });

/** Runs one transaction; gives 1 if it was the victim of a deadlock, which has changed nothing. */
const deadlocksIn = async (client: pg.Client, writes: readonly Write[]): Promise<number> => {
  const isSingle = writes.length === 1;
  try {
    if (!isSingle) await client.query('BEGIN');
    for (const { name, values } of writes) {
      const query = { name, text: statements[name], values: [tenant, ...values] };
      const { rowCount } = await client.query(query);
      if (rowCount === 0 && name !== 'remove') throw new Error(`no row: ${query.text} ${values[0]}`);
    }
    if (!isSingle) await client.query('COMMIT');
    return 0;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error;
    if (!isSingle) await client.query('ROLLBACK');
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
  let [started, deadlocks] = [0, 0];
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

type Pair = Readonly<{ our: Run; their: Run }>;

/** Writing under row-level security against the same tables, keys and indexes without it. */
export const writers = async ({ print, quick, rounds, rows, connections }: Context): Promise<Report> => {
  const transactions = quick ? 300 : 1000;
  const size = { rows: rows.at(-1) ?? 0, connections };
  print(`building two tenants of ${size.rows} findings and as many pull requests …`);

  const resultOf = (title: string, pairs: readonly Pair[]): Result => {
    const of = (side: keyof Pair, figure: keyof Run): string =>
      median(pairs.map((pair) => pair[side][figure])).toFixed(2);
    const deadlocks = pairs.reduce((sum, { our }) => sum + our.deadlocks, 0);
    print(
      `${title}: ${of('our', 'time')} and ${of('their', 'time')} ms, PostgreSQL ${of('our', 'processor')} and ` +
        `${of('their', 'processor')} ms of processor time; ${deadlocks} deadlocks`,
    );
    return {
      measure: `How fast writers ${title}, ${size.rows.toLocaleString('en')} rows`,
      comparedWith: 'without policies',
      ...medianAndRange(pairs.map(({ our, their }) => their.time / our.time)),
      byProcessorTime: median(pairs.map(({ our, their }) => their.processor / our.processor)),
      atLeast: 0.95,
    };
  };

  const compare = async (ours: Side, plain: Side, processorTime: () => Promise<number>): Promise<Report> => {
    const pairs = ours.cases.map((): Pair[] => []);
    // All cases run before the next round, so that the rows that one inserts are deleted by another.
    for (let round = 0; round <= rounds; round += 1)
      for (const [index, measured] of pairs.entries()) {
        const run = (side: Side): Promise<Run> => runCase(side, index, transactions, processorTime);
        const pair = { our: await run(ours), their: await run(plain) };
        // The first round warms up.
        if (round > 0) measured.push(pair);
      }
    return { results: ours.cases.map(({ title }, i) => resultOf(title, pairs[i] ?? [])) };
  };

  return withPostgres((server) =>
    withDatabase(server, 'ours', (ourUrl) =>
      withDatabase(server, 'plain', (plainUrl) =>
        withSide(ourUrl, size, false, (ours) =>
          withSide(plainUrl, size, true, async (plain) =>
            compare(ours, plain, await connected(ourUrl, timeOfPostgres)),
          ),
        ),
      ),
    ),
  );
};
