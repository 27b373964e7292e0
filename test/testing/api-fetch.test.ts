import { createServer } from 'node:net';
import test from 'ava';
import { startTriageApi, TriageApiError } from '../../src/testing/server.js';
import { bearer } from '../_server.js';
import { json as post } from '../pages/_browserless.js';
import { started } from './_start.js';

const user = { id: 'kim', email: 'kim@team.test', name: 'Kim', password: 'secret' };
const lee = { id: 'lee', email: 'lee@team.test', name: 'Lee', password: 'secret' };

test('fetch sends the session of the first tenant, of a named one, or none', async (t) => {
  const api = await started(t, { fixtures: [{ user }, { user: lee }] });
  const who = async (init: Parameters<typeof api.fetch>[1]) => {
    const answer = await api.fetch('/session', init);
    return answer.ok ? Object(await answer.json()).user.id : answer.status;
  };
  t.is(await who({}), 'kim');
  t.is(await who({ tenant: 'kim' }), 'kim');
  t.is(await who({ tenant: 'lee' }), 'lee');
  t.is(await who({ tenant: null }), 401);
  t.is(await who({ headers: { Cookie: 'session=nope' } }), 401);
  t.is((await api.fetch('/api/v1/prs', bearer('nope'))).status, 401);
  await t.throwsAsync(api.fetch('/session', { tenant: 'pat' }), {
    instanceOf: TriageApiError,
    message: /tenant: expected one of kim, lee, got "pat"/,
  });
});

test('a base path is in the URL; fetch takes paths with it and without', async (t) => {
  const api = await started(t, { fixtures: [{ user }], basePath: '/mock' });
  t.regex(api.url, /^http:\/\/127\.0\.0\.1:\d+\/mock$/);
  for (const path of ['/api/v1/repos', '/mock/api/v1/repos', `${api.url}/api/v1/repos`])
    t.is((await api.fetch(path)).status, 200, path);
  t.is((await fetch(`${api.url}/api/v1/repos`)).status, 401);
  const left = await api.fetch('/logout', { method: 'POST', body: new URLSearchParams() });
  t.is(left.url, `${api.url}/login`);
  t.is((await api.fetch('/api/v1/repos')).status, 401);
});

test('fetch keeps cookies as a browser does, for each tenant', async (t) => {
  const api = await started(t, { fixtures: [{ user }, { user: lee }] });
  const status = async (init: Parameters<typeof api.fetch>[1] = {}) =>
    (await api.fetch('/api/v1/repos', init)).status;
  t.is((await api.fetch('/logout', post({}))).status, 204);
  t.deepEqual([await status(), await status({ tenant: 'lee' })], [401, 200]);
  const loggedIn = await api.fetch('/login', post({ email: user.email, password: user.password }));
  t.is(loggedIn.status, 200);
  const headers = { Cookie: `session=${api.session}` };
  t.is((await fetch(`${api.url}/session`, { headers })).status, 200, 'the session is the new one');
  t.is(await status(), 200);
  t.is(await status({ tenant: null }), 401);
  const visitor = { ...post({ email: lee.email, password: lee.password }), tenant: null };
  t.is((await api.fetch('/login', visitor)).status, 200);
  t.is(Object(await (await api.fetch('/session', { tenant: null })).json()).user.id, 'lee');
});

test('fetch follows redirects and keeps their cookies', async (t) => {
  const api = await started(t, { fixtures: { user } });
  const form = { method: 'POST', body: new URLSearchParams({ email: user.email, password: user.password }) };
  const followed = await api.fetch('/login', { ...form, tenant: null });
  t.is(followed.status, 200);
  t.is(new URL(followed.url).pathname, '/');
  t.true((await followed.text()).includes('You are signed in as <bdi>Kim</bdi>'));
  t.is((await api.fetch('/login', { ...form, redirect: 'manual' })).status, 303);
});

test('fetch sends the session to no other server', async (t) => {
  const api = await started(t, { fixtures: { user } });
  for (const path of ['http://evil.test/', '//evil.test/', '/\\evil.test', 'https://127.0.0.1']) {
    await t.throwsAsync(
      api.fetch(path),
      { instanceOf: TriageApiError, message: /fetch: expected a path/ },
      path,
    );
  }
  t.is((await api.fetch(`${api.url}/session`)).status, 200);
});

test('port chooses the port, and a port in use or out of range is a problem that says so', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await t.throwsAsync(startTriageApi({ fixtures: { user }, port }), {
    instanceOf: TriageApiError,
    message: new RegExp(`cannot listen on port ${port} of 127\\.0\\.0\\.1: .*EADDRINUSE`),
  });
  await new Promise((resolve) => other.close(resolve));
  const api = await started(t, { fixtures: { user }, port });
  t.is(api.url, `http://127.0.0.1:${port}`);
  await t.throwsAsync(startTriageApi({ port: 65_536 }), { message: /options \/port: expected a port/ });
});

test('fetch sends the session that the tenant has now, until a login or a logout replaces it', async (t) => {
  const api = await started(t, { fixtures: { user } });
  const status = async (): Promise<number> => (await api.fetch('/api/v1/repos')).status;
  t.is(await status(), 200);
  await api.clock.set('2099-01-01T00:00:00Z');
  t.is(await status(), 200);
});
