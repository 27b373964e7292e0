import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../_find-program.js';
import { freePort } from '../postgres/_embedded.js';
import { connected } from '../postgres/_postgres.js';

/** The path of a pgbouncer on this machine, or null; `PGBOUNCER` names another place. */
export const findPgbouncer = (): string | null =>
  findProgram([
    process.env.PGBOUNCER ?? '',
    '/usr/sbin/pgbouncer',
    '/usr/bin/pgbouncer',
    '/usr/local/bin/pgbouncer',
    '/opt/homebrew/bin/pgbouncer',
  ]);

/**
 * Starts a pgbouncer in transaction mode in front of the database at a URL. It has fewer connections than its
 * clients, so that they take turns. Resolves to the URL of the pooled database once it answers.
 */
export const startPgbouncer = async (
  url: string,
  poolSize = 3,
): Promise<Readonly<{ url: string; stop: () => Promise<void> }>> => {
  const program = findPgbouncer();
  if (program === null) throw new Error('no pgbouncer found: install it, or set PGBOUNCER to its path');
  const target = new URL(url);
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-pgbouncer-'));
  await chmod(directory, 0o755);
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${target.hostname} port=${target.port || 5432} user=${target.username} password=${target.password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 200',
    ].join('\n'),
  );
  // It refuses to run as root, but changes to another user itself.
  const asWhom = userInfo().uid === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, ['-q', ...asWhom, file], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const pooled = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
  const answers = () =>
    connected(pooled, (client) => client.query('SELECT 1')).then(
      () => true,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with exit code ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url: pooled,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
};
