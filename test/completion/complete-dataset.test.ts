import test from 'ava';
import { completed, refused } from './_completed.js';

test('a finding needs its repository, its package and its severity only', (t) => {
  const { user, sessions, apiTokens, repos, scans, fixDrafts, pullRequests, asOf } = completed({
    findings: [{ repo: 'acme/web', package: 'lodash', severity: 'high' }],
  });
  t.is(String(asOf), '2026-11-20T12:00:00.000Z');
  t.deepEqual(user, { id: 'usr_team', email: 'user@team.test', name: 'Team', password: 'team-password' });
  t.deepEqual([sessions[0]?.value, apiTokens[0]?.token], ['team-session', 'team-token']);
  t.like(repos, [{ owner: 'acme', repo: 'web', scanStatusBadge: 'attention', status: 'needs_review' }]);
  t.like(scans, [{ status: 'completed', findingsSeen: 1, draftsOpened: 0, error: null }]);
  t.deepEqual(pullRequests, []);
  t.like(fixDrafts, [
    {
      repoId: repos[0]?.id,
      advisoryId: 'GHSA-35jh-r3h4-6jhm',
      package: 'lodash',
      ecosystem: 'npm',
      vulnerableRange: '< 4.17.21',
      fixedRange: '>= 4.17.21',
      severity: 'high',
      status: 'pending',
      ciStatus: 'none',
      reconciledAt: null,
    },
  ]);
});

test('what is made is the same on every machine', (t) => {
  const { fixDrafts, pullRequests } = completed({
    findings: [{ repo: 'acme/web', package: 'left-pad', pullRequest: {} }],
  });
  t.deepEqual(JSON.parse(JSON.stringify([fixDrafts[0], pullRequests[0]])), [
    {
      id: 'fix_79f954935fa4b672',
      repoId: 'repo_41d7464bfde3aec3',
      advisoryId: 'GHSA-2mhq-jxf9-hqmp',
      package: 'left-pad',
      ecosystem: 'npm',
      vulnerableRange: '< 4.17.12',
      fixedRange: '>= 4.17.12',
      severity: 'medium',
      reachability: 0.15,
      exploitSignal: 0.26,
      status: 'drafting',
      ciStatus: 'passing',
      discoveredAt: '2026-11-19T01:40:47.018Z',
      updatedAt: '2026-11-20T05:25:29.617Z',
      reconciledAt: null,
    },
    {
      id: 'pr_d49c5faa9a6af1dc',
      draftId: 'fix_79f954935fa4b672',
      fromVersion: '4.17.8',
      toVersion: '4.17.12',
      branch: 'triage/left-pad-4.17.12',
      hasCodemod: false,
      codemodSummary: '',
      ciStatus: 'passing',
      prUrl: 'https://github.example/acme/web/pull/459635',
      prState: 'open',
      createdAt: '2026-11-19T04:10:04.212Z',
      updatedAt: '2026-11-19T18:37:52.907Z',
      reconciledAt: null,
    },
  ]);
});

test('a pull request has what belongs to its finding and repository', (t) => {
  const { fixDrafts, pullRequests } = completed({
    findings: [{ repo: 'acme/web', package: '@babel/traverse', fixedRange: '>= 7.23.2', status: 'resolved' }],
    pullRequests: [{ repo: 'acme/web', package: '@babel/traverse' }],
  });
  const [pullRequest] = pullRequests;
  t.like(pullRequest, {
    draftId: fixDrafts[0]?.id,
    toVersion: '7.23.2',
    branch: 'triage/traverse-7.23.2',
    hasCodemod: false,
    codemodSummary: '',
    ciStatus: 'passing',
    prState: 'merged',
  });
  t.regex(pullRequest?.fromVersion ?? '', /^7\.23\.[01]$/);
  t.regex(pullRequest?.prUrl ?? '', /^https:\/\/github\.example\/acme\/web\/pull\/\d+$/);
});

const states = [
  ['merged', 'resolved', 'passing'],
  ['closed', 'escalated', 'failing'],
  ['cancelled', 'escalated', 'failing'],
  [null, 'escalated', 'failing'],
] as const;

for (const [prState, status, ciStatus] of states) {
  test(`a finding whose pull request is ${prState} is ${status}`, (t) => {
    const { fixDrafts, pullRequests } = completed({ findings: [{ pullRequest: { prState } }] });
    t.like(fixDrafts[0], { status, ciStatus });
    t.like(pullRequests[0], { prState, ciStatus });
  });
}

