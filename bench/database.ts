import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { openDatabase } from '../src/storage/postgres/database.js';
import { postgresStorage } from '../src/storage/postgres/postgres-storage.js';
import { bySession } from '../test/_storage.js';
import { connected, prepare, remove, startPostgres } from '../test/storage/postgres/_postgres.js';
import { aTenantOf } from '../test/storage/postgres/_tenants.js';
import { medianMicroseconds } from './median.js';

const small = 1000;
const large = 1_000_000;
const few = { warmUps: 20, runs: 101 };

/**
 * Prints how long a page of 25 takes for a tenant with a million findings and pull requests in PostgreSQL,
 * including the round trip to the database, as a multiple of the time for the first page of a tenant with a
 * thousand.
 */
const benchDatabase = async (print: (line: string) => void): Promise<void> => {
  const server = await startPostgres();
  const name = `triage_bench_${process.pid}`;
  await prepare(server, name);
  const url = server.url(name);
  try {
    print(`building tenants of ${small} and of ${large} findings and pull requests …`);
    await connected(url, async (client) => {
      await aTenantOf(client, 'small', small);
      await aTenantOf(client, 'large', large);
      await client.query('VACUUM ANALYZE');
    });
    const primary = openDatabase({ url, poolSize: 1, timeLimit: 60_000 }, () => {});
    const storage = postgresStorage({ primary, replica: null }, () => {});
    const timed = (query: () => TaskEither<unknown, unknown>): Promise<number> =>
      medianMicroseconds(async () => {
        if (E.isLeft(await query()())) throw new Error('the storage failed');
      }, few);
    const range = (rows: number, share: number) => ({
      repoId: undefined,
      status: undefined,
      limit: 25,
      offset: Math.floor((rows - 25) * share),
    });
    for (const [list, query] of [
      [
        'findings',
        (session: string, rows: number, share: number) =>
          storage.findings(bySession(session), range(rows, share)),
      ],
      [
        'pull requests',
        (session: string, rows: number, share: number) => storage.prs(bySession(session), range(rows, share)),
      ],
      [
        'open pull requests',
        (session: string, rows: number, share: number) =>
          storage.prs(bySession(session), { ...range(Math.floor(rows / 3), share), status: 'open' as const }),
      ],
    ] as const) {
      const first = await timed(() => query('small', small, 0));
      for (const [where, share] of [
        ['first page', 0],
        ['a tenth in', 0.1],
        ['middle page', 0.5],
        ['last page', 1],
      ] as const) {
        const one = await timed(() => query('large', large, share));
        print(`${list}, ${where}: × ${(one / first).toFixed(2)} (${(one / 1000).toFixed(2)} ms)`);
      }
    }
    const repos = (session: string) => timed(() => storage.repos(bySession(session)));
    const [reposOfSmall, reposOfLarge] = [await repos('small'), await repos('large')];
    print(`repositories: × ${(reposOfLarge / reposOfSmall).toFixed(2)}`);
    await primary.close();
  } finally {
    await remove(server, name);
    await server.stop();
  }
};

await benchDatabase((line) => process.stdout.write(`${line}\n`));
