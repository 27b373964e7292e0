import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createSimulation } from '../../src/simulation/simulation.js';
import { rateLimit } from '../../src/start/rate-limit.js';
import { cookie, serve } from '../_server.js';
import { acme } from '../koa/_world.js';

const session = cookie('acme-cookie');

const noCookie =
  "the request has no session cookie: a page of another origin sends the cookie with credentials 'include'";

test('the journal has every request but those to the controls, with what was simulated', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  await ask('/api/v1/repos', session);
  await ask('/api/v1/prs', { headers: { Cookie: 'session=acme-cookie', Prefer: 'code=503' } });
  await ask('/api/v1/findings?limt=5', session);
  await ask('/login');
  await ask('/api/v1/findings');
  const { body } = await ask('/__admin/requests');
  const entries: readonly object[] = Array.isArray(body) ? body : [];
  t.deepEqual(
    entries.map((entry) => {
      const { number, url, operation, status, tenant, simulated, warning } = Object(entry);
      return [number, url, operation, status, tenant, simulated, warning];
    }),
    [
      [1, '/api/v1/repos', 'listConnectedRepos', 200, acme.user.id, null, null],
      [2, '/api/v1/prs', 'listPrs', 503, acme.user.id, 'code=503 (Prefer)', null],
      [
        3,
        '/api/v1/findings?limt=…',
        'listFindings',
        200,
        acme.user.id,
        null,
        'ignored unknown query parameters: "limt"',
      ],
      [4, '/login', 'GET /login', 200, null, null, null],
      [5, '/api/v1/findings', 'listFindings', 401, null, null, noCookie],
    ],
  );
});

test('whatever is simulated, the journal says whose request it was', async (t) => {
  const simulation = createSimulation({ maxHang: 20 });
  const { url } = await serve(t, [acme], { simulation });
  const kinds = ['code=500', 'hang', 'drop', 'truncate', 'malformed', 'empty', 'delay=1', 'maintenance'];
  for (const prefer of kinds) {
    const headers = { Cookie: 'session=acme-cookie', Prefer: prefer };
    await fetch(`${url}/api/v1/prs`, { headers }).catch(() => null);
  }
  while (simulation.journal.entries({}).length < kinds.length) await setImmediate();
  t.deepEqual(
    simulation.journal.entries({}).map(({ simulated, tenant }) => [simulated, tenant]),
    kinds.map((kind) => [`${kind} (Prefer)`, acme.user.id]),
  );
});

test('a connection that was reset has no status of a response in the journal, on pages neither', async (t) => {
  const simulation = createSimulation();
  const { url } = await serve(t, [acme], { simulation });
  simulation.faults.add({ operation: 'GET /login', kind: 'drop' });
  await t.throwsAsync(fetch(`${url}/api/v1/prs`, { headers: { Prefer: 'drop' } }));
  await t.throwsAsync(fetch(`${url}/login`));
  while (simulation.journal.entries({}).length < 2) await setImmediate();
  t.deepEqual(
    simulation.journal.entries({}).map(({ simulated, status }) => [simulated, status]),
    [
      ['drop (Prefer)', 499],
      ['drop (fault-1)', 499],
    ],
  );
});

test('the journal names the tenant of a request that the rate limit refuses', async (t) => {
  const simulation = createSimulation();
  const limit = rateLimit({ quota: 1, seconds: 3600 }, () => 0);
  const { ask } = await serve(t, [acme], { simulation, rateLimit: limit });
  for (const headers of [session, session, {}, {}]) await ask('/api/v1/repos', headers);
  t.deepEqual(
    simulation.journal.entries({}).map(({ status, tenant }) => [status, tenant]),
    [
      [200, acme.user.id],
      [429, acme.user.id],
      [401, null],
      [429, null],
    ],
  );
});

test('the journal contains no secret that a client has put into a target, a header or a name', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  const secret = 'S'.repeat(43);
  await ask(`/api/v1/repos?token=${secret}&${secret}=1`, session);
  await ask(`/settings/${secret}`);
  await ask(`/api/v1/findings/${secret}`, { headers: { Authorization: `Bearer ${secret}` } });
  const { text } = await ask('/__admin/requests');
  t.regex(text, /findings/);
  t.notRegex(text, new RegExp(`${secret}|acme-cookie`));
});
