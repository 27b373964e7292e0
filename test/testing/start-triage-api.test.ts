import { pathToFileURL } from 'node:url';
import test from 'ava';
import { type FixtureData, startTriageApi, TriageApiError } from '../../src/testing/server.js';
import { aRepo, aScan, aSession, aToken, aUser, now } from '../_data.js';
import { bearer, cookie } from '../_server.js';
import { directoryWith } from '../fixtures/_directory.js';
import { started } from './_start.js';

const user = { id: 'kim', email: 'kim@team.test', name: 'Kim', password: 'secret' };
const repo = {
  id: 'web',
  owner: 'team',
  repo: 'web',
  defaultBranch: 'main',
  isDemoRow: false,
  scanStatusBadge: 'ok',
  status: 'clear',
};

const statusOf = async (url: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(url, init)).status;

test('by default, the shipped fixtures are served, with the credentials of the first tenant', async (t) => {
  const server = await started(t);
  t.deepEqual(
    server.tenants.map(({ name }) => name),
    ['acme', 'boundary', 'demo', 'empty', 'large'],
  );
  t.deepEqual([server.session, server.token], ['acme-session', 'acme-token']);
  t.deepEqual(server.tenant('large'), { name: 'large', session: 'large-session', token: 'large-token' });
  t.is(await statusOf(`${server.url}/api/v1/repos`, cookie(server.session)), 200);
  t.is(await statusOf(`${server.url}/api/v1/prs`, bearer(server.token)), 200);
  t.is(await statusOf(`${server.url}/api/v1/repos`), 401);
});

test('a directory of fixtures is given by its path or as a URL', async (t) => {
  const directory = await directoryWith(t, {
    'b.json': { user: aUser('b'), repos: [aRepo('of-b')] },
    'a.json': { user: aUser('a'), sessions: [aSession('a-session')], apiTokens: [aToken('a-token')] },
  });
  for (const fixtures of [directory, pathToFileURL(directory)]) {
    const server = await started(t, { fixtures });
    t.deepEqual(server.tenants[0], { name: 'a', session: 'a-session', token: 'a-token' });
    const repos = await fetch(`${server.url}/api/v1/repos`, cookie(server.tenant('b').session));
    t.is(Object(await repos.json())[0].id, 'of-b');
  }
});

test('expired and revoked credentials are replaced, and stay invalid', async (t) => {
  const past = '2026-11-20T11:00:00.000Z';
  const expired: FixtureData = {
    user,
    sessions: [{ id: 's', value: 'old-session', createdAt: past, expiresAt: past }],
    apiTokens: [
      { id: 't', name: 'ci', token: 'old-token', createdAt: past, expiresAt: null, revokedAt: past },
    ],
  };
  const server = await started(t, { fixtures: [expired] });
  t.not(server.session, 'old-session');
  t.not(server.token, 'old-token');
  const prs = `${server.url}/api/v1/prs`;
  t.deepEqual(
    [
      await statusOf(prs, cookie(server.session)),
      await statusOf(prs, bearer(server.token)),
      await statusOf(prs, cookie('old-session')),
      await statusOf(prs, bearer('old-token')),
    ],
    [200, 200, 401, 401],
  );
});

test('two servers share nothing, even over the same value', async (t) => {
  const data = { user, repos: [{ ...repo }] };
  const [left, right] = [await started(t, { fixtures: data }), await started(t, { fixtures: data })];
  t.is(await statusOf(`${left.url}/api/v1/repos`, cookie(right.session)), 401);
  t.is(await statusOf(`${right.url}/api/v1/repos`, cookie(left.session)), 401);
  t.is(
    await statusOf(`${left.url}/logout`, { method: 'POST', redirect: 'manual', ...cookie(left.session) }),
    303,
  );
  left.setStorage('broken');
  t.is(await statusOf(`${right.url}/api/v1/repos`, cookie(right.session)), 200);
  // The caller may change the value later, which does not affect a server.
  const [given] = data.repos;
  if (given !== undefined) given.owner = 'somebody else';
  const repos = await fetch(`${right.url}/api/v1/repos`, cookie(right.session));
  t.is(Object(await repos.json())[0].owner, 'team');
});

test('now freezes the clock, and setNow moves it', async (t) => {
  const server = await started(t, {
    fixtures: { user, repos: [repo], scans: [Object(aScan('scan', 'web'))] },
    now: new Date(now),
  });
  const since = async () => {
    const repos = await fetch(`${server.url}/api/v1/repos`, cookie(server.session));
    return Object(await repos.json())[0]?.lastScanRelative ?? repos.status;
  };
  t.is(await since(), '1 hour ago');
  server.setNow('2026-11-21T12:00:00Z');
  t.is(await since(), '1 day ago');
  server.setNow(new Date('2026-11-27T12:00:00.000Z'));
  t.is(await since(), 401);
  t.throws(() => server.setNow('tomorrow'), {
    instanceOf: TriageApiError,
    message: /setNow: expected a moment in UTC .*, or a Date, got "tomorrow"/,
  });
  await t.throwsAsync(server.clock.set(new Date('tomorrow')), {
    message: /clock\.set: expected a moment in UTC .*, or a Date, got an invalid Date/,
  });
});

