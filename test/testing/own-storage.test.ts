import test from 'ava';
import { startTriageApi } from '../../src/testing/server.js';
import { now } from '../_data.js';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { started } from './_start.js';

const acmeCookie = { headers: { Cookie: 'session=acme-cookie' } };

test('a test serves a storage of its own: itself, with what closes it, or a function that makes it', async (t) => {
  const storage = aStorage([acme]);
  let closed = 0;
  const close = async (): Promise<void> => {
    closed += 1;
  };
  for (const given of [storage, { storage, close }, () => ({ storage, close })]) {
    const api = await started(t, { storage: given });
    t.is((await api.fetch('/api/v1/findings', acmeCookie)).status, 200);
    const refused = await api.fetch('/api/v1/findings');
    t.is(refused.status, 401);
    t.regex(refused.headers.get('x-triage-warning') ?? '', /^the request has no session cookie: /);
    await api.stop();
  }
  t.is(closed, 2);
});

test('the function gets the clock of the server, which a test moves', async (t) => {
  let clock = (): number => 0;
  const storage = aStorage([acme]);
  const api = await started(t, {
    storage: (context) => {
      clock = context.clock;
      return { storage };
    },
  });
  t.is(clock(), Date.parse(now));
  await api.clock.set('2031-05-06T07:08:09Z');
  t.is(clock(), Date.parse('2031-05-06T07:08:09Z'));
  await api.clock.release();
  t.true(Math.abs(clock() - Date.now()) < 60_000);
});

test('faults, the journal and failures of the storage work; what changes fixtures is refused', async (t) => {
  const api = await started(t, { storage: aStorage([acme]) });
  api.faults.add({ code: 503 });
  t.is((await api.fetch('/api/v1/repos', acmeCookie)).status, 503);
  api.faults.clear();
  api.setStorage('broken');
  t.is((await api.fetch('/api/v1/repos', acmeCookie)).status, 500);
  api.setStorage('fine');
  t.is(api.requests().length, 2);
  for (const change of [
    () => api.setFixtures([]),
    () => api.patch('repos', 'r1', {}),
    () => api.insert('repos', Object()),
    () => api.remove('repos', 'r1'),
    () => api.reset(),
    () => api.createTenant(),
    () => api.removeTenant('x'),
  ]) {
    await t.throwsAsync(change, {
      message: /only fixtures can be changed; this server serves the option storage/,
    });
  }
  t.deepEqual(api.tenants, []);
  t.throws(() => api.session, { message: /no tenant of this server is known/ });
  t.throws(() => api.tenant('x'), { message: /no tenant of this server is known/ });
});

test('a value that is no storage, and options about fixtures beside it, are refused with every reason', async (t) => {
  await t.throwsAsync(startTriageApi({ storage: Object({ ready: 1 }) }), {
    message:
      /storage: these operations of the storage are missing: caller, [\s\S]*storage: ready: expected a function, got 1/,
  });
  await t.throwsAsync(startTriageApi({ storage: aStorage([]), fixtures: [], maxTenants: 3 }), {
    message:
      /fixtures: cannot be used with storage, because it is about fixtures[\s\S]*maxTenants: cannot be used with storage/,
  });
});
