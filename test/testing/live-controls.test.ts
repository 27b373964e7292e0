import test from 'ava';
import { startTriageApi, type TriageApi } from '../../src/testing/server.js';
import { aDraft, aRepo, aScan, aSession, aUser, dataset, now } from '../_data.js';
import { cookie } from '../_server.js';
import { control } from '../simulation/controls/_control.js';
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
const lee = { ...team, user: { ...user, id: 'lee', email: 'lee@team.test' }, sessions: [] };

/** A row as a typed program has it. */
const draftOf = (id: string, repoId = 'web') => {
  const [first] = team.fixDrafts;
  if (first === undefined) throw new Error('the tenant has a draft');
  return { ...first, id, repoId };
};

const read = async (api: TriageApi, path: string, session = api.session) => {
  const answer = await fetch(`${api.url}/api/v1${path}`, cookie(session));
  return answer.status === 200 ? Object(await answer.json()) : answer.status;
};
const lastScan = async (api: TriageApi) => {
  const repos = await read(api, '/repos');
  return Array.isArray(repos) ? [repos[0].lastScanAt, repos[0].lastScanRelative] : repos;
};
const statuses = async (api: TriageApi, session = api.session) => {
  const page = await read(api, '/findings', session);
  return page.items?.map(({ id, status }: Record<string, string>) => `${id} ${status}`) ?? page;
};
const asLoaded = ['fix_1 pending', 'fix_2 pending'];

test('clock.set is a new start, at which data with asOf looks as it did; clock.advance lets time pass, or back', async (t) => {
  const api = await started(t, { fixtures: team });
  for (const moment of ['2031-05-06T07:08:09Z', new Date('1999-12-31T23:59:59.000Z'), now]) {
    await api.clock.set(moment);
    const at = new Date(moment).getTime();
    t.is(api.clock.now(), new Date(at).toISOString());
    t.deepEqual(await lastScan(api), [new Date(at - 300_000).toISOString(), '5 minutes ago']);
  }
  const scanAt = '2026-11-20T11:55:00.000Z';
  for (const [duration, expected] of [
    ['2h', [scanAt, '2 hours ago']],
    ['P6D', 401],
    ['-P6D', [scanAt, '2 hours ago']],
    [-2 * 60 * 60 * 1000, [scanAt, '5 minutes ago']],
  ] as const) {
    await api.clock.advance(duration);
    t.deepEqual(await lastScan(api), expected);
  }
});

test('clock.run lets the clock run on from where it is, and clock.release shows the time of the machine', async (t) => {
  const api = await started(t, { fixtures: team });
  const expectNear = (moment: number) => {
    const ahead = Date.parse(api.clock.now()) - moment;
    t.true(ahead >= 0 && ahead < 60_000, String(ahead));
  };
  const start = Date.parse('2031-05-06T07:08:09Z');
  await api.clock.set(new Date(start));
  await api.clock.run();
  expectNear(start);
  await api.clock.advance('-2h');
  expectNear(start - 7_200_000);
  const shown = api.clock.now();
  while (api.clock.now() === shown) await new Promise((resolve) => setTimeout(resolve, 1));
  const machine = Date.now();
  await api.clock.release();
  expectNear(machine);
  t.is((await lastScan(api))[1], '5 minutes ago');
});

