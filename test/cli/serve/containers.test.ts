import { execFile, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { root } from '../../../scripts/inventory.js';
import { directoryWith } from '../../storage/memory/_directory.js';

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

/** Starts a server that keeps accounts in this folder. `listens` is false if it ends before it listens. */
const startServer = (t: ExecutionContext, container: readonly string[], folder: string) => {
  const [program = '', ...words] = [...container, process.execPath, join(root, 'bin/triage-api.js')];
  const options = ['serve', '--port', '0', '--no-watch', '--state', folder];
  const child = spawn(program, [...words, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const listening = new Promise<boolean>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
      if (err.includes('listening on ')) resolve(true);
    });
    void ended.then(() => resolve(false));
  });
  const kill = (): Promise<void> => {
    child.kill('SIGKILL');
    return ended;
  };
  t.teardown(kill);
  return { pid: child.pid, listening, err: () => err, kill };
};

test('of two containers on one volume the second is refused; a killed one can be started again at once', async (t) => {
  const container = await containerWords(t);
  const folder = await directoryWith(t, {});
  const first = startServer(t, container, folder);
  t.true(await first.listening, first.err());

  const second = startServer(t, container, folder);
  t.false(await second.listening);
  const pid = container.length > 0 ? 1 : first.pid;
  t.true(second.err().startsWith(`${folder} is in use by process ${pid} (host `), second.err());

  // Each one finds the lock of one before that was killed.
  let latest = first;
  for (let restart = 0; restart < 3; restart += 1) {
    await latest.kill();
    latest = startServer(t, container, folder);
    t.true(await latest.listening, latest.err());
  }
  t.is((await readdir(folder)).length, 1, 'the lock of the latest');
});
