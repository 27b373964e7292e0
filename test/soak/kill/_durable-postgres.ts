import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { areShared, chosenBinaries, copyBinaries } from '../../storage/postgres/_binaries.js';
import { freePort, giveTo, nobody, password } from '../../storage/postgres/_embedded.js';
import { connected } from '../../storage/postgres/_postgres.js';
import type { Life } from '../core/_life.js';
import { childrenOf, isAlive } from '../core/_proc.js';
import { pause } from '../core/_run.js';
import { temporaryDirectory } from '../core/_server-process.js';

/** A PostgreSQL server that keeps what it has committed, and can be killed. */
export type DurablePostgres = Readonly<{
  url: (database: string) => string;
  /** Kills every process of it, with no chance to write anything. */
  kill: () => Promise<void>;
  /** Starts it again; resolves once it has recovered and accepts connections. */
  start: () => Promise<void>;
}>;

/** Makes a server on a free port, with the default settings of PostgreSQL for durability, and starts it. */
export const startDurablePostgres = async (life: Life): Promise<DurablePostgres> => {
  const directory = await temporaryDirectory(life);
  const isRoot = process.getuid?.() === 0;
  const runAs = isRoot ? await nobody() : {};
  const chosen = await chosenBinaries();
  const { initdb, postgres } = isRoot && !areShared ? await copyBinaries(chosen, directory) : chosen;
  const passwordFile = join(directory, 'password');
  await writeFile(passwordFile, password);
  await giveTo(runAs, directory, passwordFile);
  const data = join(directory, 'data');
  const log = join(directory, 'log');
  const init = spawn(
    initdb,
    [
      `--pgdata=${data}`,
      '--username=postgres',
      '--auth=password',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
    ],
    { cwd: directory, stdio: 'ignore', ...runAs },
  );
  const [code] = await once(init, 'exit');
  if (code !== 0) throw new Error(`initdb failed with exit code ${code}`);

  const port = await freePort();
  const url = (database: string): string => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=on',
    'synchronous_commit=on',
  ];
  let running: ChildProcess | null = null;

  const kill = async (): Promise<void> => {
    const pid = running?.pid;
    if (running === null || pid === undefined || running.exitCode !== null || running.signalCode !== null)
      return;
    const ended = once(running, 'exit');
    // The first process would end the others in good order if they went first.
    const all = [pid, ...childrenOf(pid)];
    for (const each of all) {
      try {
        process.kill(each, 'SIGKILL');
      } catch {
        // It has ended by itself in the meantime.
      }
    }
    await ended;
    while (all.some(isAlive)) await pause(10);
    running = null;
  };
  const start = async (): Promise<void> => {
    const output = openSync(log, 'a');
    const child = spawn(
      postgres,
      ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])],
      {
        ...{ cwd: directory, stdio: ['ignore', output, output], ...runAs },
      },
    );
    closeSync(output);
    running = child;
    for (;;) {
      const accepts = await connected(url('postgres'), async () => true).catch(() => false);
      if (accepts) return;
      if (child.exitCode !== null)
        throw new Error(`PostgreSQL does not start: ${await readFile(log, 'utf8')}`);
      await pause(20);
    }
  };
  life.teardown(kill);
  await start();
  return { url, kill, start };
};
