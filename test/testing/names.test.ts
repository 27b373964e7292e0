import test from 'ava';
import { fetchHandler } from '../../src/testing/fetch-handler.js';
import { triageHandlers } from '../../src/testing/msw.js';
import { TriageApiError } from '../../src/testing/server.js';
import { now } from '../_data.js';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { json } from '../pages/_browserless.js';
import { origin, shippedFixture } from './_pair.js';
import { started } from './_start.js';

const account = { name: 'Pat', email: 'pat@new.test', password: 'correct horse battery' };

test('the cookies of a tenant are the same, however it is named', async (t) => {
  const api = await started(t);
  const status = async (tenant: string) => (await api.fetch('/session', { tenant })).status;
  t.is((await api.fetch('/logout', { ...json({}), tenant: 'acme' })).status, 204);
  t.deepEqual(
    [await status('usr_acme'), await status('dana@acme.test'), await status('demo')],
    [401, 401, 200],
  );
});

test('an assertion about a name that nobody has throws, and does not pass', async (t) => {
  const api = await started(t);
  const problemsOf = (act: () => unknown) => t.throws(act, { instanceOf: TriageApiError })?.problems;
  const known = 'expected one of acme, boundary, demo, empty, large';
  t.deepEqual(
    problemsOf(() => api.requests({ tenant: 'acmee' })),
    [`requests /tenant: ${known}, got "acmee"; did you mean "acme"?`],
  );
  t.deepEqual(
    problemsOf(() => api.faults.add({ tenant: 'usr_acmee', code: 503 })),
    [`faults.add: tenant: ${known}, got "usr_acmee"; did you mean "usr_acme"?`],
  );
  t.deepEqual(api.faults.list(), []);
});

test('a handler without a server knows its tenants and the pages of the login', async (t) => {
  const handle = fetchHandler([shippedFixture('acme'), shippedFixture('demo')], {
    now,
    session: 'dana@acme.test',
  });
  const ask = (path: string) => handle(new Request(`${origin}${path}`));
  t.is(Object(await (await ask('/session')).json()).user.id, 'usr_acme');
  handle.faults.add({ operation: 'GET /session', code: 503 });
  t.is((await ask('/session')).status, 503);
  t.is(handle.requests({ operation: 'GET /session' }).length, 2);
  t.throws(() => handle.faults.add({ operation: 'POST /sign-up', code: 503 }), {
    message: /expected one of listConnectedRepos, .*, POST \/signup, .*, got "POST \/sign-up"/,
  });
  const unasked = fetchHandler([shippedFixture('acme')], { now });
  t.notThrows(() => unasked.faults.add({ operation: 'POST /sign-up', code: 503 }), 'no page is loaded yet');
  t.throws(() => unasked.faults.add({ operation: 'POST /__admin/faults', code: 503 }));
  const withoutPages = triageHandlers([shippedFixture('acme')], { now });
  t.throws(() => withoutPages.faults.add({ operation: 'POST /signup', code: 503 }), {
    message:
      /expected one of listConnectedRepos, .*, POST \/login, POST \/login\/demo, POST \/logout, GET \/session, got "POST \/signup"/,
  });
  t.is(handle.requests({ tenant: 'usr_acme' }).length, 2);
  t.throws(() => handle.requests({ tenant: 'acme' }), {
    message: /expected one of usr_acme, usr_demo, got "acme"/,
  });
});

test('over a storage of its own, a test names tenants by the user ids that have sent requests', async (t) => {
  const api = await started(t, { storage: aStorage([acme]) });
  t.throws(() => api.requests({ tenant: acme.user.email }), { message: /there is none, so .* is unknown/ });
  await api.fetch('/api/v1/repos', { headers: { Cookie: 'session=acme-cookie' } });
  t.is(api.requests({ tenant: acme.user.id }).length, 1);
  const { id } = Object(await (await api.fetch('/signup', json(account))).json()).user;
  t.is(api.requests({ tenant: id }).length, 1);
  api.faults.add({ tenant: id, code: 503 });
  t.is((await api.fetch('/api/v1/repos')).status, 503);
});
