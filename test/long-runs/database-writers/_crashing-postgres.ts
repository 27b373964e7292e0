import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startEmbedded } from '../../postgres/_embedded.js';
import { connected } from '../../postgres/_postgres.js';

/**
 * How the server ends: told to exit without a checkpoint, its first process killed, or the process of one
 * connection killed, after which it recovers by itself.
 */
export const crashes = ['immediate', 'first process', 'one connection'] as const;
export type Crash = (typeof crashes)[number];

/** A PostgreSQL server that keeps what it has committed, and can be crashed. */
export type CrashingPostgres = Readonly<{
  url: string;
  /** Ends every connection, this way; resolves once the server accepts connections again. */
  crash: (way: Crash) => Promise<void>;
}>;

const settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum_naptime: '1s',
  deadlock_timeout: '10ms',
};

/** Starts a server on a free port; port and data stay the same after a crash. It is gone after the test. */
export const startCrashingPostgres = async (
  life: Readonly<{ teardown: (end: () => Promise<void>) => void }>,
): Promise<CrashingPostgres> => {
  const server = await startEmbedded(null, settings);
  life.teardown(server.stop);
  const url = server.url('postgres');
  const killOneConnection = (): Promise<void> =>
    connected(url, async (client) => {
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      process.kill(Number(rows[0].pid), 'SIGKILL');
      await new Promise((resolve) => client.once('end', resolve));
    });
  const crash = async (way: Crash): Promise<void> => {
    if (way === 'one connection') return killOneConnection();
    const [first] = (await readFile(join(server.data, 'postmaster.pid'), 'utf8')).split('\n');
    if (way === 'immediate') await server.halt();
    else process.kill(Number(first), 'SIGKILL');
    await server.restart();
  };
  return {
    url,
    crash: async (way) => {
      await crash(way);
      while (!(await connected(url, async () => true).catch(() => false))) await setTimeout(20);
    },
  };
};
