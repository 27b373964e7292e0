import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { aUser } from '../../_data.js';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../storage/memory/_directory.js';
import { listen, listenProcess, run, runProcess } from '../_cli.js';

const signUp = (url: string, name: string): Promise<Response> =>
  fetch(`${url}/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, email: `${name}@new.test`, password: 'correct horse' }),
  });

const sessionOf = (response: Response): string =>
  /^session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';

/** The contents of the files of all accounts. */
const accountsIn = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
};

test('sign-ups, sessions and tokens survive a restart; without --state they do not', async (t) => {
  const folder = join(await directoryWith(t, {}), 'new/accounts');
  const first = await listen(t, ['--state', folder]);
  const session = sessionOf(await signUp(first.url, 'ann'));
  const minted = await fetch(`${first.url}/settings/api-tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: `session=${session}` },
    body: '{"name":"ci"}',
  });
  const { token } = Object(await minted.json());
  await first.end('SIGTERM');

  const [text = '', ...others] = await accountsIn(folder);
  t.is(others.length, 0);
  for (const secret of [session, token, 'correct horse']) t.false(text.includes(secret));
  t.is((await stat(folder)).mode & 0o777, 0o700);

  const second = await listen(t, ['--state', folder]);
  t.is((await fetch(`${second.url}/api/v1/repos`, cookie(session))).status, 200);
  t.is(
    (await fetch(`${second.url}/api/v1/prs`, { headers: { Authorization: `Bearer ${token}` } })).status,
    200,
  );
  const without = await listen(t, []);
  t.is((await fetch(`${without.url}/api/v1/repos`, cookie(session))).status, 401);
});

test('a process that is suspended keeps its folder, and goes on afterwards', async (t) => {
  const folder = await directoryWith(t, {});
  const first = await listenProcess(t, ['--state', folder]);
  first.child.kill('SIGSTOP');
  const second = await runProcess(['--port', '0', '--state', folder]);
  t.true(second.err.startsWith(`${folder} is in use by process ${first.child.pid} (host `), second.err);
  first.child.kill('SIGCONT');
  t.is((await signUp(first.url, 'ann')).status, 200);
});

test('in a folder that is gone nothing is saved and a line says so; a new folder gets all accounts', async (t) => {
  const folder = join(await directoryWith(t, {}), 'disk');
  const server = await listen(t, ['--state', folder]);
  const session = sessionOf(await signUp(server.url, 'ann'));
  await rm(folder, { recursive: true });
  t.is((await signUp(server.url, 'bob')).status, 503);
  await server.shows('the file cannot be written: ENOENT: no such file or directory');
  t.is((await fetch(`${server.url}/api/v1/repos`, cookie(session))).status, 200);
  await mkdir(folder);
  t.is((await signUp(server.url, 'bob')).status, 200);
  t.is((await accountsIn(folder)).length, 2);
  t.true((await readdir(folder)).some((name) => name.startsWith('lock.')));
});

test('the directory of the fixtures is refused as the folder of the accounts', async (t) => {
  const directory = await directoryWith(t, { 'x.json': { user: aUser('x') } });
  const { code, err } = await run(['--port', '0', '--fixtures', directory, '--state', directory]);
  t.is(code, 1);
  t.is(err, `${directory}: --state must not be the directory of the fixtures\nrefused: 1 problem\n`);
});

test('an existing file is answered with a sentence, and stays as it is', async (t) => {
  const file = join(await directoryWith(t, { 'state.json': '[]' }), 'state.json');
  const { code, err } = await run(['--port', '0', '--state', file]);
  t.is(code, 2);
  t.is(err, `--state: ${file} is a file; name a folder, in which each account gets a file of its own\n`);
  t.is(await readFile(file, 'utf8'), '[]');
});

test('the server starts with a damaged file, which it sets aside and names', async (t) => {
  const name = `${'0'.repeat(64)}.json`;
  const folder = await directoryWith(t, { [name]: '' });
  const server = await listen(t, ['--state', folder]);
  await server.shows(`${join(folder, name)}.damaged`);
  t.is((await signUp(server.url, 'ann')).status, 200);
});
