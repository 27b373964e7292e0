import { isDeepStrictEqual } from 'node:util';
import type { Server } from '../test/storage/postgres/_embedded.js';
import { connected, remove, startPostgres } from '../test/storage/postgres/_postgres.js';
import { servingRole } from '../test/storage/postgres/_role.js';
import { aTenantOf } from '../test/storage/postgres/_tenants.js';
import { answerOf, type Case, type Contestant, compareServers } from './load.js';
import { sampleOf } from './mutation/mutations.js';
import { benchProgram, type Program, serveWords, timeOfPostgres } from './processes.js';
import type { Context, Report } from './report.js';

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

const limit = 25;

/** The tenant of so many rows; the value of its session is its id. */
const tenantOf = (rows: number): string => `t${rows}`;

/** What is requested of a tenant of so many rows: first, middle and random pages of a list. */
const casesOf = (rows: number): readonly Case[] => {
  const headers = { cookie: `session=${tenantOf(rows)}` };
  const last = Math.ceil(rows / limit);
  const numbers = Array.from({ length: last }, (_, i) => i + 1);
  const pages = {
    'first page': [1],
    'middle page': [Math.ceil(last / 2)],
    'random pages': sampleOf(numbers, 200, 1),
  };
  const size = `${rows.toLocaleString('en')} rows`;
  return [
    ...['findings', 'prs'].flatMap((list) =>
      Object.entries(pages).map(([place, chosen]) => ({
        measure: `GET /api/v1/${list}, ${place}, ${size}`,
        paths: chosen.map((page) => `/api/v1/${list}?limit=${limit}&page=${page}`),
        headers,
      })),
    ),
    { measure: `GET /api/v1/repos, ${size}`, paths: ['/api/v1/repos'], headers },
  ];
};

/** Throws if two servers answer differently, apart from how long ago the last scan was. */
const assertSameContent = async (ours: Contestant, theirs: Contestant): Promise<void> => {
  const contentOf = async (contestant: Contestant): Promise<unknown> => {
    const { body } = await answerOf(contestant);
    const withoutWords = body.replaceAll(/"lastScanRelative":"[^"]*"/g, '"lastScanRelative":""');
    return JSON.parse(withoutWords);
  };
  const [our, their] = [await contentOf(ours), await contentOf(theirs)];
  if (!isDeepStrictEqual(our, their))
    throw new Error(
      `${ours.paths[0]}: the contents differ:\n${JSON.stringify(our).slice(0, 1500)}\n${JSON.stringify(their).slice(0, 1500)}`,
    );
};

/** `serve --database-url`, as the role for serving, against the hand-written server, at several sizes. */
export const postgres = (context: Context): Promise<Report> =>
  withPostgres((server) =>
    withDatabase(server, 'reading', (url) =>
      connected(url, async (client) => {
        const role = await servingRole(url);
        for (const rows of context.rows) {
          context.print(`building a tenant of ${rows} findings and as many pull requests …`);
          await aTenantOf(client, tenantOf(rows), rows);
        }
        await client.query('VACUUM ANALYZE');
        const database = await timeOfPostgres(client);
        const start = async (name: string, words: Program['words']): Promise<Contestant> => {
          const headers = { cookie: `session=${tenantOf(context.rows[0] ?? 0)}` };
          const started = await context.start(name, { words, path: '/api/v1/findings?limit=1', headers });
          return { ...started, name, work: name, paths: [], headers, database };
        };
        const program = benchProgram('hand-written-server');
        const ours = await start('triage-api', serveWords(['--database-url', role.url]));
        const theirs = await start('hand-written', (port) => [program, url, port]);
        try {
          const cases = context.rows.flatMap(casesOf);
          for (const each of cases) await assertSameContent({ ...ours, ...each }, { ...theirs, ...each });
          return await compareServers(context, ours, theirs, cases);
        } finally {
          await role.drop();
        }
      }),
    ),
  );
