import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { hashSecret } from '../../../src/api/credentials.js';
import { aUser } from '../../_data.js';
import { bearer, cookie } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { json, sessionOf } from '../../pages/_browserless.js';
import { listen, run } from '../_cli.js';

const signUp = (url: string, name: string): Promise<Response> =>
  fetch(`${url}/signup`, json({ name, email: `${name}@new.test`, password: 'correct horse' }));

/** The contents of the files of all accounts. */
const accountsIn = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
};

test('sign-ups, sessions and tokens survive a restart, no secret is in a file, and rows are as fresh as on the first day', async (t) => {
  const folder = join(await directoryWith(t, {}), 'new/accounts');
  const first = await listen(t, ['--state', folder, '--now', '2026-11-20T12:00:00Z']);
  const session = sessionOf(await signUp(first.url, 'ann'));
  const get = async (url: string, path: string, init = cookie(session)) =>
    Object(await (await fetch(`${url}${path}`, init)).json());
  const mine = { Cookie: `session=${session}` };
  const minted = await fetch(`${first.url}/settings/api-tokens`, json({ name: 'ci' }, mine));
  const { token } = Object(await minted.json());
  t.is((await get(first.url, '/api/v1/prs', bearer(token))).page, 1);
  const [{ lastScanRelative }] = await get(first.url, '/api/v1/repos');
  await first.end('SIGTERM');

  const [text = '', ...others] = await accountsIn(folder);
  t.is(others.length, 0);
  for (const secret of [session, token, 'correct horse']) t.false(text.includes(secret));
  t.is((await stat(folder)).mode & 0o777, 0o700);

  const { url } = await listen(t, ['--state', folder, '--now', '2026-11-23T12:00:00Z']);
  t.like((await get(url, '/api/v1/repos'))[0], { lastScanRelative });
  const headers = { ...mine, Accept: 'application/json' };
  const tokens = await get(url, '/settings/api-tokens', { headers });
  t.regex(JSON.stringify(tokens), /"lastUsedAt":"2026-11-20T12:00:00.000Z"/);
  t.is((await get(url, '/api/v1/prs', bearer(token))).page, 1);
  const without = await listen(t, []);
  t.is((await fetch(`${without.url}/api/v1/repos`, cookie(session))).status, 401);
});

test('a restart with more accounts than are allowed deletes none, and a sign-up at most ten, with a warning', async (t) => {
  const folder = await directoryWith(t, {});
  const first = await listen(t, ['--state', folder]);
  await signUp(first.url, 'ann');
  await first.end('SIGTERM');
  const [text = ''] = await accountsIn(folder);
  const { sessions: _, ...account } = JSON.parse(text);
  for (let number = 2; number <= 520; number += 1) {
    const id = `usr_${number}`;
    const another = JSON.stringify({ ...account, sessions: [], signUp: { ...account.signUp, number } });
    const own = another.replaceAll(account.userId, id).replaceAll('ann@new.test', `${id}@new.test`);
    await writeFile(join(folder, `${hashSecret(id)}.json`), own);
  }
  const more = 'there are more accounts than --max-signups allows';
  for (const [words, maxSignUps, warning, left] of [
    [[], 500, `${more} by default; all stay`, 520],
    [['--max-signups', '300'], 300, `${more}; each`, 511],
  ] as const) {
    const server = await listen(t, ['--state', folder, '--signup-limit', '100', ...words]);
    const { event, ...others } = JSON.parse(server.err().split('\n')[0] ?? '');
    t.like(others, { level: 'warn', accounts: 520, maxSignUps });
    t.true(event.startsWith(warning), event);
    t.is((await accountsIn(folder)).length, 520);
    t.is((await signUp(server.url, `new${left}`)).status, 200);
    await server.shows('"warn","event":"the oldest signed-up tenant was removed');
    await server.end('SIGTERM');
    t.is((await accountsIn(folder)).length, left);
  }
});

test('the folder of --state is that of one server; while it is gone, changes get 503 and reads work; a new folder gets all accounts', async (t) => {
  const folder = join(await directoryWith(t, {}), 'disk');
  const server = await listen(t, ['--state', folder]);
  const session = sessionOf(await signUp(server.url, 'ann'));
  const second = await run(['--port', '0', '--state', folder]);
  t.is(second.code, 1);
  t.true(second.err.startsWith(`${folder} is in use by process ${process.pid} (host `), second.err);
  await rm(folder, { recursive: true });
  t.is((await signUp(server.url, 'bob')).status, 503);
  await server.shows('the file cannot be written: ENOENT: no such file or directory');
  t.is((await fetch(`${server.url}/api/v1/repos`, cookie(session))).status, 200);
  await mkdir(folder);
  t.is((await signUp(server.url, 'bob')).status, 200);
  t.is((await accountsIn(folder)).length, 2);
  t.true((await readdir(folder)).some((name) => name.startsWith('lock.')));
});

test('--state refuses a file, and the directory of the fixtures', async (t) => {
  const directory = await directoryWith(t, { 'x.json': { user: aUser('x') } });
  const file = join(directory, 'x.json');
  const isFile = `--state: ${file} is a file; name a folder, in which each account gets a file of its own`;
  const isFixtures = `${directory}: --state must not be the directory of the fixtures\nrefused: 1 problem`;
  for (const [words, code, err] of [
    [['--state', file], 2, isFile],
    [['--state', directory, '--fixtures', directory], 1, isFixtures],
    [['--state', directory, '--fixtures', file], 1, isFixtures],
  ] as const)
    t.like(await run(['--port', '0', ...words]), { code, err: `${err}\n` });
  t.is(Object(JSON.parse(await readFile(file, 'utf8'))).user.id, 'x', 'the file stays');
});
