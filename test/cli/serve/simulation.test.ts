import { join } from 'node:path';
import test from 'ava';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { control } from '../../simulation/controls/_control.js';
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
    fetch(`${url}/api/v1/prs`, { headers: { Authorization: 'Bearer demo-token', Prefer: 'hang' } }),
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

test('--scenario plays a scenario of the package, or a file', async (t) => {
  const directory = await directoryWith(t, {
    'repo.json': [{ at: '0s', tenant: 'acme', patch: { repos: { repo_storefront: { owner: 'played' } } } }],
  });
  const { url } = await listen(t, ['--scenario', join(directory, 'repo.json')]);
  const repos = Object(await (await fetch(`${url}/api/v1/repos`, session)).json());
  t.true(repos.some(({ owner }: Record<string, string>) => owner === 'played'));
  const shipped = await listen(t, [], { TRIAGE_SCENARIO: 'acme' });
  t.is((await fetch(`${shipped.url}/api/v1/repos`, session)).status, 200);
});

test('a scenario with problems is refused with all of them', async (t) => {
  const directory = await directoryWith(t, {
    'steps.json': [{ at: 'soon', tenant: 'acme', patch: {} }, { at: '+1s' }],
    'unfit.json': [{ at: '+1s', tenant: 'acme', patch: { repos: { nope: null } } }],
  });
  const steps = join(directory, 'steps.json');
  const refused = await run(['--port', '0', '--scenario', steps]);
  t.is(refused.code, 1);
  t.regex(
    refused.err,
    /steps\.json:\d+:\d+ \/0\/at: expected a duration.*\n.*\/1\/patch: .*\nrefused: 2 problems\n$/,
  );
  const unfit = await run(['--port', '0', '--scenario', join(directory, 'unfit.json')]);
  t.regex(
    unfit.err,
    /^scenario \/0\/patch: \/repos\/nope: no entry of repos has the id "nope"\nrefused: 1 problem\n$/,
  );
  const missing = await run(['--port', '0', '--scenario', 'nope']);
  t.is(
    missing.err,
    'scenario: expected one of acme, a file such as ./nope.json, got "nope"\nrefused: 1 problem\n',
  );
});

test('--max-tenants and --max-tenant-rows are obeyed, and the log says who had to go', async (t) => {
  const server = await listen(t, ['--max-tenants', '1']);
  const create = async () => Object((await control(server, 'POST', '/tenants', {}))[1]);
  const [first, second] = [await create(), await create()];
  await server.shows('the oldest tenant on demand was removed to make room');
  t.true(server.err().includes(first.id));
  for (const [made, status] of [
    [first, 401],
    [second, 200],
  ])
    t.is((await fetch(`${server.url}/api/v1/repos`, cookie(made.session))).status, status);
  const small = await listen(t, ['--max-tenant-rows', '32']);
  t.deepEqual(await control(small, 'POST', '/tenants', {}), [
    400,
    { error: '33 rows; all tenants on demand have at most 32 (--max-tenant-rows)' },
  ]);
});
