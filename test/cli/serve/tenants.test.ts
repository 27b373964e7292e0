import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { aRepo, aSession, aUser } from '../../_data.js';
import { cookie } from '../../_server.js';
import { control } from '../../controls/_control.js';
import { directoryWith } from '../../storage/memory/_directory.js';
import { listen } from '../_cli.js';

const create = async (server: Readonly<{ url: string }>): Promise<Readonly<Record<string, string>>> =>
  Object((await control(server, 'POST', '/tenants', {}))[1]);

const status = async ({ url }: Readonly<{ url: string }>, session = ''): Promise<number> =>
  (await fetch(`${url}/api/v1/repos`, cookie(session))).status;

test('--max-tenants and --max-tenant-rows are obeyed, and the log says who had to go', async (t) => {
  const server = await listen(t, ['--max-tenants', '1']);
  const [first, second] = [await create(server), await create(server)];
  await server.shows('the oldest tenant on demand was removed to make room');
  t.true(server.err().includes(first.id ?? '-'));
  t.deepEqual([await status(server, first.session), await status(server, second.session)], [401, 200]);
  const small = await listen(t, ['--max-tenant-rows', '32']);
  t.deepEqual(await control(small, 'POST', '/tenants', {}), [
    400,
    { error: '33 rows; all tenants on demand have at most 32 (--max-tenant-rows)' },
  ]);
});

test('nothing is kept of a tenant but logins, and a restart ends it with all that it got', async (t) => {
  const folder = await directoryWith(t, {});
  const accounts = async () => (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const first = await listen(t, ['--state', folder]);
  const made = await create(first);
  t.deepEqual(await accounts(), []);
  const login = await fetch(`${first.url}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: Object(made.user).email, password: made.password }),
  });
  const [, session = ''] = /session=([^;]+)/.exec(login.headers.get('set-cookie') ?? '') ?? [];
  t.is(await status(first, session), 200);
  t.is((await accounts()).length, 1);
  await first.end('SIGTERM');
  const second = await listen(t, ['--state', folder]);
  for (const value of [session, made.session]) t.is(await status(second, value), 401);
  await second.end('SIGTERM');
  t.deepEqual(await accounts(), []);
});

test('a reload keeps the tenants', async (t) => {
  const fixture = (owner: string) => ({
    user: aUser('x'),
    sessions: [aSession('x')],
    repos: [aRepo('r', { owner })],
  });
  const directory = await directoryWith(t, { 'x.json': fixture('before') });
  const server = await listen(t, ['--fixtures', directory]);
  const made = await create(server);
  await writeFile(join(directory, 'x.json'), JSON.stringify(fixture('after')));
  await server.shows('fixtures reloaded');
  const owner = async (session = '') =>
    Object(await (await fetch(`${server.url}/api/v1/repos`, cookie(session))).json())[0]?.owner;
  t.is(await owner(made.session), 'before');
  t.is(await owner((await create(server)).session), 'after');
});