test('a finding whose pull request is open is being drafted, with the same CI status', (t) => {
  const { fixDrafts, pullRequests } = completed({
    findings: [{ pullRequest: {} }, { pullRequest: { ciStatus: 'odd' } }],
  });
  t.deepEqual(
    fixDrafts.map(({ status, ciStatus }) => [status, ciStatus]),
    pullRequests.map(({ ciStatus }) => ['drafting', ciStatus]),
  );
  t.is(fixDrafts[1]?.ciStatus, 'odd');
});

test('the published advisory with the severity, the ecosystem or the id that is given is preferred', (t) => {
  const { fixDrafts } = completed({
    findings: [
      { package: 'lodash', severity: 'critical' },
      { package: 'jquery', ecosystem: 'NuGet' },
      { advisoryId: 'GHSA-jf85-cpcp-j695', package: 'lodash.defaultsdeep' },
      { advisoryId: 'CVE-2021-23337', package: 'lodash-es' },
      { package: 'django' },
      { package: 'lodash', severity: 'low' },
      { package: 'lodash', advisoryId: 'GHSA-mine-mine-mine' },
    ],
  });
  t.like(fixDrafts, [
    { severity: 'critical', advisoryId: 'GHSA-jf85-cpcp-j695' },
    { ecosystem: 'NuGet', severity: 'medium' },
    { fixedRange: '>= 4.6.1', severity: 'critical' },
    { fixedRange: '>= 4.17.21', advisoryId: 'CVE-2021-23337' },
    { package: 'django', ecosystem: 'PyPI', severity: 'critical' },
    { package: 'lodash', severity: 'low', ecosystem: 'npm' },
    { package: 'lodash', advisoryId: 'GHSA-mine-mine-mine' },
  ]);
  t.not(fixDrafts[6]?.fixedRange, '>= 4.17.21', 'another advisory has other ranges');
});

test('an unknown package has one made-up advisory, in whatever repository it is', (t) => {
  const { fixDrafts } = completed({
    findings: [
      { repo: 'a/b', package: '@acme/ui' },
      { repo: 'a/c', package: '@acme/ui' },
      { package: 'org.acme:core' },
      { package: 'github.com/acme/core' },
      { package: 'acme/core' },
      { package: 'Acme.Core' },
    ],
  });
  const [first, second, ...others] = fixDrafts;
  t.regex(first?.advisoryId ?? '', /^GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}$/);
  t.deepEqual(
    [second?.advisoryId, second?.fixedRange, second?.severity],
    [first?.advisoryId, first?.fixedRange, first?.severity],
  );
  t.deepEqual(
    others.map(({ ecosystem }) => ecosystem),
    ['Maven', 'Go', 'Packagist', 'NuGet'],
  );
});

test('the scans decide about the badge of a repository', (t) => {
  const { repos, scans } = completed({
    repos: [{ repo: 'a/never', scanStatusBadge: 'never_scanned' }],
    scans: [
      { repo: 'a/failed', error: 'no lock file' },
      { repo: 'a/running', status: 'running' },
      { repo: 'a/partial', status: 'partial' },
    ],
    findings: [{ repo: 'a/fixed', pullRequest: {} }, { repo: 'a/open' }],
  });
  const named = Object.fromEntries(repos.map((repo) => [repo.repo, [repo.scanStatusBadge, repo.status]]));
  t.deepEqual(named, {
    never: ['never_scanned', 'not_scanned'],
    failed: ['failed', 'blocked'],
    running: ['scanning', 'clear'],
    partial: ['partial', 'clear'],
    fixed: ['healthy', 'fix_open'],
    open: ['attention', 'needs_review'],
  });
  const running = scans.find(({ status }) => status === 'running');
  t.true((running?.finishedAt ?? '') > '2026-11-20T12:00:00.000Z', 'it has not finished yet');
  t.is(scans.find(({ status }) => status === 'failed')?.findingsSeen, 0);
});

test('the scans whose dates are made have seen all findings whose dates are made', (t) => {
  const status = ['completed', 'running', 'partial', 'ok'];
  const { scans } = completed({
    scans: [...status.map((each) => ({ repo: 'a/b', status: each })), { repo: 'a/c', status: 'failed' }],
    findings: ['a/b', 'a/c'].flatMap((repo) =>
      Array.from({ length: 50 }, () => [
        { repo },
        { repo, status: 'resolved' },
        { repo, pullRequest: {} },
      ]).flat(),
    ),
  });
  t.is(scans.length, 6, 'a finished scan was made');
  for (const scan of scans)
    t.is(scan.findingsSeen, scan.status === 'failed' ? 0 : 100, `${scan.repoId} ${scan.status}`);
});

