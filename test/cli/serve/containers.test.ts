import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { root } from '../../../scripts/inventory.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { listenProgram, runProgram } from '../_cli.js';

const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const namespace = [...asRoot, '--pid', '--fork', '--kill-child', '--mount-proc'];

/** What starts a program as process 1, as a container does; empty where this process may not. */
const containerWords = async (t: ExecutionContext): Promise<readonly string[]> => {
  try {
    await promisify(execFile)('unshare', [...namespace, 'true']);
    return ['unshare', ...namespace];
  } catch {
    t.log('NOT RUN in containers: that takes Linux and the right to make namespaces. Plain processes run.');
    return [];
  }
};

test('of two containers on one volume the second is refused; a killed one can be started again at once', async (t) => {
  const container = await containerWords(t);
  const folder = await directoryWith(t, {});
  const [file = '', ...words] = [...container, process.execPath, join(root, 'bin/triage-api.js')];
  const options = ['serve', '--port', '0', '--no-watch', '--state', folder];
  const program = { file, words: [...words, ...options], env: process.env };
  const start = async () => {
    const server = await listenProgram(t, program);
    // A container is not asked to end before it is killed.
    t.teardown(() => server.end('SIGKILL'));
    return server;
  };
  let latest = await start();

  const pid = container.length > 0 ? 1 : latest.child.pid;
  const { err } = await runProgram(program);
  t.true(err.startsWith(`${folder} is in use by process ${pid} (host `), err);

  // Each one finds the lock of one before that was killed.
  for (let restart = 0; restart < 3; restart += 1) {
    await latest.end('SIGKILL');
    latest = await start();
  }
  t.is((await readdir(folder)).length, 1, 'the lock of the latest');
});
