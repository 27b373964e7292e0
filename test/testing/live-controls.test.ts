import test from 'ava';
import { startTriageApi, type TriageApi } from '../../src/testing/server.js';
import { aDraft, aRepo, aScan, aSession, aUser, dataset, now } from '../_data.js';
import { bearer, cookie } from '../_server.js';
import { problemsOf, started } from './_start.js';

const team = dataset({
  asOf: now,
  user: { ...aUser('kim'), email: 'kim@team.test' },
  sessions: [aSession('kim-session', { expiresAt: '2026-11-26T12:00:00.000Z' })],
  repos: [aRepo('web', { owner: 'team' })],
  scans: [
    aScan('scan', 'web', { startedAt: '2026-11-20T11:55:00.000Z', finishedAt: '2026-11-20T11:56:00.000Z' }),
  ],
  fixDrafts: [aDraft('fix_1', 'web'), aDraft('fix_2', 'web')],
});
const { user } = team;

/** A row as a typed program has it. */
const draftOf = (id: string, repoId = 'web') => {
  const [first] = team.fixDrafts;
  if (first === undefined) throw new Error('the tenant has a draft');
  return { ...first, id, repoId };
};

const read = async (api: TriageApi, path: string, session = api.session) => {
  const answer = await fetch(`${api.url}${path}`, cookie(session));
  return answer.status === 200 ? Object(await answer.json()) : answer.status;
};
const lastScan = async (api: TriageApi) => {
  const repos = await read(api, '/api/v1/repos');
  return Array.isArray(repos) ? [repos[0].lastScanAt, repos[0].lastScanRelative] : repos;
};
const statuses = async (api: TriageApi, session = api.session) => {
  const page = await read(api, '/api/v1/findings', session);
  return page.items?.map(({ id, status }: Record<string, string>) => `${id} ${status}`) ?? page;
};
test('clock.set is a new start: data with asOf looks at that moment as it did then', async (t) => {
  const api = await started(t, { fixtures: team });
  t.deepEqual(await lastScan(api), ['2026-11-20T11:55:00.000Z', '5 minutes ago']);
  for (const moment of ['2031-05-06T07:08:09Z', new Date('1999-12-31T23:59:59.000Z'), now]) {
    await api.clock.set(moment);
    const at = new Date(moment).getTime();
    t.is(api.clock.now(), new Date(at).toISOString());
    t.deepEqual(await lastScan(api), [new Date(at - 300_000).toISOString(), '5 minutes ago']);
  }
});

test('clock.advance lets time pass: the data ages, sessions expire, and going back undoes it', async (t) => {
  const api = await started(t, { fixtures: team });
  await api.clock.advance('2h');
  t.deepEqual(await lastScan(api), ['2026-11-20T11:55:00.000Z', '2 hours ago']);
  await api.clock.advance('P6D');
  t.is(await lastScan(api), 401);
  await api.clock.advance('-P6D');
  t.deepEqual(await lastScan(api), ['2026-11-20T11:55:00.000Z', '2 hours ago']);
  await api.clock.advance(-2 * 60 * 60 * 1000);
  t.deepEqual(await lastScan(api), ['2026-11-20T11:55:00.000Z', '5 minutes ago']);
});

test('credentials that were made for the test work after clock.set, and expire with clock.advance', async (t) => {
  const api = await started(t, { fixtures: { user, repos: team.repos } });
  await api.clock.set('2036-01-01T00:00:00Z');
  t.is((await read(api, '/api/v1/repos')).length, 1);
  t.is((await fetch(`${api.url}/api/v1/prs`, bearer(api.token))).status, 200);
  await api.clock.advance('8d');
  t.is(await read(api, '/api/v1/repos'), 401);
  await api.clock.set(now);
  t.is((await read(api, '/api/v1/repos')).length, 1);
});