test('a badge that is given decides about the status, and the other way round', (t) => {
  const { repos } = completed({
    repos: [
      { repo: 'a/1', scanStatusBadge: 'failed' },
      { repo: 'a/2', status: 'blocked' },
      { repo: 'a/3', status: 'clear' },
      { repo: 'a/4', scanStatusBadge: 'mine', status: 'own' },
      { repo: 'a/5', scanStatusBadge: 'mine' },
      { repo: 'a/6', status: 'not_scanned' },
    ],
    findings: [{ repo: 'a/3' }, { repo: 'a/5' }],
  });
  t.deepEqual(
    repos.map(({ scanStatusBadge, status }) => [scanStatusBadge, status]),
    [
      ['failed', 'blocked'],
      ['failed', 'blocked'],
      ['healthy', 'clear'],
      ['mine', 'own'],
      ['mine', 'needs_review'],
      ['never_scanned', 'not_scanned'],
    ],
  );
});

test('the last scan of a repository that is said to be failing has failed', (t) => {
  const { repos, scans, asOf } = completed({
    repos: [
      { repo: 'a/badge', scanStatusBadge: 'failed' },
      { repo: 'a/status', status: 'blocked' },
      { repo: 'a/own', scanStatusBadge: 'mine', status: 'blocked' },
      { repo: 'a/listed', status: 'blocked' },
    ],
    scans: [{ repo: 'a/listed', status: 'completed' }],
    findings: [{ repo: 'a/badge' }, { repo: 'a/status', discoveredAt: '2026-11-20T12:00:00.000Z' }],
  });
  const scansOf = (name: string) =>
    scans
      .filter(({ repoId }) => repoId === repos.find(({ repo }) => repo === name)?.id)
      .sort((l, r) => (l.startedAt < r.startedAt ? -1 : 1));
  for (const name of ['badge', 'status']) {
    const [first, last, ...others] = scansOf(name);
    t.deepEqual(
      [first?.status, first?.findingsSeen, last?.status, last?.findingsSeen],
      ['completed', 1, 'failed', 0],
    );
    t.true((last?.startedAt ?? '') > (first?.startedAt ?? ''));
    t.true((last?.finishedAt ?? '9') <= (asOf ?? ''));
    t.is(typeof last?.error, 'string');
    t.deepEqual(others, []);
  }
  for (const name of ['own', 'listed'])
    t.deepEqual(
      scansOf(name).map(({ status }) => status),
      ['completed'],
    );
});

test('a user with a password gets no credentials that can be guessed', (t) => {
  const own = completed({ user: { password: 'secret' }, findings: [{}] });
  t.deepEqual([own.sessions, own.apiTokens], [[], []]);
  const named = completed({ user: { name: 'Dana' } }, 'web team');
  t.regex(named.sessions[0]?.value ?? '', /^web-team-[0-9a-f]{6}-session$/);
  t.regex(named.user.email, /^user@web-team-[0-9a-f]{6}-[0-9a-f]{6}\.test$/);
  t.is(named.user.name, 'Dana');
});

test('any name of a file makes a valid user, and another one than other names', (t) => {
  const names = ['', 'a', 'A', 'a b', 'a-b', 'ä', 'x'.repeat(300), '__proto__', '../x', '日本', '\ud800'];
  const users = names.map((name) => completed({}, name));
  for (const of of [
    users.map(({ user }) => user.id),
    users.map(({ user }) => user.email.toLowerCase()),
    users.map(({ sessions }) => sessions[0]?.value),
    users.map(({ apiTokens }) => apiTokens[0]?.token),
  ])
    t.is(new Set(of).size, names.length);
});

test('a complete row that is written next to the sparse one it came from gets along with it', (t) => {
  const sparse = { repo: 'a/b', package: 'ws' };
  const [row] = completed({ findings: [sparse] }).fixDrafts;
  const { fixDrafts } = completed({ repos: [{ repo: 'a/b' }], findings: [{ ...row }, sparse] });
  t.is(new Set(fixDrafts.map(({ id }) => id)).size, 2);
});

