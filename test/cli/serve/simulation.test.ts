import { join } from 'node:path';
import test from 'ava';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { control } from '../../simulation/controls/_control.js';
import { listen, run } from '../_cli.js';

const session = cookie('acme-session');

test('--fail-rate, --delay, --jitter and --seed make rules that are listed, and can be removed', async (t) => {
  const words = ['--fail-rate', '0.5', '--delay', '1', '--jitter', '2', '--seed', '6'];
  const server = await listen(t, words);
  let outcomes = '';
  for (let i = 0; i < 20; i += 1) {
    const answer = await fetch(`${server.url}/api/v1/repos`, session);
    outcomes += answer.status === 503 ? 'x' : '.';
    const rules =
      answer.status === 503 ? /^code=503, delay=[123] \(fault-2 fault-1\)$/ : /^delay=[123] \(fault-1\)$/;
    t.regex(answer.headers.get('x-triage-simulated') ?? '', rules);
  }
  t.is(outcomes, '.x..xx...xx..xxxxxx.', 'the same in each run with this seed');
  t.deepEqual(await control(server, 'GET', '/faults'), [
    200,
    [
      { id: 'fault-1', delay: 1, jitter: 2, matched: 20, applied: 20 },
      { id: 'fault-2', code: 503, probability: 0.5, matched: 20, applied: 11 },
    ],
  ]);
  await server.shows('"simulated":"delay=');
  await control(server, 'DELETE', '/faults/fault-2');
  t.is((await fetch(`${server.url}/api/v1/repos`, session)).status, 200);
});

test('--no-mock-controls serves neither controls nor preferences, and a delay still works', async (t) => {
  const { url } = await listen(t, ['--no-mock-controls', '--delay', '1']);
  const { headers } = session;
  const answer = await fetch(`${url}/api/v1/repos`, { headers: { ...Object(headers), Prefer: 'code=503' } });
  t.deepEqual([answer.status, answer.headers.has('x-triage-simulated')], [200, false]);
  t.is((await fetch(`${url}/__admin/faults`)).status, 404);
  for (const path of ['/session', '/api/v1/repos']) {
    const refused = await fetch(`${url}${path}`, { headers: { Prefer: 'code=503' } });
    t.deepEqual([refused.status, refused.headers.get('x-triage-warning')], [401, null], path);
  }
});

test('--rate-limit limits requests, --journal what is kept of them, and --max-hang how long one hangs', async (t) => {
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

test('--scenario plays a scenario of the package or of a file, and refuses one with all its problems', async (t) => {
  const directory = await directoryWith(t, {
    'repo.json': [
      { at: '0s', tenant: 'acme', patch: { repos: { repo_storefront: { owner: 'played' } } } },
      { at: '+30d', tenant: 'acme', patch: { repos: { repo_storefront: { owner: 'early' } } } },
    ],
    'steps.json': [{ at: 'soon', tenant: 'acme', patch: {} }, { at: '+1s' }],
    'unfit.json': [{ at: '+1s', tenant: 'acme', patch: { repos: { nope: null } } }],
  });
  // Timers of Node end after 25 days.
  const overflows: Error[] = [];
  const note = (warning: Error): unknown =>
    warning.name === 'TimeoutOverflowWarning' && overflows.push(warning);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  const { url } = await listen(t, ['--scenario', join(directory, 'repo.json')]);
  t.regex(await (await fetch(`${url}/api/v1/repos`, session)).text(), /"owner":"played"/);
  t.deepEqual(overflows, []);
  const shipped = await listen(t, [], { TRIAGE_SCENARIO: 'acme' });
  t.is((await fetch(`${shipped.url}/api/v1/repos`, session)).status, 200);
  for (const [scenario, problems] of [
    [
      join(directory, 'steps.json'),
      /steps\.json:\d+:\d+ \/0\/at: expected a duration.*\n.*\/1\/patch: .*\nrefused: 2 problems\n$/,
    ],
    [
      join(directory, 'unfit.json'),
      /^scenario \/0\/patch: \/repos\/nope: no entry of repos has the id "nope"\nrefused: 1 problem\n$/,
    ],
    ['nope', /^scenario: expected one of acme, a file .*\.\/nope\.json, got "nope"\nrefused: 1 problem\n$/],
  ] as const) {
    const refused = await run(['--port', '0', '--scenario', scenario]);
    t.is(refused.code, 1);
    t.regex(refused.err, problems);
  }
});

test('--max-tenants and --max-tenant-rows limit tenants on demand, and the log names the one that was removed', async (t) => {
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