test('clock.run and clock.release: the clock runs, from where it is or with the machine’s time', async (t) => {
  const api = await started(t, { fixtures: team });
  await api.clock.set('2031-05-06T07:08:09Z');
  await api.clock.run();
  const ahead = Date.parse(api.clock.now()) - Date.parse('2031-05-06T07:08:09Z');
  t.true(ahead >= 0 && ahead < 60_000);
  await api.clock.release();
  t.true(Math.abs(Date.parse(api.clock.now()) - Date.now()) < 60_000);
  t.is((await lastScan(api))[1], '5 minutes ago');
});

test('an invalid change of the clock rejects and changes nothing', async (t) => {
  const api = await started(t, { fixtures: team });
  t.regex((await problemsOf(api.clock.set('tomorrow')))[0] ?? '', /^clock\.set: expected a moment/);
  t.deepEqual(await problemsOf(api.clock.advance('2 hours')), [
    'clock.advance: expected a duration such as 30s, 1h30m, 2d or PT2H, got "2 hours"',
  ]);
  t.is(api.clock.now(), now);
});

test('rows are patched, added and removed for the next request', async (t) => {
  const api = await started(t, { fixtures: team });
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
  await api.patch('fixDrafts', 'fix_1', { status: 'resolved' });
  t.deepEqual(await statuses(api), ['fix_1 resolved', 'fix_2 pending']);
  await api.insert('fixDrafts', draftOf('fix_3'));
  await api.remove('fixDrafts', 'fix_2');
  t.deepEqual(await statuses(api), ['fix_1 resolved', 'fix_3 pending']);
  await api.reset();
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
});

test('a Date without a moment is refused, not taken for null', async (t) => {
  const api = await started(t, { fixtures: team });
  const reconciledAt = new Date('tomorrow');
  t.deepEqual(await problemsOf(api.patch('findings', 'fix_1', { reconciledAt })), [
    'patch: not JSON: /reconciledAt is an invalid Date',
  ]);
  const pullRequest = { createdAt: new Date(0), reconciledAt };
  t.deepEqual(await problemsOf(api.insert('findings', Object({ id: 'fix_3', pullRequest }))), [
    'insert: not JSON: /pullRequest/reconciledAt is an invalid Date',
  ]);
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
});

test('a change that breaks a rule is refused with all its problems, and changes nothing', async (t) => {
  const other = { ...team, user: { ...user, id: 'lee', email: 'lee@team.test' }, sessions: [] };
  const api = await started(t, { fixtures: [team, other] });
  t.deepEqual(
    await problemsOf(api.insert('fixDrafts', Object({ ...draftOf('fix_1', 'nope'), severity: 'moderate' }))),
    [
      '/fixDrafts/2/severity: expected one of critical, high, medium, low, got "moderate"',
      '/fixDrafts/2/id: duplicate id "fix_1"; /fixDrafts/0/id has it already',
      '/fixDrafts/2/repoId: no entry of repos has the id "nope"',
    ],
  );
  t.deepEqual(await problemsOf(api.insert('findings', draftOf('fix_1', 'nope'))), [
    '/findings/2/id: duplicate id "fix_1"; /findings/0/id has it already',
    '/findings/2/repoId: no entry of repos has the id "nope"',
  ]);
  t.deepEqual(await problemsOf(api.patch('findings', 'fix_2', { repoId: 'nope' })), [
    '/findings/1/repoId: no entry of repos has the id "nope"',
  ]);
  t.deepEqual(await problemsOf(api.remove('repos', 'web')), [
    '/scans/0/repoId: no entry of repos has the id "web"',
    '/fixDrafts/0/repoId: no entry of repos has the id "web"',
    '/fixDrafts/1/repoId: no entry of repos has the id "web"',
  ]);
  t.deepEqual(await problemsOf(api.patch('fixDrafts', 'fix_9', {})), [
    '/fixDrafts/fix_9: no entry of fixDrafts has the id "fix_9"; did you mean "fix_1"?',
  ]);
  t.deepEqual(await problemsOf(api.insert('sessions', Object(team.sessions[0]), 'lee')), [
    '/sessions/0/value: duplicate session value; kim /sessions/0/value has it already',
  ]);
  t.deepEqual(await problemsOf(api.remove('repos', 'web', 'max')), [
    'tenant: expected one of kim, lee, got "max"',
  ]);
  // As from JavaScript.
  const { patch, insert, remove } = Object(api);
  for (const change of [patch('user', 'x', {}), insert('branches', {}), remove(undefined, 'x')])
    t.regex((await problemsOf(change))[0] ?? '', /^collection: expected one of sessions, apiTokens, repos, /);
  t.deepEqual(await problemsOf(patch('fixDrafts', 'fix_1', null)), [
    '/fixDrafts/fix_1: expected an object with fields, got null',
  ]);
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
});

