import test from 'ava';
import { createClient } from '../../src/client/index.js';
import { now } from '../testing/_pair.js';
import { started } from '../testing/_start.js';
import { failureOf } from './_failure.js';

const dana = { id: 'usr_acme', email: 'dana@acme.test', name: 'Dana Whitfield' };
const login = { email: dana.email, password: 'acme-password' };

test('a client signs in, keeps the session in Node, and signs out', async (t) => {
  const { url } = await started(t);
  const client = createClient({ baseUrl: url });
  t.is(await client.session(), null);
  t.is((await failureOf(client.listFindings())).kind, 'unauthorized');

  t.deepEqual(await client.login(login), dana);
  t.is((await client.listFindings()).totalItems, 41);
  const session = await client.session();
  t.deepEqual(session?.user, dana);
  t.true(Date.parse(session?.expiresAt ?? '') > Date.parse(now));
  t.is(await createClient({ baseUrl: url }).session(), null, 'another client has a session of its own');

  await client.logout();
  t.is(await client.session(), null);
  t.is((await failureOf(client.listConnectedRepos())).kind, 'unauthorized');
  await client.logout();
});

test('a client signs up, and logs in as a demo account by id, address or name', async (t) => {
  const { url } = await started(t);
  const client = createClient({ baseUrl: url });
  const ann = { name: 'Ann', email: 'ann@new.test' };
  t.like(await client.signUp({ ...ann, password: 'plum violin rocket' }), ann);
  t.true((await client.listConnectedRepos()).every(({ isDemoRow }) => isDemoRow));
  for (const account of [dana.id, dana.email, 'acme']) t.deepEqual(await client.demoLogin({ account }), dana);
  t.deepEqual((await client.session())?.user, dana);
});

test('an API token is no session, and is not sent to the flows of accounts', async (t) => {
  const { url, token } = await started(t);
  const sent: (string | null)[] = [];
  const client = createClient({
    baseUrl: url,
    token,
    fetch: (target, init) => {
      sent.push(new Headers(init.headers).get('authorization'));
      return fetch(target, init);
    },
  });
  t.is(await client.session(), null);
  await client.login(login);
  await client.listPrs();
  t.deepEqual(sent, [null, null, `Bearer ${token}`]);
});

test('a client rejects a login that fails with its reason, and keeps its session', async (t) => {
  const { url } = await started(t);
  const client = createClient({ baseUrl: url });
  await client.login(login);
  const wrong = await failureOf(client.login({ ...login, password: 'wrong' }));
  t.like(wrong, { kind: 'unauthorized', operation: 'login', status: 401 });
  t.is(wrong.message, 'The e-mail address or the password is wrong.');
  const invalid = await failureOf(client.signUp({ email: 'nobody', name: 'A', password: 'short' }));
  t.like(invalid, { kind: 'invalid-parameters', operation: 'signUp' });
  t.is(invalid.problems.length, 2, invalid.message);
  t.like(await failureOf(client.demoLogin({ account: 'nope' })), { kind: 'not-found' });
  t.deepEqual((await client.session())?.user, dana);
});

for (const [what, response, kind] of [
  ['another user', () => Response.json({ user: { id: 1 } }), 'contract-violation'],
  ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'gateway'],
  ['a limit', () => Response.json({ error: 'Wait' }, { status: 429 }), 'rate-limited'],
] as const) {
  test(`a client reports ${what} in place of the answer to a login, a question or a logout`, async (t) => {
    const client = createClient({ baseUrl: 'http://api.test', fetch: async () => response() });
    for (const call of [() => client.login(login), () => client.session(), () => client.logout()])
      t.is((await failureOf(call())).kind, kind);
    t.is((await failureOf(client.session({ signal: AbortSignal.abort() }))).kind, 'aborted');
  });
}