test('an invalid change of the clock or the data is refused with the path of each problem, and changes nothing', async (t) => {
  const api = await started(t, { fixtures: [team, lee] });
  const noDate = new Date('tomorrow');
  // As from JavaScript.
  const { patch, insert, remove } = Object(api);
  const rows: readonly (readonly [change: () => Promise<unknown>, problems: readonly string[]])[] = [
    [
      () => api.clock.advance('2 hours'),
      ['clock.advance: expected a duration such as 30s, 1h30m, 2d or PT2H, got "2 hours"'],
    ],
    [
      () => api.patch('findings', 'fix_1', { reconciledAt: noDate }),
      ['patch: not JSON: /reconciledAt is an invalid Date'],
    ],
    [
      () => insert('fixDrafts', { ...draftOf('fix_1', 'nope'), severity: 'moderate' }),
      [
        '/fixDrafts/2/severity: expected one of critical, high, medium, low, got "moderate"',
        '/fixDrafts/2/id: duplicate id "fix_1"; /fixDrafts/0/id has it already',
        '/fixDrafts/2/repoId: no entry of repos has the id "nope"',
      ],
    ],
    [
      () => api.patch('fixDrafts', 'fix_9', {}),
      ['/fixDrafts/fix_9: no entry of fixDrafts has the id "fix_9"; did you mean "fix_1"?'],
    ],
    [
      () => insert('sessions', team.sessions[0], 'lee'),
      ['/sessions/0/value: duplicate session value; kim /sessions/0/value has it already'],
    ],
    [() => api.remove('repos', 'web', 'max'), ['tenant: expected one of kim, lee, got "max"']],
    [() => patch('fixDrafts', 'fix_1', null), ['/fixDrafts/fix_1: expected an object with fields, got null']],
  ];
  for (const [change, problems] of rows) t.deepEqual(await problemsOf(change()), problems);
  for (const name of ['user', 'branches', undefined])
    t.regex(
      String(await problemsOf(remove(name, 'x'))),
      /^collection: expected one of sessions, apiTokens, repos, /,
    );
  t.regex(String(await problemsOf(api.clock.set('tomorrow'))), /^clock\.set: expected a moment/);
  t.deepEqual([await statuses(api), api.clock.now()], [asLoaded, now]);
});

test('a sparse row is completed like one of a file, whether it is inserted or comes with a scenario', async (t) => {
  const sparse = { repo: 'team/new', severity: 'critical', pullRequest: { prState: 'open' } } as const;
  const allOf = (api: TriageApi) =>
    Promise.all(['/repos', '/findings', '/prs'].map((path) => read(api, path)));
  const expected = await allOf(
    await started(t, { fixtures: { ...team, fixDrafts: [...team.fixDrafts, sparse] } }),
  );
  t.deepEqual([expected[0].length, expected[1].items.length, expected[2].items.length], [2, 3, 1]);
  for (const name of ['findings', 'fixDrafts'] as const) {
    const api = await started(t, { fixtures: team });
    await api.insert(name, sparse);
    t.deepEqual(await allOf(api), expected, name);
    const { id } = expected[1].items.find(({ repoId }: Record<string, string>) => repoId !== 'web');
    await api.patch(name, id, { status: 'resolved', repo: 'team/web' });
    t.like(await read(api, `/findings/${id}`), { status: 'resolved', repoId: 'web' });
  }
  const scenario = [
    { at: '0s', patch: { findings: { '': sparse } } },
    { at: '0s', patch: { findings: { fix_1: { status: 'pending' } } } },
  ];
  t.deepEqual(await allOf(await started(t, { fixtures: team, scenario })), expected);
});

test('to complete a row leaves other rows and their dates as they are', async (t) => {
  const { asOf: _, ...undated } = { ...team, repos: [...team.repos, aRepo('idle', { owner: 'team' })] };
  const api = await started(t, { fixtures: undated, now: '2027-01-01T12:00:00.000Z' });
  const all = async () => [await read(api, '/repos'), (await read(api, '/findings')).items];
  const [repos, findings] = await all();
  await api.insert('findings', { id: 'fix_3', repo: 'team/web', discoveredAt: '2026-11-01T12:00:00.000Z' });
  const [reposAfter, findingsAfter] = await all();
  t.deepEqual([findingsAfter.slice(0, 2), findingsAfter[2].id], [findings, 'fix_3']);
  t.deepEqual([reposAfter.length, reposAfter.at(-1)], [2, repos.at(-1)]);
});