test('a sparse row is completed as that of a file, under both names of its collection', async (t) => {
  const sparse = { repo: 'team/new', severity: 'critical', pullRequest: { prState: 'open' } } as const;
  const file = await started(t, { fixtures: { ...team, fixDrafts: [...team.fixDrafts, sparse] } });
  const paths = ['/api/v1/repos', '/api/v1/findings', '/api/v1/prs'];
  const allOf = (api: TriageApi) => Promise.all(paths.map((path) => read(api, path)));
  const expected = await allOf(file);
  t.deepEqual([expected[0].length, expected[1].items.length, expected[2].items.length], [2, 3, 1]);
  for (const name of ['findings', 'fixDrafts'] as const) {
    const api = await started(t, { fixtures: team });
    await api.insert(name, sparse);
    t.deepEqual(await allOf(api), expected, name);
    const last = Object(
      expected[1].items.find(({ severity }: Record<string, string>) => severity === 'critical'),
    );
    await api.patch(name, last.id, { status: 'resolved', repo: 'team/web' });
    const { status, repoId } = await read(api, `/api/v1/findings/${last.id}`);
    t.deepEqual([status, repoId], ['resolved', 'web']);
  }
  const playing = await started(t, {
    fixtures: team,
    scenario: [
      { at: '0s', patch: { findings: { '': sparse } } },
      { at: '0s', patch: { findings: { fix_1: { status: 'pending' } } } },
    ],
  });
  t.deepEqual(await allOf(playing), expected);
});

