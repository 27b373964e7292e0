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
 * What a page of 25 costs in a tenant of a million findings and pull requests in PostgreSQL, the way to the database included,
 * as a multiple of the first page in a tenant of a thousand.
 */
const benchDatabase = async (tell: (line: string) => void): Promise<void> => {
  const server = await startPostgres();
  const name = `triage_bench_${process.pid}`;
  await prepare(server, name);
  const url = server.url(name);
  try {
    tell(`building tenants of ${small} and of ${large} findings and pull requests …`);
    await connected(url, async (client) => {
      await aTenantOf(client, 'small', small);
      await aTenantOf(client, 'large', large);
      await client.query('VACUUM ANALYZE');
    });
    const primary = openDatabase({ url, poolSize: 1, timeLimit: 60_000 }, () => {});
    const storage = postgresStorage({ primary, replica: null }, () => {});
    const timed = (ask: () => TaskEither<unknown, unknown>): Promise<number> =>
      medianMicroseconds(async () => {
        if (E.isLeft(await ask()())) throw new Error('the storage gave no answer');
      }, few);
    const range = (rows: number, share: number) => ({
      repoId: undefined,
      status: undefined,
      limit: 25,
      offset: Math.floor((rows - 25) * share),
    });
    for (const [list, ask] of [
      [
        'findings',
        (who: string, rows: number, share: number) => storage.findings(bySession(who), range(rows, share)),
      ],
      [
        'pull requests',
        (who: string, rows: number, share: number) => storage.prs(bySession(who), range(rows, share)),
      ],
      [
        'open pull requests',
        (who: string, rows: number, share: number) =>
          storage.prs(bySession(who), { ...range(Math.floor(rows / 3), share), status: 'open' as const }),
      ],
    ] as const) {
      const first = await timed(() => ask('small', small, 0));
      for (const [where, share] of [
        ['first page', 0],
        ['a tenth in', 0.1],
        ['middle page', 0.5],
        ['last page', 1],
      ] as const) {
        const one = await timed(() => ask('large', large, share));
        tell(`${list}, ${where}: × ${(one / first).toFixed(2)} (${(one / 1000).toFixed(2)} ms)`);
      }
    }
    const repos = (who: string) => timed(() => storage.repos(bySession(who)));
    const [reposOfSmall, reposOfLarge] = [await repos('small'), await repos('large')];
    tell(`repositories: × ${(reposOfLarge / reposOfSmall).toFixed(2)}`);
    await primary.close();
  } finally {
    await remove(server, name);
    await server.stop();
  }
};

await benchDatabase((line) => process.stdout.write(`${line}\n`));
