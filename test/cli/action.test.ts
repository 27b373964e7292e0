import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { startShell } from '../_shell.js';
import { freePort } from '../postgres/_embedded.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs the script of the action's last step. Resolves to its exit code, what it printed, and its outputs. */
const runAction = async (t: ExecutionContext, command: string, words: string, port = '4000') => {
  const [, indented = ''] =
    /run: \|\n([\s\S]*)$/.exec(await readFile(join(root, 'action.yml'), 'utf8')) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'triage-api-action-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const { code, out } = await startShell(t, folder, indented.replaceAll(/^ {8}/gm, ''), {
    ...process.env,
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: join(folder, 'output'),
    RUNNER_TEMP: folder,
    COMMAND: command,
    ARGUMENTS: words,
    PORT: port,
  }).finished;
  return { code, out, output: await readFile(join(folder, 'output'), 'utf8').catch(() => '') };
};

test('the action for GitHub starts a server, waits until it is ready, and verifies a server', async (t) => {
  const port = String(await freePort());
  const started = await runAction(t, 'serve', '--now 2026-11-20T12:00:00Z --strict', port);
  t.is(started.code, 0, started.out);
  t.is(started.output, `url=http://127.0.0.1:${port}\n`);
  const url = `http://127.0.0.1:${port}`;
  const credentials = '--session acme-session --token acme-token';
  const verified = await runAction(t, 'verify', `--url ${url} ${credentials} --min-exercised 50%`);
  t.is(verified.code, 0, verified.out);
  t.is((await runAction(t, 'verify', `--url ${url} --session of-nobody --token of-nobody`)).code, 2);
});

test('the action for GitHub fails with the message of a server that does not start', async (t) => {
  const { code, out } = await runAction(t, 'serve', '--fixtures nowhere', String(await freePort()));
  t.is(code, 1);
  t.regex(out, /nowhere/);
});
