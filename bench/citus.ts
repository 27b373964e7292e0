import * as E from 'fp-ts/lib/Either.js';
import { migrate } from '../src/storage/postgres/migrate.js';
import { aDraft, aPullRequest, aRepo, aSession, aUser, dataset } from '../test/_data.js';
import { bySession } from '../test/_storage.js';
import { type Cluster, startCluster } from '../test/citus/_citus.js';
import { findCitus } from '../test/citus/_find-citus.js';
import { type CitusStorage, openCitus } from '../test/citus/_storage.js';
import { fill } from '../test/storage/postgres/_fill.js';
import { connected } from '../test/storage/postgres/_postgres.js';
import { median } from './median.js';

const tenants = 8;
const rowsPerTenant = 2000;
const seconds = 5;
const clients = 8;
const pageLimit = 50;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const ids = Array.from({ length: tenants }, (_, i) => `tenant-${i}`);

const datasets = ids.map((id) => {
  const numbers = Array.from({ length: rowsPerTenant }, (_, i) => i);
  return dataset({
    user: aUser(id),
    sessions: [{ ...aSession(id), value: id }],
    repos: [aRepo('r')],
    fixDrafts: numbers.map((i) => aDraft(`d${i}`, 'r')),
    pullRequests: numbers.map((i) => aPullRequest(`p${i}`, `d${i}`)),
  });
});

/** What is measured of one set-up. */
type Figures = Readonly<{ loadSeconds: number; pageMs: number; perSecond: number }>;

const readPage = async ({ storage }: CitusStorage, id: string, page: number): Promise<void> => {
  const pages = Math.floor(rowsPerTenant / pageLimit);
  const query = { repoId: undefined, offset: (page % pages) * pageLimit, limit: pageLimit };
  // Another session value would be refused, so the page is what differs: few answers are kept ones.
  const found = await storage.findings(bySession(id), query)();
  if (E.isLeft(found)) throw new Error(`a page was not answered: ${JSON.stringify(found.left)}`);
};

const measure = async (url: string, citus: boolean): Promise<Figures> => {
  const loadSeconds = await connected(url, async (client) => {
    const migrated = await migrate(client, { citus })();
    if (E.isLeft(migrated)) throw new Error(JSON.stringify(migrated.left));
    const started = performance.now();
    await fill(client, datasets);
    return (performance.now() - started) / 1000;
  });
  const opened = openCitus(url);
  try {
    // Plans and connections are made first.
    for (let i = 0; i < 40; i += 1) await readPage(opened, ids[i % tenants] ?? '', i);
    const times: number[] = [];
    for (let i = 0; i < 200; i += 1) {
      const started = performance.now();
      await readPage(opened, ids[i % tenants] ?? '', i + 40);
      times.push(performance.now() - started);
    }
    let requests = 0;
    const end = performance.now() + seconds * 1000;
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let i = client; performance.now() < end; i += clients) {
          await readPage(opened, ids[i % tenants] ?? '', i);
          requests += 1;
        }
      }),
    );
    return { loadSeconds, pageMs: median(times), perSecond: requests / seconds };
  } finally {
    await opened.close();
  }
};

const signed = (difference: number): string =>
  `${difference < 0 ? '-' : '+'} ${Math.abs(difference).toFixed(2)}`;

const compare = async (cluster: Cluster): Promise<void> => {
  const single = await cluster.plainDatabase('single');
  const set: readonly (readonly [string, string, boolean])[] = [
    ['one server', single, false],
    ['a coordinator and one worker', await cluster.database('one', 1), true],
    ['a coordinator and two workers', await cluster.database('two'), true],
  ];
  print(
    `${tenants} tenants of ${rowsPerTenant} findings and as many pull requests; pages of ${pageLimit} findings`,
  );
  const measured: Figures[] = [];
  for (const [name, url, citus] of set) {
    const figures = await measure(url, citus);
    measured.push(figures);
    const first = measured[0] ?? figures;
    const { loadSeconds, pageMs, perSecond } = figures;
    print(
      `${name}: load ${loadSeconds.toFixed(1)} s (x ${(loadSeconds / first.loadSeconds).toFixed(2)}), ` +
        `a page ${pageMs.toFixed(2)} ms (${signed(pageMs - first.pageMs)} ms), ` +
        `${perSecond.toFixed(0)} pages per second with ${clients} clients (x ${(perSecond / first.perSecond).toFixed(2)})`,
    );
  }
  const [, one, two] = measured;
  if (one !== undefined && two !== undefined)
    print(
      `from one worker to two: load time x ${(two.loadSeconds / one.loadSeconds).toFixed(2)}, ` +
        `a page ${signed(two.pageMs - one.pageMs)} ms, pages per second x ${(two.perSecond / one.perSecond).toFixed(2)}`,
    );
  print('all nodes share the processors of this machine: compare the overhead, not how throughput grows');
};

if (findCitus() === null) {
  print('no PostgreSQL with Citus found: install it, or set CITUS_BIN to the folder of its programs');
  process.exitCode = 1;
} else {
  const cluster = await startCluster();
  try {
    await compare(cluster);
  } finally {
    await cluster.stop();
  }
}