test('a change of one tenant leaves the data of another, and its version, as they are', async (t) => {
  const api = await started(t, { fixtures: [team, lee] });
  const headers = { 'If-None-Match': (await api.fetch('/api/v1/findings')).headers.get('etag') ?? '' };
  const draft = draftOf('fix_3');
  await api.insert('fixDrafts', draft, 'lee');
  // What was passed may change later.
  Reflect.set(draft, 'status', 'resolved');
  t.deepEqual(await statuses(api, api.tenant('lee').session), [...asLoaded, 'fix_3 pending']);
  t.is((await api.fetch('/api/v1/findings', { headers })).status, 304);
  await api.remove('fixDrafts', 'fix_1');
  t.is((await api.fetch('/api/v1/findings', { headers })).status, 200);
});

test('changes at the same time are all carried out, one after the other', async (t) => {
  const api = await started(t, { fixtures: team });
  const ids = Array.from({ length: 30 }, (_, i) => `more_${i}`);
  await Promise.all([
    ...ids.map((id) => api.insert('fixDrafts', draftOf(id))),
    ...ids.map(() => api.clock.advance('1s')),
  ]);
  t.is((await read(api, '/findings?limit=100')).items.length, 32);
  t.is(api.clock.now(), '2026-11-20T12:00:30.000Z');
});

test('setFixtures replaces all data; tenants, session and token are those of the new data', async (t) => {
  const api = await started(t, { fixtures: team });
  const tenants = await api.setFixtures([lee]);
  t.deepEqual(tenants, [{ name: 'lee', session: api.session, token: api.token }]);
  t.deepEqual(await statuses(api), asLoaded);
  t.is(await read(api, '/repos', 'kim-session'), 401);
  await api.patch('fixDrafts', 'fix_1', { status: 'resolved' });
  await api.reset();
  t.deepEqual(await statuses(api), asLoaded);
  t.deepEqual(await problemsOf(api.setFixtures({ user: { ...user, id: '' } })), [
    'fixtures /user/id: expected identifier of 1 to 200 characters, got ""',
  ]);
  t.deepEqual(await api.setFixtures([lee]), tenants);
});

const step = (at: string, status: string) => ({ at, patch: { fixDrafts: { fix_1: { status } } } });
const scenario = [step('+30s', 'drafting'), step('+1m', 'escalated'), step('+2m', 'resolved')];

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

test('when the clock goes back, a scenario is played again from the data that was read', async (t) => {
  const api = await started(t, { fixtures: team, scenario });
  await api.clock.advance('1h');
  await api.patch('fixDrafts', 'fix_2', { status: 'escalated' });
  t.deepEqual(await statuses(api), ['fix_1 resolved', 'fix_2 escalated']);
  await api.clock.advance('-59m');
  t.deepEqual(await statuses(api), ['fix_1 escalated', 'fix_2 pending']);
  await api.clock.set('2030-01-01T00:00:00Z');
  t.deepEqual(await statuses(api), asLoaded);
  await api.clock.advance('45s');
  await api.reset();
  t.deepEqual(await statuses(api), asLoaded);
  await api.clock.advance('45s');
  t.deepEqual(await statuses(api), ['fix_1 drafting', 'fix_2 pending']);
});

test('a scenario plays by itself while the clock runs', async (t) => {
  const api = await started(t, { now: undefined, fixtures: team, scenario: [step('+10ms', 'drafting')] });
  while ((await statuses(api))[0] !== 'fix_1 drafting')
    await new Promise((resolve) => setTimeout(resolve, 5));
  t.pass();
});

test('a scenario is refused at the start with all problems, and if its URL is not that of a file', async (t) => {
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
  t.deepEqual(await problemsOf(startTriageApi({ scenario: new URL('https://team.test/steps.json') })), [
    'scenario: expected a file: URL, got "https:"',
  ]);
});

