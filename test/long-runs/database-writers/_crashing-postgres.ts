import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  areShared,
  chosenBinaries,
  copyBinaries,
  freePort,
  giveTo,
  nobody,
  password,
  type RunAs,
} from '../../storage/postgres/_embedded.js';
import { connected } from '../../storage/postgres/_postgres.js';

/**
 * How the server ends: told to exit without a checkpoint, its first process killed, or the process of one
 * connection killed, after which it recovers by itself.
 */
export const crashes = ['immediate', 'first process', 'one connection'] as const;
export type Crash = (typeof crashes)[number];

/** A PostgreSQL server that keeps what it has committed, and can be crashed. */
export type CrashingPostgres = Readonly<{
  url: string;
  /** Ends every connection, this way; all are lost soon after it resolves. */
  crash: (way: Crash) => Promise<void>;
  /** Resolves once it accepts connections. */
  untilAccepting: () => Promise<void>;
}>;

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'autovacuum_naptime=1s',
  // A deadlock is found before the schedule takes a statement for blocked, and goes on without it.
  'deadlock_timeout=10ms',
];

/** Starts a server on a free port; port and data stay the same after a crash. It is gone after the test. */
export const startCrashingPostgres = async (
  life: Readonly<{ teardown: (end: () => Promise<void>) => void }>,
): Promise<CrashingPostgres> => {
  const isRoot = process.getuid?.() === 0;
  const directory = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'triage-api-fuzz-'));
  life.teardown(() => rm(directory, { recursive: true, force: true }));
  const runAs: RunAs = isRoot ? await nobody() : {};
  const chosen = await chosenBinaries();
  const { initdb, pg_ctl } = isRoot && !areShared ? await copyBinaries(chosen, directory) : chosen;
  const passwordFile = join(directory, 'password');
  const data = join(directory, 'data');
  const log = join(directory, 'log');
  await writeFile(passwordFile, password);
  await chmod(directory, 0o755);
  await giveTo(runAs, directory, passwordFile);
  const call = (program: string, ...words: readonly string[]) =>
    new Promise<number | null>((resolve, reject) => {
      spawn(program, words, { cwd: dirname(data), stdio: 'ignore', ...runAs })
        .once('error', reject)
        .once('exit', resolve);
    });
  const locale = ['--encoding=UTF8', '--locale=C', '--no-sync'];
  const access = ['--username=postgres', '--auth=password', `--pwfile=${passwordFile}`];
  const made = await call(initdb, `--pgdata=${data}`, ...access, ...locale);
  if (made !== 0) throw new Error(`initdb failed with exit code ${made}`);

  const port = await freePort();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const words = settings.map((each) => `-c ${each}`).join(' ');
  const start = async (): Promise<void> => {
    // Processes that have lost their first one may hold the shared memory for a moment.
    for (let attempt = 1; ; attempt += 1) {
      if (
        (await call(pg_ctl, 'start', '-D', data, '-l', log, '-o', `-p ${port} ${words}`, '-w', '-t600')) === 0
      )
        return;
      if (attempt === 100) throw new Error(`PostgreSQL does not start: ${await readFile(log, 'utf8')}`);
      await setTimeout(100);
    }
  };
  const stop = async (): Promise<void> => {
    await call(pg_ctl, 'stop', '-D', data, '-m', 'immediate', '-w', '-t600');
  };
  life.teardown(stop);
  await start();

  const killOneConnection = async (): Promise<void> => {
    await connected(url, async (client) => {
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      process.kill(Number(rows[0].pid), 'SIGKILL');
      await new Promise((resolve) => client.once('end', resolve));
    });
  };
  const untilAccepting = async (): Promise<void> => {
    while (!(await connected(url, async () => true).catch(() => false))) await setTimeout(20);
  };
  return {
    url,
    untilAccepting,
    crash: async (way) => {
      if (way === 'one connection') return killOneConnection();
      const [first] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
      if (way === 'immediate') await stop();
      else process.kill(Number(first), 'SIGKILL');
      await start();
    },
  };
};