test('completing a row leaves other rows, their dates and the user as they are', async (t) => {
  const { asOf: _, ...undated } = {
    ...team,
    repos: [...team.repos, ...team.repos.map((repo) => ({ ...repo, id: 'idle', repo: 'idle' }))],
  };
  const api = await started(t, { fixtures: undated, now: '2027-01-01T12:00:00.000Z' });
  const before = [await read(api, '/api/v1/repos'), (await read(api, '/api/v1/findings')).items];
  await api.insert('findings', { id: 'fix_3', repo: 'team/web', discoveredAt: '2026-11-01T12:00:00.000Z' });
  const [repos, findings] = [await read(api, '/api/v1/repos'), (await read(api, '/api/v1/findings')).items];
  t.deepEqual(findings.slice(0, 2), before[1]);
  t.is(findings[2].id, 'fix_3');
  t.is(repos.length, 2);
  t.deepEqual(repos.at(-1), before[0].at(-1));
  t.is(repos.at(-1).lastScan, null);
  const refused = await fetch(`${api.url}/__admin/tenants/kim/patch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: JSON.stringify({ user: null }),
  });
  t.deepEqual([refused.status, await refused.json()], [400, { error: '/user: expected user, got null' }]);
});

test('a change of one tenant leaves the others alone; what is given may be changed later', async (t) => {
  const other = { ...team, user: { ...user, id: 'lee', email: 'lee@team.test' }, sessions: [] };
  const api = await started(t, { fixtures: [team, other] });
  const draft = draftOf('fix_3');
  await api.insert('fixDrafts', draft, 'lee');
  Reflect.set(draft, 'status', 'resolved');
  t.deepEqual(await statuses(api, api.tenant('lee').session), [
    'fix_1 pending',
    'fix_2 pending',
    'fix_3 pending',
  ]);
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
});

test('changes at the same time are all carried out, one after the other', async (t) => {
  const api = await started(t, { fixtures: team });
  const ids = Array.from({ length: 30 }, (_, i) => `more_${i}`);
  await Promise.all([
    ...ids.map((id) => api.insert('fixDrafts', draftOf(id))),
    ...ids.map(() => api.clock.advance('1s')),
  ]);
  t.is((await read(api, '/api/v1/findings?limit=100')).items.length, 32);
  t.is(api.clock.now(), '2026-11-20T12:00:30.000Z');
});

test('accounts that signed up outlive changes of the data', async (t) => {
  const api = await started(t, { fixtures: team });
  const signUp = await fetch(`${api.url}/signup`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ name: 'New', email: 'new@team.test', password: 'correct horse battery' }),
  });
  const [, session = ''] = /session=([^;]+)/.exec(signUp.headers.get('set-cookie') ?? '') ?? [];
  const before = await read(api, '/api/v1/repos', session);
  t.true(Array.isArray(before), await signUp.text().catch(() => ''));
  await api.patch('fixDrafts', 'fix_1', { status: 'resolved' });
  await api.reset();
  await api.setFixtures({ user: { ...user, id: 'max', email: 'max@team.test' } });
  t.deepEqual(await read(api, '/api/v1/repos', session), before);
});

test('setFixtures replaces all data; tenants, session and token are those of the new data', async (t) => {
  const api = await started(t, { fixtures: team });
  const max = { ...team, sessions: [], user: { ...user, id: 'max', email: 'max@team.test' } };
  const tenants = await api.setFixtures([max]);
  t.deepEqual(tenants, [{ name: 'max', session: api.session, token: api.token }]);
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
  t.is(await read(api, '/api/v1/repos', 'kim-session'), 401);
  await api.patch('fixDrafts', 'fix_1', { status: 'resolved' });
  await api.reset();
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
  t.deepEqual(await problemsOf(api.setFixtures({ user: { ...user, id: '' } })), [
    'fixtures /user/id: expected identifier of 1 to 200 characters, got ""',
  ]);
  t.deepEqual(await api.setFixtures([max]), tenants);
});

const scenario = [
  { at: '+30s', patch: { fixDrafts: { fix_1: { status: 'drafting' } } } },
  { at: '+1m', patch: { fixDrafts: { fix_1: { status: 'escalated' } } } },
  { at: '+2m', patch: { fixDrafts: { fix_1: { status: 'resolved' } } } },
];

test('a scenario that is at no path of this machine is refused', async (t) => {
  const problems = ['scenario: expected a file: URL, got "https:"'];
  t.deepEqual(
    await problemsOf(startTriageApi({ scenario: new URL('https://team.test/steps.json') })),
    problems,
  );
});

test('a scenario plays on the clock: in order, each step once, and never before its time', async (t) => {
  const api = await started(t, { fixtures: team, scenario });
  const first = async () => (await statuses(api))[0];
  t.is(await first(), 'fix_1 pending');
  await api.clock.advance('29999ms');
  t.is(await first(), 'fix_1 pending');
  await api.clock.advance('1ms');
  t.is(await first(), 'fix_1 drafting');
  await api.patch('fixDrafts', 'fix_1', { status: 'pending' });
  await api.clock.advance('10s');
  t.is(await first(), 'fix_1 pending', 'a step plays once');
  await api.clock.advance('20s');
  t.is(await first(), 'fix_1 escalated');
  await api.clock.advance('1h');
  t.is(await first(), 'fix_1 resolved');
});

test('a scenario that goes back in time is played again from the data that was read', async (t) => {
  const api = await started(t, { fixtures: team, scenario });
  await api.clock.advance('1h');
  await api.patch('fixDrafts', 'fix_2', { status: 'escalated' });
  t.deepEqual(await statuses(api), ['fix_1 resolved', 'fix_2 escalated']);
  await api.clock.advance('-59m');
  t.deepEqual(await statuses(api), ['fix_1 escalated', 'fix_2 pending']);
  await api.clock.set('2030-01-01T00:00:00Z');
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
  await api.clock.advance('45s');
  await api.reset();
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 pending']);
  await api.clock.advance('45s');
  t.deepEqual(await statuses(api), ['fix_1 drafting', 'fix_2 pending']);
});

test('a scenario plays by itself while the clock runs', async (t) => {
  const api = await startTriageApi({
    fixtures: team,
    scenario: [{ at: '+10ms', patch: { fixDrafts: { fix_1: { status: 'drafting' } } } }],
  });
  t.teardown(api.stop);
  while ((await statuses(api))[0] !== 'fix_1 drafting')
    await new Promise((resolve) => setTimeout(resolve, 5));
  t.pass();
});

test('a scenario that does not fit the data is refused at the start, with all problems', async (t) => {
  const wrong = [
    { at: '+1s', patch: { fixDrafts: { fix_1: { status: 'done' }, fix_9: null } } },
    { at: '+2s', tenant: 'max', patch: {} },
    { at: '+3s', patch: { repos: [] } },
  ];
  t.deepEqual(await problemsOf(startTriageApi({ fixtures: team, scenario: wrong })), [
    'scenario /0/patch: /fixDrafts/fix_9: no entry of fixDrafts has the id "fix_9"; did you mean "fix_1"?',
    'scenario /1/tenant: expected one of kim, got "max"',
    'scenario /2/patch: /scans/0/repoId: no entry of repos has the id "web"',
    'scenario /2/patch: /fixDrafts/0/repoId: no entry of repos has the id "web"',
    'scenario /2/patch: /fixDrafts/1/repoId: no entry of repos has the id "web"',
  ]);
});

test('the scenario of the package: a scan, a finding, a draft, a pull request, a failure, a retry, a merge', async (t) => {
  const api = await started(t, { scenario: 'acme' });
  const state = async () => {
    const repos = await read(api, '/api/v1/repos');
    const { scanStatusBadge, openPrCount } = repos.find(
      ({ id }: Record<string, string>) => id === 'repo_spike',
    );
    const finding = await read(api, '/api/v1/findings/fix_spike');
    const prs = await read(api, '/api/v1/prs?repoId=repo_spike');
    return [
      scanStatusBadge,
      openPrCount,
      finding.status ?? finding,
      prs.items[0]?.prState,
      prs.items[0]?.ciStatus,
    ];
  };
  const none = undefined;
  t.deepEqual(await state(), ['never_scanned', 0, 404, none, none]);
  const expected: readonly (readonly [after: string, state: readonly unknown[]])[] = [
    ['10s', ['scanning', 0, 404, none, none]],
    ['20s', ['attention', 0, 'pending', none, none]],
    ['15s', ['attention', 0, 'drafting', none, none]],
    ['15s', ['attention', 1, 'drafting', 'open', 'running']],
    ['30s', ['attention', 1, 'drafting', 'open', 'failing']],
    ['15s', ['attention', 1, 'drafting', 'open', 'running']],
    ['15s', ['attention', 1, 'drafting', 'open', 'passing']],
    ['30s', ['healthy', 0, 'resolved', 'merged', 'passing']],
  ];
  for (const [after, seen] of expected) {
    await api.clock.advance(after);
    t.deepEqual(await state(), seen);
  }
});

test('pages of the explorer, too, say that the clock or the data differs, and what a rule simulates', async (t) => {
  const api = await started(t, { fixtures: team });
  const header = async (path: string) => (await api.fetch(path)).headers.get('x-triage-simulated');
  t.is(await header('/explore/findings'), null);
  await api.clock.advance('2h');
  await api.patch('findings', 'fix_1', { status: 'resolved' });
  t.is(await header('/explore/findings'), 'clock, data');
  t.is(await header('/login'), null);
  api.faults.add({ operation: 'GET /explore/findings', code: 503 });
  t.is(await header('/explore/findings'), 'clock, data, code=503 (fault-1)');
  t.deepEqual(
    api.requests().map(({ simulated }) => simulated),
    [null, 'clock, data', null, 'clock, data, code=503 (fault-1)'],
  );
});
