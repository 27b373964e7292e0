import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../_find-program.js';
import { freePort } from '../postgres/_embedded.js';

/** The path of an nginx on this machine, or null; `NGINX` names another place. */
export const findNginx = (): string | null =>
  findProgram([
    process.env.NGINX ?? '',
    '/usr/sbin/nginx',
    '/usr/bin/nginx',
    '/usr/local/sbin/nginx',
    '/usr/local/bin/nginx',
    '/opt/homebrew/bin/nginx',
  ]);

/** A proxy that is running. */
export type Nginx = Readonly<{ url: string; log: () => Promise<string>; stop: () => Promise<void> }>;

/**
 * Starts an nginx with the `server` and `upstream` blocks that `configure` writes for a port, in a directory
 * of its own. Resolves once it accepts connections.
 */
export const startNginx = async (configure: (port: number) => string): Promise<Nginx> => {
  const program = findNginx();
  if (program === null) throw new Error('no nginx found: install it, or set NGINX to its path');
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-nginx-'));
  await chmod(directory, 0o755);
  const file = join(directory, 'nginx.conf');
  const log = join(directory, 'error.log');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${directory}/${name};`,
  );
  await writeFile(
    file,
    [
      'daemon off;',
      `pid ${directory}/pid;`,
      'events {}',
      'http {',
      '  access_log off;',
      ...temporary,
      configure(port),
      '}',
    ].join('\n'),
  );
  const child = spawn(program, ['-p', directory, '-e', log, '-c', file], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  const accepts = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
  while (!(await accepts())) {
    if (child.exitCode !== null) throw new Error(`nginx does not start: ${await readFile(log, 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    log: () => readFile(log, 'utf8'),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
};