test('whatever is wrong is reported at once, at its place', (t) => {
  t.deepEqual(
    refused({
      repos: [
        { id: 'r', repo: 'a/b' },
        { id: 'q', repo: 'a/b' },
        { id: 'r', repo: 'x/y/z' },
      ],
      scans: [{ repoId: 'none' }],
      findings: [
        { repo: 'a/b' },
        { repoId: 'q', repo: 'a/c' },
        { repo: 'web' },
        { sevrity: 'high' },
        { severity: 'High', reachability: '1' },
        { id: 'f', repo: 'c/d', package: 'ws', pullRequest: { prSate: 'open' } },
        { repo: 'c/d', package: 'ws' },
      ],
      pullRequests: [
        { repo: 'c/d', package: 'ws' },
        { repo: 'c/d', package: 'axios' },
        { draftId: 'f', package: 'axios', repo: 'a/c' },
        { draftId: 'g' },
        {},
      ],
      sessions: [{}],
      finding: [],
    }),
    [
      '/sessions/0/value: expected session value (characters that a cookie can carry), got nothing',
      '/findings/3/sevrity: unknown key; did you mean "severity"?',
      '/findings/4/severity: expected one of critical, high, medium, low, got "High"',
      '/findings/4/reachability: expected finite number, got "1"',
      '/findings/5/pullRequest/prSate: unknown key; did you mean "prState"?',
      '/finding: unknown key; did you mean "findings"?',
      '/repos/2/repo: expected a name, or a repository as "owner/name", got "x/y/z"',
      '/findings/2/repo: expected a repository as "owner/name", got "web"',
      '/findings/0/repo: 2 entries of repos are named "a/b"; give repoId instead',
      '/findings/1/repo: contradicts repoId: "q" is "a/b", not "a/c"',
      '/pullRequests/0: 2 findings fit repo "c/d" and package "ws"; give draftId',
      '/pullRequests/1: no finding fits repo "c/d" and package "axios"',
      '/pullRequests/2/repo: contradicts draftId: "f" is in another one',
      '/pullRequests/2/package: contradicts draftId: "f" is about another one',
      '/pullRequests/4: 7 findings fit; give draftId, or repo and package',
      '/repos/2/id: duplicate id "r"; /repos/0/id has it already',
      '/scans/0/repoId: no entry of repos has the id "none"',
      '/pullRequests/3/draftId: no entry of fixDrafts has the id "g"',
    ],
  );
});

test('both names of the findings are refused, and so is what only files can do', (t) => {
  t.deepEqual(refused({ findings: [], fixDrafts: [] }), [
    '/findings: `fixDrafts` is the same collection; give only one of the two',
  ]);
  t.deepEqual(refused({ extends: 'acme' }), [
    '/extends: only fixture files in a directory can extend others',
  ]);
  t.deepEqual(refused({ remove: [] }), [
    '/remove: only a fixture that extends another one can remove rows of it',
  ]);
});

test('hostile values are refused or kept, and nothing else happens', (t) => {
  for (const value of [null, undefined, 7, 'x', [], () => {}])
    t.regex(refused(value)[0] ?? '', /^expected fixture file, got /);
  const keys = refused(JSON.parse('{"__proto__": [], "findings": [{"__proto__": {"severity": "low"}}]}'));
  t.is(keys.length, 2);
  t.regex(keys.join('\n'), /^\/findings\/0\/__proto__: unknown key.*\n\/__proto__: unknown key/);
  let deep: unknown = 'x';
  for (let i = 0; i < 7_000; i += 1) deep = [deep];
  t.deepEqual(refused({ findings: [{ package: deep, pullRequest: deep }], user: deep }).length, 3);
  const long = 'x/'.repeat(50_000);
  const { fixDrafts } = completed({ findings: [{ package: long, vulnerableRange: long, pullRequest: {} }] });
  t.is(fixDrafts[0]?.package, long);
  for (const name of ['__proto__', 'constructor', 'toString'])
    t.is(completed({ findings: [{ repo: `${name}/${name}`, package: name }] }).fixDrafts[0]?.package, name);
});

test('many rows that are alike get ids of their own', (t) => {
  const many = { findings: Array.from({ length: 20_000 }, () => ({ repo: 'a/b', package: 'ws' })) };
  const { fixDrafts } = completed(many);
  t.is(new Set(fixDrafts.map(({ id }) => id)).size, 20_000);
});