test('fixtures that a scenario does not fit are refused, and a step that no longer fits is left out with a warning', async (t) => {
  const events: string[] = [];
  const log = (_: unknown, event: string): unknown => events.push(event);
  const api = await started(t, { fixtures: team, scenario: scenario.slice(0, 2), log });
  await api.patch('findings', 'fix_2', { status: 'resolved' });
  t.deepEqual(await problemsOf(api.setFixtures({ ...team, fixDrafts: [aDraft('other', 'web')] })), [
    'scenario /0/patch: /fixDrafts/fix_1: no entry of fixDrafts has the id "fix_1" (a new one repeats it as its `id`)',
    'scenario /1/patch: /fixDrafts/fix_1: no entry of fixDrafts has the id "fix_1" (a new one repeats it as its `id`)',
  ]);
  t.deepEqual(await statuses(api), ['fix_1 pending', 'fix_2 resolved']);
  await api.clock.advance('30s');
  t.deepEqual(await statuses(api), ['fix_1 drafting', 'fix_2 resolved']);
  await api.remove('findings', 'fix_1');
  await api.clock.advance('30s');
  t.deepEqual(await statuses(api), ['fix_2 resolved']);
  await api.setFixtures(team);
  t.deepEqual(events, [
    'a step of the scenario does not fit the data',
    'other fixtures were read: what was patched is gone',
  ]);
});

test('the scenario of the package: a scan, a finding, a draft, a pull request, a failure, a retry, a merge', async (t) => {
  const api = await started(t, { scenario: 'acme' });
  const none = undefined;
  const expected: readonly (readonly [after: string, state: readonly unknown[]])[] = [
    ['0s', ['never_scanned', 0, 404, none, none]],
    ['10s', ['scanning', 0, 404, none, none]],
    ['20s', ['attention', 0, 'pending', none, none]],
    ['15s', ['attention', 0, 'drafting', none, none]],
    ['15s', ['attention', 1, 'drafting', 'open', 'running']],
    ['30s', ['attention', 1, 'drafting', 'open', 'failing']],
    ['15s', ['attention', 1, 'drafting', 'open', 'running']],
    ['15s', ['attention', 1, 'drafting', 'open', 'passing']],
    ['30s', ['healthy', 0, 'resolved', 'merged', 'passing']],
  ];
  for (const [after, state] of expected) {
    await api.clock.advance(after);
    const repos = await read(api, '/repos');
    const { scanStatusBadge, openPrCount } = repos.find(
      ({ id }: Record<string, string>) => id === 'repo_spike',
    );
    const finding = await read(api, '/findings/fix_spike');
    const [pullRequest] = (await read(api, '/prs?repoId=repo_spike')).items;
    const { prState, ciStatus } = Object(pullRequest);
    t.deepEqual([scanStatusBadge, openPrCount, finding.status ?? finding, prState, ciStatus], state, after);
  }
});

test('responses, pages and the journal say whether the clock or the data differs, and what a rule simulates', async (t) => {
  const api = await started(t, { now: undefined, fixtures: team });
  const expectMark = async (mark: string | null, paths = ['/api/v1/repos', '/explore/findings']) => {
    for (const path of paths) {
      t.is((await api.fetch(path)).headers.get('x-triage-simulated'), mark, path);
      t.is(api.requests().at(-1)?.simulated, mark, path);
    }
  };
  await expectMark(null);
  await api.clock.advance('2h');
  await expectMark('clock');
  await api.patch('findings', 'fix_1', { status: 'resolved' });
  await expectMark('clock, data');
  await expectMark(null, ['/login']);
  api.faults.add({ operation: 'GET /explore/findings', code: 503 });
  await expectMark('clock, data, code=503 (fault-1)', ['/explore/findings']);
  await control(api, 'DELETE', '/clock');
  await expectMark('data', ['/api/v1/repos']);
  await api.reset();
  await expectMark(null, ['/api/v1/repos']);
});
