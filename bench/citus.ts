import * as E from 'fp-ts/lib/Either.js';
import { migrate } from '../src/postgres/migrate.js';
import { aDraft, aPullRequest, aRepo, aSession, aUser, dataset } from '../test/_data.js';
import { startCluster } from '../test/citus/_citus.js';
import { findCitus } from '../test/citus/_find-citus.js';
import { connected, fill } from '../test/postgres/_postgres.js';
import { type Contestant, figuresOf, inTurns, ratiosOf } from './load.js';
import { serveWords } from './processes.js';
import type { Context, Report } from './report.js';

const tenants = 8;

const datasetsOf = (rows: number) =>
  Array.from({ length: tenants }, (_, tenant) => {
    const id = `tenant-${tenant}`;
    const numbers = Array.from({ length: rows }, (__, i) => i);
    return dataset({
      user: aUser(id),
      sessions: [{ ...aSession(id), value: id }],
      repos: [aRepo('r')],
      fixDrafts: numbers.map((i) => aDraft(`d${i}`, 'r')),
      pullRequests: numbers.map((i) => aPullRequest(`p${i}`, `d${i}`)),
    });
  });

/** A cluster with one worker, and one with two, against one server: an import, and pages of one tenant. */
export const citus = async (context: Context): Promise<Report> => {
  const { print, quick } = context;
  if (findCitus() === null)
    throw new Error(
      'no PostgreSQL with Citus found: install it, or set CITUS_BIN to the folder of its programs',
    );
  const rows = quick ? 200 : 2000;
  const datasets = datasetsOf(rows);
  const cluster = await startCluster();
  try {
    const databases = [
      ['one server', await cluster.plainDatabase('single')],
      ['a coordinator and one worker', await cluster.database('one', 1)],
      ['a coordinator and two workers', await cluster.database('two')],
    ] as const;
    const contestants: Contestant[] = [];
    const loadTimes: number[] = [];
    for (const [name, url] of databases) {
      await connected(url, async (client) => {
        const migrated = await migrate(client, { citus: name !== 'one server' });
        if (E.isLeft(migrated)) throw new Error(JSON.stringify(migrated.left));
        const started = performance.now();
        await fill(client, datasets);
        loadTimes.push(performance.now() - started);
      });
      print(`${name}: import in ${((loadTimes.at(-1) ?? 0) / 1000).toFixed(1)} s`);
      const headers = { cookie: 'session=tenant-3' };
      const paths = Array.from({ length: rows / 50 }, (_, i) => `/api/v1/findings?limit=50&page=${i + 1}`);
      const words = serveWords(['--database-url', url]);
      const server = await context.start(name, { words, path: paths[0] ?? '', headers });
      contestants.push({ ...server, name, work: 'pages of 50 findings in turns', paths, headers });
    }
    const measured = await inTurns(context, contestants);
    const [single = []] = measured;
    print('all nodes share the processors of this machine: compare the overhead, not how throughput grows');
    const comparedWith = 'one server';
    const imported = `Import of ${tenants} × ${rows} rows`;
    const [loadOfSingle = 0] = loadTimes;
    return {
      results: contestants.slice(1).flatMap(({ name }, i) => [
        { measure: `Pages, ${name}`, comparedWith, ...ratiosOf(measured[i + 1] ?? [], single) },
        { measure: `${imported}, ${name}`, comparedWith, value: (loadTimes[i + 1] ?? 0) / loadOfSingle },
      ]),
      servers: contestants.map((contestant, i) => figuresOf(contestant, measured[i] ?? [])),
    };
  } finally {
    await cluster.stop();
  }
};
