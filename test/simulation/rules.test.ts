import test from 'ava';
import { createSimulation } from '../../src/simulation/simulation.js';
import { cookie, serve } from '../_server.js';
import { acme, other } from '../koa/_world.js';

const session = cookie('acme-cookie');

test('a rule fails its operation once, says so, and leaves the others alone', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  simulation.faults.add({ operation: 'listFindings', code: 503, times: 1 });
  t.is((await ask('/api/v1/repos', session)).status, 200);
  const failed = await ask('/api/v1/findings', session);
  t.deepEqual(
    [failed.status, failed.body, failed.headers.get('x-triage-simulated')],
    [503, { error: 'Service unavailable' }, 'code=503 (fault-1)'],
  );
  t.false(failed.headers.has('preference-applied'));
  t.is((await ask('/api/v1/findings', session)).status, 200);
});

test('a rule of one tenant does not touch another', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme, other], { simulation });
  t.is((await ask('/api/v1/repos', session)).status, 200);
  simulation.faults.add({ tenant: acme.user.id, code: 500 });
  t.is((await ask('/api/v1/repos', session)).status, 500);
  t.is((await ask('/api/v1/repos', cookie('other-cookie'))).status, 200);
  t.is((await ask('/api/v1/repos')).status, 401);
});

test('a rule for a query touches only requests with it', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  simulation.faults.add({ query: { page: '2' }, kind: 'empty' });
  t.like((await ask('/api/v1/prs?page=2', session)).body, { totalItems: 0 });
  t.true(Object((await ask('/api/v1/prs', session)).body).totalItems > 0);
});

test('a preference counts before the rules, which do not count the request', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  simulation.faults.add({ code: 500, times: 1 });
  const prefer = { headers: { Cookie: 'session=acme-cookie', Prefer: 'code=429' } };
  t.is((await ask('/api/v1/repos', prefer)).status, 429);
  t.is((await ask('/api/v1/repos', session)).status, 500);
});

test('pages and the login fail only by a rule that names them: JSON for scripts, a page for browsers', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  simulation.faults.add({ code: 503 });
  t.is((await ask('/')).status, 200);
  simulation.faults.add({ operation: 'POST /login', code: 503 });
  const login = await ask('/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  t.deepEqual(
    [login.status, login.body, login.headers.get('x-triage-simulated')],
    [503, { error: 'Service unavailable' }, 'code=503 (fault-2)'],
  );
  simulation.faults.add({ operation: 'GET /', code: 500, delay: 1 });
  const page = await ask('/', { headers: { Accept: 'text/html' } });
  t.is(page.status, 500);
  t.regex(page.text, /This failure is simulated: Internal server error\./);
  simulation.faults.add({ operation: 'GET /login', delay: 1 });
  t.is((await ask('/login')).status, 200);
  const named = simulation.journal.entries({}).map((entry) => [entry.operation, entry.status]);
  t.deepEqual(named, [
    ['GET /', 200],
    ['POST /login', 503],
    ['GET /', 500],
    ['GET /login', 200],
  ]);
});

test('a page that fails says the time after which to try again that its header says', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  const page = (): ReturnType<typeof ask> => ask('/', { headers: { Accept: 'text/html' } });
  simulation.faults.add({ operation: 'GET /', kind: 'maintenance' });
  const { headers, text } = await page();
  t.is(headers.get('retry-after'), '120');
  t.regex(text, /Try again in <strong>2 minutes<\/strong>/);
  simulation.faults.add({ operation: 'GET /', code: 503, retryAfter: 7 });
  t.regex((await page()).text, /Try again in <strong>7 seconds<\/strong>/);
});

test('a rule sends any body with any headers, also for pages, and the journal says whose request it was', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  const headers = { 'content-type': 'application/problem+json', 'X-Trace': 'abc' };
  simulation.faults.add({ operation: 'listPrs', code: 503, body: { title: 'Down' }, headers, retryAfter: 7 });
  const failed = await ask('/api/v1/prs', session);
  t.deepEqual(
    ['content-type', 'x-trace', 'retry-after', 'x-triage-simulated', 'content-length'].map((name) =>
      failed.headers.get(name),
    ),
    ['application/problem+json', 'abc', '7', 'code=503, retryAfter=7 (fault-1)', '16'],
  );
  t.deepEqual([failed.status, failed.text], [503, '{"title":"Down"}']);
  simulation.faults.add({ operation: 'listFindings', code: 451, body: 'blocked <here>' });
  const text = await ask('/api/v1/findings', session);
  t.deepEqual(
    [text.status, text.headers.get('content-type'), text.text],
    [451, 'text/plain; charset=utf-8', 'blocked <here>'],
  );
  simulation.faults.add({ operation: 'GET /login', kind: 'gateway' });
  const page = await ask('/login', session);
  t.deepEqual([page.status, page.headers.get('content-type')], [502, 'text/html; charset=utf-8']);
  t.regex(page.text, /^<html>.*502 Bad Gateway/s);
  simulation.faults.add({ operation: 'POST /login', code: 409 });
  const form = await ask('/login', { method: 'POST', headers: { Accept: 'text/html' } });
  t.regex(form.text, /^<html>.*409 Conflict/s);
  const json = await ask('/login', { method: 'POST', headers: { Accept: 'application/json' } });
  t.deepEqual([json.status, json.body], [409, { error: 'Conflict' }]);
  t.deepEqual(
    simulation.journal.entries({}).map(({ status, tenant }) => [status, tenant]),
    [
      [503, acme.user.id],
      [451, acme.user.id],
      [502, acme.user.id],
      [409, null],
      [409, null],
    ],
  );
});

test('a page that hangs is cut off after the bound of the server', async (t) => {
  const simulation = createSimulation({ maxHang: 50 });
  const { url } = await serve(t, [acme], { simulation });
  simulation.faults.add({ operation: 'GET /login', kind: 'hang' });
  await t.throwsAsync(fetch(`${url}/login`), { instanceOf: TypeError });
});

test('a delay without a condition holds back unknown paths of the API, too', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  simulation.faults.add({ delay: 1 });
  const answer = await ask('/api/v1/nope');
  t.deepEqual([answer.status, answer.headers.get('x-triage-simulated')], [404, 'delay=1 (fault-1)']);
});
