import test from 'ava';
import { cookie } from '../../_server.js';
import { listen, run } from '../_cli.js';

const session = cookie('acme-session');

test('--fail-rate and --delay are rules that are listed, and can be removed', async (t) => {
  const { url } = await listen(t, ['--fail-rate', '1', '--delay', '1', '--jitter', '2']);
  const answer = await fetch(`${url}/api/v1/repos`, session);
  t.is(answer.status, 503);
  t.regex(answer.headers.get('x-triage-simulated') ?? '', /^code=503, delay=[123] \(fault-2 fault-1\)$/);
  t.deepEqual(await (await fetch(`${url}/__admin/faults`)).json(), [
    { id: 'fault-1', delay: 1, jitter: 2, matched: 1, applied: 1 },
    { id: 'fault-2', code: 503, probability: 1, matched: 1, applied: 1 },
  ]);
  await fetch(`${url}/__admin/faults/fault-2`, { method: 'DELETE' });
  t.is((await fetch(`${url}/api/v1/repos`, session)).status, 200);
});

test('--seed repeats a run', async (t) => {
  const statuses = async (seed: string) => {
    const { url } = await listen(t, ['--fail-rate', '0.5', '--seed', seed]);
    const found = [];
    for (let i = 0; i < 40; i += 1) found.push((await fetch(`${url}/api/v1/repos`, session)).status);
    return found;
  };
  const first = await statuses('5');
  t.deepEqual(await statuses('5'), first);
  t.notDeepEqual(await statuses('6'), first);
});

test('--no-mock-controls serves neither controls nor preferences, and a delay still works', async (t) => {
  const { url } = await listen(t, ['--no-mock-controls', '--delay', '1']);
  const { headers } = session;
  const answer = await fetch(`${url}/api/v1/repos`, { headers: { ...Object(headers), Prefer: 'code=503' } });
  t.deepEqual([answer.status, answer.headers.has('x-triage-simulated')], [200, false]);
  t.is((await fetch(`${url}/__admin/faults`)).status, 404);
});

test('--rate-limit, --journal and --max-hang are obeyed', async (t) => {
  const { url } = await listen(t, ['--rate-limit', '2/h', '--journal', '2', '--max-hang', '20']);
  for (const status of [200, 200, 429]) t.is((await fetch(`${url}/api/v1/repos`, session)).status, status);
  await t.throwsAsync(
    fetch(`${url}/api/v1/prs`, { headers: { Authorization: 'Bearer acme-token', Prefer: 'hang' } }),
  );
  const requests: readonly unknown[] = Object(await (await fetch(`${url}/__admin/requests`)).json());
  t.deepEqual(
    requests.map((request) => Object(request).number),
    [3, 4],
  );
});

test('--admin-token opens the controls behind a proxy, and never shows in a message', async (t) => {
  const token = 'sixteen-or-more-characters';
  const { url } = await listen(t, ['--trust-proxy', '--admin-token', token]);
  t.is((await fetch(`${url}/__admin/faults`)).status, 404);
  const headers = { Authorization: `Bearer ${token}` };
  t.is((await fetch(`${url}/__admin/faults`, { headers })).status, 200);
  const { code, err } = await run(['serve', '--admin-token', 'too-short']);
  t.is(code, 2);
  t.notRegex(err, /too-short/);
});

test('--fail-rate needs the controls', async (t) => {
  for (const words of [['--no-mock-controls'], ['--database-url', 'postgres://localhost/x']]) {
    const { code, err } = await run(['serve', '--fail-rate', '0.1', ...words]);
    t.deepEqual([code, /--fail-rate needs the mock controls/.test(err)], [2, true]);
  }
  t.is((await run(['serve', '--fail-rate', '1.1'])).code, 2);
  t.is((await run(['serve', '--rate-limit', 'often'])).code, 2);
});
