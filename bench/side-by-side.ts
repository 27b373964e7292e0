import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { connected, prepare, remove, startPostgres } from '../test/storage/postgres/_postgres.js';
import { servingRole } from '../test/storage/postgres/_role.js';
import { aTenantOf } from '../test/storage/postgres/_tenants.js';
import { startBackgroundWriter } from './background-writer.js';
import { createHandWrittenTables } from './hand-written-tables.js';
import { comparison, type Side } from './paired-load.js';
import { timeOfPostgres, timeOfProcess } from './processor-time.js';
import { startServerProcess, startTriageApi } from './server-process.js';
import { type SideBySideOptions, sideBySideOptions } from './side-by-side-options.js';

const handWritten = fileURLToPath(new URL('./hand-written-server.js', import.meta.url));
const tenant = 'bench';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Runs something with both servers over a database at a URL, and stops them. */
const withServers = async (
  url: string,
  { pool }: SideBySideOptions,
  work: (ours: Side, theirs: Side) => Promise<void>,
): Promise<void> => {
  const role = await servingRole(url);
  try {
    const ours = await startTriageApi(['--database-pool', `${pool}`, '--database-url', role.url]);
    const theirs = await startServerProcess(handWritten, ['--pool', `${pool}`, '--database-url', url]);
    try {
      await work(
        { url: ours.url, time: timeOfProcess(ours.pid) },
        { url: theirs.url, time: timeOfProcess(theirs.pid) },
      );
    } finally {
      await Promise.all([ours.stop(), theirs.stop()]);
    }
  } finally {
    await role.drop();
  }
};

const compareServers = async (url: string, client: pg.Client, options: SideBySideOptions): Promise<void> => {
  const { rows, lists, limits, places, writing } = options;
  print(`building a tenant of ${rows} findings and as many pull requests …`);
  await aTenantOf(client, tenant, rows);
  await createHandWrittenTables(client, tenant);
  await client.query('VACUUM ANALYZE');
  const database = await timeOfPostgres(client);
  await withServers(url, options, async (ours, theirs) => {
    for (const list of lists) {
      for (const limit of limits) {
        for (const place of places) {
          const last = Math.ceil(rows / limit);
          const page = {
            first: () => 1,
            last: () => last,
            random: () => 1 + Math.floor(Math.random() * last),
          };
          const path = (): string => `/api/v1/${list}?limit=${limit}&page=${page[place]()}`;
          const writer = await startBackgroundWriter(url, tenant, rows, writing ? 50 : 0);
          const lines = await comparison(
            { ...options, path, cookie: `session=${tenant}`, database },
            ours,
            theirs,
          );
          const written = await writer.stop();
          print(`${list}, limit ${limit}, ${place} page${written > 0 ? `, ${written} updates` : ''}:`);
          for (const line of lines) print(`  ${line}`);
        }
      }
    }
  });
};

const options = sideBySideOptions();
const server = await startPostgres();
const name = `triage_side_by_side_${process.pid}`;
try {
  await prepare(server, name);
  await connected(server.url(name), (client) => compareServers(server.url(name), client, options));
} finally {
  await remove(server, name);
  await server.stop();
}
