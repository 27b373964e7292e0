import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { Server } from '../test/postgres/_embedded.js';
import { aTenantOf, connected, remove, startPostgres } from '../test/postgres/_postgres.js';
import { servingRole } from '../test/postgres/_role.js';
import { answerOf, type Case, type Contestant, compareServers, medianAndRange, runLoad } from './load.js';
import { sampleOf } from './mutation/mutations.js';
import { benchProgram, memoryOf, type Program, serveWords, timeOfPostgres } from './processes.js';
import type { Context, Report, Result } from './report.js';

/** Starts PostgreSQL, or finds that of `TEST_DATABASE_URL`, and stops it after some work. */
export const withPostgres = async <A>(work: (server: Server) => Promise<A>): Promise<A> => {
  const server = await startPostgres();
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
};

/** Creates an empty database, and removes it after some work. */
export const withDatabase = async <A>(
  server: Server,
  suffix: string,
  work: (url: string) => Promise<A>,
): Promise<A> => {
  const name = `triage_bench_${process.pid}_${suffix}`;
  try {
    await connected(server.url('postgres'), (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`),
    );
    return await work(server.url(name));
  } finally {
    await remove(server, name);
  }
};

/** Starts PostgreSQL with a database and the documented role for a server, and removes all of it after some work. */
export const withServingRole = <A>(
  suffix: string,
  work: (client: pg.Client, url: string, served: string) => Promise<A>,
): Promise<A> =>
  withPostgres((server) =>
    withDatabase(server, suffix, (url) =>
      connected(url, async (client) => {
        const role = await servingRole(url);
        try {
          return await work(client, url, role.url);
        } finally {
          await role.drop();
        }
      }),
    ),
  );

/**
 * Vacuums a database. Servers for tests commit before the log is written, and PostgreSQL takes no row for
 * visible to all until that has happened: after a checkpoint it has.
 */
export const vacuum = async (client: pg.Client): Promise<void> => {
  await client.query('CHECKPOINT');
  await client.query('VACUUM ANALYZE');
};

const limit = 25;

/** The tenant of so many rows; the value of its first session is its id. */
const tenantOf = (rows: number): string => `t${rows}`;

/**
 * A server keeps what it has sent to a session, and sends it again if the database says that nothing has
 * changed. So many sessions are more than it keeps pages for: if they ask in turns, every answer is a new
 * one.
 */
const manySessions = 10_000;

export const cookieOf = (session: string) => ({ cookie: `session=${session}` });

export const sessionsOf = (tenant: string, count = manySessions) =>
  Array.from({ length: count }, (_, i) => cookieOf(`${tenant}-${i}`));

export const addSessions = (client: pg.Client, tenant: string, count = manySessions): Promise<unknown> =>
  client.query(
    `INSERT INTO triage.sessions SELECT $1, 's' || i, encode(sha256(convert_to($1 || '-' || i, 'UTF8')), 'hex'),
      '2026-01-01', '2030-01-01' FROM generate_series(0, $2::integer - 1) i`,
    [tenant, count],
  );

const sizeOf = (rows: number): string => `${rows.toLocaleString('en')} rows`;

/** A request of a tenant, at least this many times as fast as by hand: with nothing new, and with all new. */
type Wanted = Readonly<{ name: string; paths: readonly string[]; unchanged?: number; fresh?: number }>;

/** First pages and random pages of the lists, and the repositories. */
const requestsFor = (rows: number): readonly Wanted[] => {
  const numbers = Array.from({ length: Math.ceil(rows / limit) }, (_, i) => i + 1);
  const pages = (list: string, chosen: readonly number[]): readonly string[] =>
    chosen.map((page) => `/api/v1/${list}?limit=${limit}&page=${page}`);
  return [
    ...['findings', 'prs'].flatMap((list): readonly Wanted[] => [
      { name: `${list}, first page`, paths: pages(list, [1]), unchanged: 1.5, fresh: 0.8 },
      { name: `${list}, random pages`, paths: pages(list, sampleOf(numbers, 200, 1)), fresh: 0.6 },
    ]),
    { name: 'repos', paths: ['/api/v1/repos'] },
  ];
};

/** The goals are for tenants of some thousand rows: this many. */
const usualSize = 3000;

const casesOf = (rows: number): readonly Case[] =>
  requestsFor(rows).flatMap(({ name, paths, unchanged, fresh }) => {
    const goal = (atLeast: number | undefined) =>
      atLeast === undefined || rows !== usualSize ? {} : { atLeast };
    const measure = `GET ${name}, ${sizeOf(rows)}`;
    const [headers = {}, ...otherHeaders] = sessionsOf(tenantOf(rows));
    return [
      { measure: `${measure}, nothing new`, paths, headers, ...goal(unchanged) },
      { measure: `${measure}, all new`, paths, headers, otherHeaders, ...goal(fresh) },
    ];
  });

/** Larger tenants are measured alone: their requests by hand take as long. */
const largestCompared = 100_000;

/** What one client waits for an answer of ours, every one a new one: the median in milliseconds. */
const latenciesOf = async (context: Context, ours: Contestant, rows: number): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const { name, paths } of requestsFor(rows)) {
    const { p50, failures } = await runLoad(context, {
      url: ours.url,
      paths,
      headers: sessionsOf(tenantOf(rows)),
      connections: 1,
      seconds: 2 * context.seconds,
    });
    if (failures > 0) throw new Error(`${name}, ${sizeOf(rows)}: ${failures} requests failed`);
    const atMost = name === 'repos' ? 40 : name.endsWith('first page') ? 15 : undefined;
    const goal = rows === 100_000 && atMost !== undefined ? { atMost } : {};
    const measure = `GET ${name}, ${sizeOf(rows)}, one client`;
    results.push({ measure, value: p50, unit: 'ms', ...goal });
  }
  return results;
};

/**
 * How long a small tenant waits while 16 clients read pages of a large one, against how long it waits without
 * them: p99, in pairs of rounds.
 */
const neighbours = async (
  context: Context,
  { url }: Contestant,
  small: number,
  large: number,
): Promise<Result> => {
  const { rounds, seconds, print } = context;
  const paths = [`/api/v1/findings?limit=${limit}`];
  const headers = [cookieOf(tenantOf(small))];
  const smallLoad = { url, paths, headers, connections: 4, seconds, pause: 5 };
  const largeLoad = {
    url,
    paths: requestsFor(large).flatMap(({ paths }) => paths.slice(0, 4)),
    headers: sessionsOf(tenantOf(large)),
    connections: 16,
    seconds: seconds + 1,
  };
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const alone = await runLoad(context, smallLoad);
    const reading = runLoad(context, largeLoad);
    await sleep(500);
    const beside = await runLoad(context, smallLoad);
    const { requests, failures, p50 } = await reading;
    if (alone.failures + beside.failures > 0)
      throw new Error(`${beside.failures} requests of the small tenant failed`);
    print(
      `p99 of ${sizeOf(small)}: ${alone.p99.toFixed(1)} and ${beside.p99.toFixed(1)} ms; ` +
        `${requests} requests of ${sizeOf(large)}, p50 ${p50.toFixed(0)} ms, ${failures} failed`,
    );
    // The first round warms up.
    if (round > 0) ratios.push(beside.p99 / alone.p99);
  }
  return {
    measure: `p99 of ${sizeOf(small)} while 16 clients read ${sizeOf(large)}`,
    comparedWith: 'without them',
    ...medianAndRange(ratios),
    atMost: 3,
  };
};

/** Throws if two servers answer differently, apart from how long ago the last scan was. */
const assertSameContent = async (ours: Contestant, theirs: Contestant): Promise<void> => {
  const contentOf = async (contestant: Contestant): Promise<unknown> =>
    JSON.parse(
      (await answerOf(contestant)).body.replaceAll(/"lastScanRelative":"[^"]*"/g, '"lastScanRelative":""'),
    );
  const [our, their] = [await contentOf(ours), await contentOf(theirs)];
  if (!isDeepStrictEqual(our, their))
    throw new Error(
      `${ours.paths[0]}: the contents differ:\n${JSON.stringify(our).slice(0, 1500)}\n${JSON.stringify(their).slice(0, 1500)}`,
    );
};

/** `serve --database-url`, as the role for serving: against the hand-written server, and by itself. */
export const postgres = (context: Context): Promise<Report> =>
  withServingRole('reading', async (client, url, served) => {
    for (const rows of context.rows) {
      context.print(`building a tenant of ${rows} findings and as many pull requests …`);
      await aTenantOf(client, tenantOf(rows), rows);
      await addSessions(client, tenantOf(rows));
    }
    await vacuum(client);
    const database = await timeOfPostgres(client);
    const [small = 0, large = 0] = [Math.min(...context.rows), Math.max(...context.rows)];
    const headers = cookieOf(tenantOf(small));
    const start = async (name: string, words: Program['words']): Promise<Contestant> => {
      const started = await context.start(name, { words, path: '/api/v1/findings?limit=1', headers });
      return { ...started, name, work: name, paths: [], headers, database };
    };
    const program = benchProgram('hand-written-server');
    // The other server has no time limit either.
    const words = serveWords(['--database-url', served, '--database-timeout', '60000']);
    const ours = await start('triage-api', words);
    const theirs = await start('hand-written', (port) => [program, url, port]);
    const cases = context.rows.filter((rows) => rows <= largestCompared).flatMap(casesOf);
    for (const each of cases) await assertSameContent({ ...ours, ...each }, { ...theirs, ...each });
    const { results, servers } = await compareServers(context, ours, theirs, cases);
    const alone: Result[] = [];
    for (const rows of context.rows) {
      const before = await memoryOf(ours.pid, 'now');
      alone.push(...(await latenciesOf(context, ours, rows)));
      const after = await memoryOf(ours.pid, 'now');
      const grown = `Growth of the server's memory by requests for ${sizeOf(rows)}`;
      alone.push({ measure: grown, value: (after - before) / 1e6, unit: 'MB' });
    }
    if (small < large) alone.push(await neighbours(context, ours, small, large));
    return { results: [...results, ...alone], servers };
  });