test('setStorage makes the storage fail and recover', async (t) => {
  const logged: string[] = [];
  const server = await started(t, { log: (level, event) => logged.push(`${level}: ${event}`) });
  const answer = async (path: string) => {
    const { status, headers } = await fetch(`${server.url}${path}`, cookie(server.session));
    return [status, headers.get('retry-after') !== null];
  };
  const paths = ['/api/v1/repos', '/api/v1/findings', '/api/v1/findings/fix_0001', '/api/v1/prs'];
  for (const [state, expected] of [
    ['unavailable', [503, true]],
    ['broken', [500, false]],
    ['fine', [200, false]],
  ] as const) {
    server.setStorage(state);
    for (const path of paths) t.deepEqual(await answer(path), [...expected], `${state} ${path}`);
  }
  t.true(logged.length > 0);
  const wrong: string = 'slow';
  t.throws(() => Reflect.apply(server.setStorage, undefined, [wrong]), {
    message: /setStorage: expected one of fine, unavailable, broken, got "slow"/,
  });
});

test('unknown query parameters are answered with 400 unless strict is false', async (t) => {
  const [strict, lenient] = [await started(t), await started(t, { strict: false })];
  const ask = ({ url, session }: typeof strict) =>
    statusOf(`${url}/api/v1/findings?sevrity=high`, cookie(session));
  t.deepEqual([await ask(strict), await ask(lenient)], [400, 200]);
});

test('onRequest is called for each request, and delay delays it', async (t) => {
  const requests: string[] = [];
  const server = await started(t, {
    delay: 30,
    strict: false,
    onRequest: ({ method, url, status }) => requests.push(`${status} ${method} ${url}`),
  });
  const before = performance.now();
  await (await fetch(`${server.url}/api/v1/prs?page=2&secret=1`, bearer(server.token))).text();
  t.true(performance.now() - before >= 25);
  await server.stop();
  t.deepEqual(requests, ['200 GET /api/v1/prs?page=2&secret=…']);
});

test('stop can be called twice, and cuts off requests in flight', async (t) => {
  const server = await started(t, { delay: 60_000 });
  const waiting = t.throwsAsync(fetch(`${server.url}/api/v1/repos`, cookie(server.session)));
  await statusOf(`${server.url}/healthz`);
  await Promise.all([server.stop(), server.stop(), server[Symbol.asyncDispose]()]);
  await waiting;
  await t.throwsAsync(fetch(`${server.url}/healthz`));
});

test('a server that has been stopped refuses every change, and still tells what was asked for', async (t) => {
  const server = await started(t, { fixtures: { user } });
  await (await fetch(`${server.url}/api/v1/repos`, cookie(server.session))).text();
  await server.stop();
  const changes = {
    patch: () => server.patch('repos', 'web', {}),
    remove: () => server.remove('repos', 'web'),
    insert: () => server.insert('repos', Object({ id: 'web' })),
    setFixtures: () => server.setFixtures({ user }),
    createTenant: () => server.createTenant(),
    removeTenant: () => server.removeTenant('x'),
    reset: () => server.reset(),
    'clock.set': () => server.clock.set(now),
    'clock.advance': () => server.clock.advance('1h'),
    'clock.run': () => server.clock.run(),
    'clock.release': () => server.clock.release(),
    setNow: async () => server.setNow(now),
    setStorage: async () => server.setStorage('broken'),
    'faults.add': async () => server.faults.add({ code: 503 }),
    'faults.remove': async () => server.faults.remove('fault-1'),
    'faults.clear': async () => server.faults.clear(),
    'fetch /api/v1/repos': async () => server.fetch('/api/v1/repos'),
  };
  for (const [call, change] of Object.entries(changes)) {
    const error = await t.throwsAsync<TriageApiError>(change(), { instanceOf: TriageApiError });
    const problem = 'the server has been stopped; is an `await` missing before the call?';
    t.deepEqual(error?.problems, [`${call}: ${problem}`]);
  }
  t.is(server.requests().length, 1);
  t.is(server.clock.now(), now);
});

test('invalid options are rejected with all their problems, one per line', async (t) => {
  const wrong: object = { fixture: './mine', now: 'today', strict: 'yes', delay: -1, log: true };
  const error = await t.throwsAsync(Reflect.apply(startTriageApi, undefined, [wrong]), {
    instanceOf: TriageApiError,
    name: 'TriageApiError',
  });
  t.deepEqual(error?.message.split('\n'), [
    'triage-api: 5 problems',
    '  options /now: expected a moment in UTC such as 2026-11-20T12:00:00Z, or a Date, got "today"',
    '  options /strict: expected boolean, got "yes"',
    '  options /delay: expected milliseconds from 0 to 86400000, got -1',
    '  options /log: expected Function, got true',
    '  options /fixture: unknown key; did you mean "fixtures"?',
  ]);
});

test('a server serves sparse fixtures, and values that extend shipped ones, at its start and later', async (t) => {
  const api = await started(t, {
    fixtures: [
      { findings: [{ repo: 'acme/web', package: 'lodash', pullRequest: { prState: 'merged' } }] },
      { extends: 'acme', remove: ['repo_spike'], findings: [{ id: 'fix_0001', severity: 'low' }] },
    ],
  });
  const { url, session, token, tenants } = api;
  const read = async (path: string, headers: Record<string, string>) =>
    Object(await (await fetch(`${url}/api/v1${path}`, { headers })).json());
  const findings = await read('/findings', { Cookie: `session=${session}` });
  t.like(findings.items, [{ package: 'lodash', status: 'resolved' }]);
  t.is(token, 'tenant-token');
  const extended = tenants[1]?.session ?? '';
  t.is(extended, 'tenant-2-session');
  const { items, totalItems } = await read('/findings?severity=low', { Cookie: `session=${extended}` });
  t.true(items.some(({ id }: { id: string }) => id === 'fix_0001'));
  t.true(totalItems >= 1);
  await api.setFixtures({ extends: 'demo' });
  t.is(api.session, 'tenant-session');
});
