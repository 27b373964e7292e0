import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { aRepo, aSession, aUser } from '../../_data.js';
import { cookie } from '../../_server.js';
import { control } from '../../http/admin/_control.js';
import { directoryWith } from '../../storage/fixtures/_directory.js';
import { listen, run } from '../_cli.js';

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

test('a tenant is not in the state file, and a restart ends it with all that it got', async (t) => {
  const file = join(await directoryWith(t, {}), 'state.json');
  const first = await listen(t, ['--state', file]);
  const made = await create(first);
  const before = await readFile(file, 'utf8').catch(() => '');
  t.false(before.includes(made.id ?? ''));
  const login = await fetch(`${first.url}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: Object(made.user).email, password: made.password }),
  });
  const [, session = ''] = /session=([^;]+)/.exec(login.headers.get('set-cookie') ?? '') ?? [];
  t.is(await status(first, session), 200);
  await first.end('SIGTERM');
  const second = await listen(t, ['--state', file]);
  for (const value of [session, made.session]) t.is(await status(second, value), 401);
  await second.end('SIGTERM');
  t.false((await readFile(file, 'utf8')).includes(made.id ?? ''));
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

test('--provider-states adds states, or is refused with all that is wrong', async (t) => {
  const directory = await directoryWith(t, {
    'states.json': { 'a tenant like boundary': { tenant: { from: 'boundary' } } },
    'wrong.json': { a: { tenat: 'acme' }, b: { faults: [{}] } },
    'unfit.json': {
      a: { tenant: 'nobody' },
      b: { tenant: { from: 'acme' }, patch: { repos: { nope: null } } },
    },
  });
  const server = await listen(t, ['--provider-states', join(directory, 'states.json')]);
  const [code, values] = await control(server, 'POST', '/pact/provider-states', {
    state: 'a tenant like boundary',
    action: 'setup',
  });
  t.is(code, 200);
  t.is(await status(server, Object(values).session), 200);
  const refused = async (...words: readonly string[]) => (await run(['serve', '--port', '0', ...words])).err;
  t.regex(
    await refused('--provider-states', join(directory, 'wrong.json')),
    /wrong\.json:3:\d+ \/a\/tenat: unknown key; did you mean "tenant"\?\n.*\/b\/faults\/0: a rule needs a code.*\nrefused: 2 problems\n$/,
  );
  t.regex(
    await refused('--provider-states', join(directory, 'unfit.json')),
    /^provider state "a" \/tenant: there is no such tenant; there are acme, .*\nprovider state "b" \/patch\/repos\/nope: no entry of repos has the id "nope"\nrefused: 2 problems\n$/,
  );
  t.regex(
    await refused('--provider-states', 'x.json', '--no-mock-controls'),
    /--provider-states needs the mock controls/,
  );
  t.regex(
    await refused('--provider-states', 'x.json', '--database-url', 'postgres://127.0.0.1:1/x'),
    /--provider-states needs the mock controls/,
  );
});
