import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { realFile } from '../../../src/files/real-file.js';
import { aUser } from '../../_data.js';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../storage/fixtures/_directory.js';
import { listen, listenProcess, run, runProcess } from '../_cli.js';

const signUp = (url: string, name: string): Promise<Response> =>
  fetch(`${url}/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, email: `${name}@new.test`, password: 'correct horse' }),
  });

const sessionOf = (response: Response): string =>
  /^session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';

/** The number of sign-ups in a state file. */
const signUpsIn = async (file: string): Promise<number> =>
  (await readFile(file, 'utf8')).split('"_tag":"SignedUp"').length - 1;

test('sign-ups, sessions and tokens survive a restart; without --state they do not', async (t) => {
  const file = join(await directoryWith(t, {}), 'state.json');
  const first = await listen(t, ['--state', file]);
  const session = sessionOf(await signUp(first.url, 'ann'));
  const minted = await fetch(`${first.url}/settings/api-tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: `session=${session}` },
    body: '{"name":"ci"}',
  });
  const { token } = Object(await minted.json());
  await first.end('SIGTERM');

  const text = await readFile(file, 'utf8');
  for (const secret of [session, token, 'correct horse']) t.false(text.includes(secret));

  const second = await listen(t, ['--state', file]);
  t.is((await fetch(`${second.url}/api/v1/repos`, cookie(session))).status, 200);
  t.is(
    (await fetch(`${second.url}/api/v1/prs`, { headers: { Authorization: `Bearer ${token}` } })).status,
    200,
  );
  const without = await listen(t, []);
  t.is((await fetch(`${without.url}/api/v1/repos`, cookie(session))).status, 401);
});

test('a kill at any moment loses nothing that was acknowledged, and leaves a valid file', async (t) => {
  const file = join(await directoryWith(t, {}), 'state.json');
  const acknowledged: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const server = await listenProcess(t, ['--state', file, '--signup-limit', '1000', '--no-watch']);
    for (const value of acknowledged) {
      t.is((await fetch(`${server.url}/api/v1/repos`, cookie(value))).status, 200, `round ${round}`);
    }
    const enough = acknowledged.length + round + 1;
    let killing: Promise<unknown> | null = null;
    const signingUp = Array.from({ length: 4 }, async (_, worker) => {
      for (let i = 0; killing === null; i += 1) {
        const response = await signUp(server.url, `u${round}-${worker}-${i}`).catch(() => null);
        if (response?.status === 200) acknowledged.push(sessionOf(response));
        // Kills the server a few milliseconds later, while it saves the other sign-ups.
        if (acknowledged.length >= enough) killing ??= delay(round * 3).then(() => server.end('SIGKILL'));
      }
    });
    await Promise.all(signingUp);
    await killing;
  }
  t.true(acknowledged.length >= 21, `${acknowledged.length} sign-ups`);
  const last = await listen(t, ['--state', file, '--no-watch']);
  await last.end('SIGTERM');
  t.true((await signUpsIn(file)) >= acknowledged.length);
});

test('a state file that another process uses is refused, and taken over once that process is gone', async (t) => {
  const file = join(await directoryWith(t, {}), 'state.json');
  const first = await listenProcess(t, ['--state', file]);
  const second = await runProcess(['--port', '0', '--state', file]);
  t.is(second.code, 1);
  t.is(second.err, `${file} is in use by process ${first.child.pid}\n`);
  await first.end('SIGKILL');
  const third = await listenProcess(t, ['--state', file]);
  await third.end('SIGTERM');
  t.deepEqual(await readdir(dirname(file)), ['state.json']);
});

test('a state file that a process of another container uses is refused, also through a link', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(realFile(directory), 'state.json');
  await symlink(file, join(directory, 'link.json'));
  const holder = { id: 'x', pid: 1, host: 'web-1', space: 'another container', started: '1' };
  await writeFile(`${file}.lock`, JSON.stringify(holder));
  let beat = 0;
  const refreshing = setInterval(() => {
    beat += 1;
    void utimes(`${file}.lock`, beat, beat);
  }, 100);
  t.teardown(() => clearInterval(refreshing));
  const { code, err } = await run(['--port', '0', '--state', join(directory, 'link.json')]);
  t.is(code, 1);
  const name = 'process 1 in another container or on another machine (host web-1)';
  t.is(
    err,
    `${file}.lock belongs to ${name}; watching for 10 seconds whether that still runs\n${file} is in use by ${name}\n`,
  );
  t.deepEqual(JSON.parse(await readFile(`${file}.lock`, 'utf8')), holder);
});

test('in a directory that is gone nothing is saved and a line says so; a new directory is used', async (t) => {
  const directory = join(await directoryWith(t, {}), 'disk');
  await mkdir(directory);
  const file = join(directory, 'state.json');
  const server = await listen(t, ['--state', file]);
  const session = sessionOf(await signUp(server.url, 'ann'));
  await rm(directory, { recursive: true });
  t.is((await signUp(server.url, 'bob')).status, 503);
  await server.shows('state.json: the file cannot be written: ENOENT: no such file or directory');
  t.is((await fetch(`${server.url}/api/v1/repos`, cookie(session))).status, 200);
  await mkdir(directory);
  t.is((await signUp(server.url, 'bob')).status, 200);
  t.deepEqual((await readdir(directory)).sort(), ['state.json', 'state.json.lock']);
  t.is(await signUpsIn(file), 2);
});

test('a state file in the directory of the fixtures is refused', async (t) => {
  const directory = await directoryWith(t, { 'x.json': { user: aUser('x') } });
  const state = join(directory, 'state.json');
  const { code, err } = await run(['--port', '0', '--fixtures', directory, '--state', state]);
  t.is(code, 1);
  t.is(err, `${state}: the state file must not be in the directory of the fixtures\nrefused: 1 problem\n`);
});

test('an invalid state file is an error, and the server does not start', async (t) => {
  const directory = await directoryWith(t, { 'state.json': '[]' });
  const { code, err } = await run(['--port', '0', '--state', join(directory, 'state.json')]);
  t.is(code, 1);
  t.regex(err, /state\.json: this is not a state file, .*; name another file with --state\n/);
});
