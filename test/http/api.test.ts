import test from 'ava';
import { aDraft } from '../_data.js';
import { bearer, cookie, serve, sharedServer } from '../_server.js';
import { acme, nobody, other } from './_world.js';

/**
 * The whole API in one table: method and path, credentials, status and body. Lists are written as the ids of
 * their items and, with pages, `page/limit totalItems/totalPages`; a finding as its id and its `prCount`. The
 * tests below the table show whole items. The server has the tenants `acme`, `other` and `nobody`;
 * credentials without a name of another tenant are those of `acme`.
 */
const headers = (named: Readonly<Record<string, string>>): RequestInit => ({ headers: named });

const none = headers({});
const session = cookie('acme-cookie');
const token = bearer('acme-token');
const nobodySession = cookie('nobody-cookie');
const otherSession = cookie('other-cookie');
const expiredSession = cookie('acme-expired');
const lastMomentSession = cookie('acme-last-moment');
const expiredToken = bearer('acme-token-expired');
const lastMomentToken = bearer('acme-token-last-moment');
const revokedToken = bearer('acme-token-revoked');
const both = (cookieValue: string, tokenValue: string): RequestInit =>
  headers({ Cookie: `session=${cookieValue}`, Authorization: `Bearer ${tokenValue}` });

const error = (message: string): unknown => ({ error: message });
const unauthorized = error('Unauthorized');
const noFinding = error('finding not found');
const notFound = error('Not found');
const notAllowed = error('Method not allowed');
const whole = 'expected a whole number from 1 to 9007199254740991, got';
const size = 'expected a whole number from 1 to 9007199254740991 (above 100 counts as 100), got';
const allRepos = ['web', 'api', 'tied', 'never-a', 'never-b'];

type Row = readonly [title: string, request: string, credentials: RequestInit, status: number, body: unknown];

const table: readonly Row[] = [
  // Repositories (contract 4.1)
  [
    'repos: most recent scan first, ties by id, never scanned last',
    'GET /api/v1/repos',
    session,
    200,
    allRepos,
  ],
  ['repos of a tenant without repositories', 'GET /api/v1/repos', nobodySession, 200, []],
  ['repos of another tenant', 'GET /api/v1/repos', otherSession, 200, ['secret-repo', 'web']],
  ['repos ignore an unknown parameter', 'GET /api/v1/repos?page=2', session, 200, allRepos],

  // Findings (contract 4.2)
  [
    'findings: discoveredAt descending, ties by id',
    'GET /api/v1/findings',
    session,
    200,
    ['d3 d1 d2 d4 a/b c%d', '1/25 5/1'],
  ],
  ['findings of a tenant without findings', 'GET /api/v1/findings', nobodySession, 200, ['', '1/25 0/0']],
  ['findings: the first page of two', 'GET /api/v1/findings?limit=2', session, 200, ['d3 d1', '1/2 5/3']],
  [
    'findings: the second page of two',
    'GET /api/v1/findings?limit=2&page=2',
    session,
    200,
    ['d2 d4', '2/2 5/3'],
  ],
  [
    'findings: the last page is shorter',
    'GET /api/v1/findings?limit=2&page=3',
    session,
    200,
    ['a/b c%d', '3/2 5/3'],
  ],
  [
    'findings: a page after the last is empty',
    'GET /api/v1/findings?limit=2&page=4',
    session,
    200,
    ['', '4/2 5/3'],
  ],
  [
    'findings: the greatest page number is empty',
    'GET /api/v1/findings?limit=100&page=9007199254740991',
    session,
    200,
    ['', '9007199254740991/100 5/1'],
  ],
  [
    'findings: limit is capped at 100',
    'GET /api/v1/findings?limit=1000',
    session,
    200,
    ['d3 d1 d2 d4 a/b c%d', '1/100 5/1'],
  ],
  ['findings of a repository', 'GET /api/v1/findings?repoId=web', session, 200, ['d3 d1 d2', '1/25 3/1']],
  [
    'findings of a repository without findings',
    'GET /api/v1/findings?repoId=tied',
    session,
    200,
    ['', '1/25 0/0'],
  ],
  ['findings of an unknown repository', 'GET /api/v1/findings?repoId=nope', session, 200, ['', '1/25 0/0']],
  [
    'findings of a repository of another tenant',
    'GET /api/v1/findings?repoId=secret-repo',
    session,
    200,
    ['', '1/25 0/0'],
  ],
  ['findings of an empty repository id', 'GET /api/v1/findings?repoId=', session, 200, ['', '1/25 0/0']],
  [
    'findings: severity filters the page, not the totals',
    'GET /api/v1/findings?severity=low',
    session,
    200,
    ['d2', '1/25 5/1'],
  ],
  [
    'findings: status filters the page, not the totals',
    'GET /api/v1/findings?status=resolved',
    session,
    200,
    ['d3', '1/25 5/1'],
  ],
  [
    'findings: severity and status must both match',
    'GET /api/v1/findings?severity=high&status=escalated',
    session,
    200,
    ['d4', '1/25 5/1'],
  ],
  [
    'findings: severity filters after paging, first page',
    'GET /api/v1/findings?limit=2&severity=low',
    session,
    200,
    ['', '1/2 5/3'],
  ],
  [
    'findings: severity filters after paging, second page',
    'GET /api/v1/findings?limit=2&page=2&severity=low',
    session,
    200,
    ['d2', '2/2 5/3'],
  ],
  [
    'findings: repoId filters the totals, severity does not',
    'GET /api/v1/findings?repoId=web&severity=low',
    session,
    200,
    ['d2', '1/25 3/1'],
  ],

  // One finding (contract 4.3)
  ['a finding by session', 'GET /api/v1/findings/d4', session, 200, 'd4 prCount 3'],
  ['a finding by API token', 'GET /api/v1/findings/d2', token, 200, 'd2 prCount 1'],
  ['a finding without pull requests', 'GET /api/v1/findings/a%2Fb%20c%25d', token, 200, 'a/b c%d prCount 0'],
  ['an unknown finding', 'GET /api/v1/findings/nope', token, 404, noFinding],
  ['a finding of another tenant', 'GET /api/v1/findings/others-draft', token, 404, noFinding],
  ['a finding id in another letter case', 'GET /api/v1/findings/D1', token, 404, noFinding],
  ['the id of a pull request in place of a finding id', 'GET /api/v1/findings/p1', token, 404, noFinding],
  ['a finding id with malformed percent-encoding', 'GET /api/v1/findings/%zz', token, 404, noFinding],
  [
    'a finding id that is a property of every object',
    'GET /api/v1/findings/__proto__',
    token,
    404,
    noFinding,
  ],

  // Pull requests (contract 4.4), shown by the id of their draft
  [
    'prs: createdAt descending, ties by pull request id',
    'GET /api/v1/prs',
    session,
    200,
    ['d3 d1 d2 d1 d4 d4 d4', '1/25 7/1'],
  ],
  [
    'prs by API token, the second page of three',
    'GET /api/v1/prs?limit=3&page=2',
    token,
    200,
    ['d1 d4 d4', '2/3 7/3'],
  ],
  ['prs that are open', 'GET /api/v1/prs?status=open', token, 200, ['d1 d2', '1/25 2/1']],
  ['prs that are merged', 'GET /api/v1/prs?status=merged', token, 200, ['d3', '1/25 1/1']],
  [
    'prs that are closed, cancelled or without a state',
    'GET /api/v1/prs?status=closed',
    token,
    200,
    ['d1 d4 d4', '1/25 3/1'],
  ],
  [
    'prs: status filters the totals',
    'GET /api/v1/prs?status=closed&limit=2&page=2',
    token,
    200,
    ['d4', '2/2 3/2'],
  ],
  ['prs of a repository', 'GET /api/v1/prs?repoId=api', token, 200, ['d4 d4 d4', '1/25 3/1']],
  [
    'prs of a repository with a status',
    'GET /api/v1/prs?repoId=web&status=closed',
    token,
    200,
    ['d1', '1/25 1/1'],
  ],
  ['prs of an unknown repository', 'GET /api/v1/prs?repoId=nope&status=open', token, 200, ['', '1/25 0/0']],
  [
    'prs of a repository of another tenant',
    'GET /api/v1/prs?repoId=secret-repo',
    token,
    200,
    ['', '1/25 0/0'],
  ],
  [
    'prs with a status that no pull request has',
    'GET /api/v1/prs?status=merged',
    otherSession,
    200,
    ['', '1/25 0/0'],
  ],

  // Invalid parameters
  ['page below 1', 'GET /api/v1/findings?page=0', session, 400, error(`page: ${whole} "0"`)],
  ['an empty page', 'GET /api/v1/prs?page=', session, 400, error(`page: ${whole} ""`)],
  [
    'page above the safe integers',
    'GET /api/v1/prs?page=9007199254740992',
    session,
    400,
    error(`page: ${whole} "9007199254740992"`),
  ],
  ['limit with a fraction', 'GET /api/v1/findings?limit=1.5', session, 400, error(`limit: ${size} "1.5"`)],
  ['limit with an exponent', 'GET /api/v1/prs?limit=1e2', session, 400, error(`limit: ${size} "1e2"`)],
  [
    'severity in another letter case',
    'GET /api/v1/findings?severity=High',
    session,
    400,
    error('severity: expected one of critical, high, medium, low, got "High"'),
  ],
  [
    'a status of pull requests for findings',
    'GET /api/v1/findings?status=open',
    session,
    400,
    error('status: expected one of pending, drafting, escalated, resolved, got "open"'),
  ],
  [
    'a status that pull requests cannot be filtered by',
    'GET /api/v1/prs?status=cancelled',
    session,
    400,
    error('status: expected one of open, merged, closed, got "cancelled"'),
  ],
  [
    'limit given twice',
    'GET /api/v1/findings?limit=5&limit=5',
    session,
    400,
    error('limit was given twice; give it once'),
  ],
  [
    'repoId given twice, once without a value',
    'GET /api/v1/prs?repoId=web&repoId',
    session,
    400,
    error('repoId was given twice; give it once'),
  ],
  [
    'two invalid parameters are both reported',
    'GET /api/v1/prs?page=x&status=y',
    session,
    400,
    error(`page: ${whole} "x"; status: expected one of open, merged, closed, got "y"`),
  ],

  // Credentials (contract 5)
  ['repos without credentials', 'GET /api/v1/repos', none, 401, unauthorized],
  ['findings without credentials', 'GET /api/v1/findings', none, 401, unauthorized],
  ['a finding without credentials', 'GET /api/v1/findings/d1', none, 401, unauthorized],
  ['prs without credentials', 'GET /api/v1/prs', none, 401, unauthorized],
  ['repos do not accept an API token', 'GET /api/v1/repos', token, 401, unauthorized],
  ['findings do not accept an API token', 'GET /api/v1/findings', token, 401, unauthorized],
  [
    'repos ignore a valid API token of another tenant',
    'GET /api/v1/repos',
    both('acme-cookie', 'other-token'),
    200,
    allRepos,
  ],
  [
    'findings ignore a malformed Authorization header',
    'GET /api/v1/findings?limit=1',
    headers({ Cookie: 'session=acme-cookie', Authorization: 'Basic !' }),
    200,
    ['d3', '1/1 5/5'],
  ],
  ['an unknown session', 'GET /api/v1/repos', cookie('nope'), 401, unauthorized],
  ['an API token in the session cookie', 'GET /api/v1/repos', cookie('acme-token'), 401, unauthorized],
  ['a session value as an API token', 'GET /api/v1/prs', bearer('acme-cookie'), 401, unauthorized],
  ['an expired session', 'GET /api/v1/repos', expiredSession, 401, unauthorized],
  ['a session in its last millisecond', 'GET /api/v1/findings/d4', lastMomentSession, 200, 'd4 prCount 3'],
  ['an expired API token', 'GET /api/v1/prs', expiredToken, 401, unauthorized],
  ['an API token in its last millisecond', 'GET /api/v1/findings/d4', lastMomentToken, 200, 'd4 prCount 3'],
  ['a revoked API token', 'GET /api/v1/prs', revokedToken, 401, unauthorized],
  [
    'the scheme bearer in lower case',
    'GET /api/v1/findings/d4',
    headers({ Authorization: 'bearer acme-token' }),
    200,
    'd4 prCount 3',
  ],
  [
    'an API token with the scheme Token',
    'GET /api/v1/prs',
    headers({ Authorization: 'Token acme-token' }),
    401,
    unauthorized,
  ],
  [
    'an API token without a scheme',
    'GET /api/v1/prs',
    headers({ Authorization: 'acme-token' }),
    401,
    unauthorized,
  ],
  [
    'the session cookie between other cookies',
    'GET /api/v1/findings/d4',
    headers({ Cookie: 'a=b; session=acme-cookie; c=d' }),
    200,
    'd4 prCount 3',
  ],
  [
    'a cookie of another name',
    'GET /api/v1/prs',
    headers({ Cookie: 'sessions=acme-cookie' }),
    401,
    unauthorized,
  ],
  [
    'prs: a valid API token takes precedence over a valid session',
    'GET /api/v1/prs?limit=1',
    both('other-cookie', 'acme-token'),
    200,
    ['d3', '1/1 7/7'],
  ],
  [
    'prs: a valid session counts beside an expired API token',
    'GET /api/v1/prs?limit=1',
    both('acme-cookie', 'acme-token-expired'),
    200,
    ['d3', '1/1 7/7'],
  ],
  [
    'prs: an expired session beside a revoked API token',
    'GET /api/v1/prs?limit=1',
    both('acme-expired', 'acme-token-revoked'),
    401,
    unauthorized,
  ],

  // Which error wins if there are several
  ['an unknown path without credentials', 'GET /api/v1/nope', none, 404, notFound],
  ['a wrong method without credentials', 'POST /api/v1/prs', none, 405, notAllowed],
  ['an invalid parameter without credentials', 'GET /api/v1/findings?page=0', none, 401, unauthorized],
  ['an unknown finding without credentials', 'GET /api/v1/findings/nope', none, 401, unauthorized],

  // Paths must match exactly
  ['a path with a trailing slash', 'GET /api/v1/repos/', session, 404, notFound],
  ['a path in another letter case', 'GET /API/v1/repos', session, 404, notFound],
  ['a path below a finding', 'GET /api/v1/findings/d1/prs', session, 404, notFound],
  ['a path of another version', 'GET /api/v2/repos', session, 404, notFound],
  ['the path of the API itself', 'GET /api/v1', session, 404, notFound],
  ['a path outside the API', 'GET /nowhere', none, 404, notFound],

  // Methods other than GET (contract 1, rule 4)
  ['POST on a finding', 'POST /api/v1/findings/d1', session, 405, notAllowed],
  ['PUT on a finding', 'PUT /api/v1/findings/d1', session, 405, notAllowed],
  ['PATCH on a finding', 'PATCH /api/v1/findings/d1', session, 405, notAllowed],
  ['DELETE on a finding', 'DELETE /api/v1/findings/d1', session, 405, notAllowed],
];

const api = sharedServer(test, [acme, other, nobody]);

for (const [title, request, credentials, status, body] of table) {
  test(`${title}: ${request} → ${status}`, async (t) => {
    const [method = '', path = ''] = request.split(' ');
    const answer = await api.ask(path, { ...credentials, method });
    t.deepEqual({ status: answer.status, body: shown(answer.body) }, { status, body });
    t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  });
}

const idOf = (row: unknown): unknown => Object(row).id;

const shown = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.map(idOf);
  const { items, page, limit, totalItems, totalPages, id, prCount } = Object(body);
  if (Array.isArray(items))
    return [items.map(idOf).join(' '), `${page}/${limit} ${totalItems}/${totalPages}`];
  return id === undefined ? body : `${id} prCount ${prCount}`;
};

test('a scanned repository in full', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { body } = await ask('/api/v1/repos', session);
  t.deepEqual(Object(body)[0], {
    id: 'web',
    owner: 'émile',
    repo: 'web',
    defaultBranch: 'main',
    isDemoRow: false,
    lastScan: {
      id: 's1',
      startedAt: '2026-11-20T11:55:00.000Z',
      finishedAt: '2026-11-20T11:01:00.000Z',
      status: 'completed',
      findingsSeen: 3,
      draftsOpened: 1,
      error: null,
    },
    scanStatusBadge: 'ok',
    openPrCount: 2,
    status: 'clear',
    openAdvisoryCount: 1,
    lastScanAt: '2026-11-20T11:55:00.000Z',
    lastScanRelative: '5 minutes ago',
    hasOpenFixPr: true,
    openFixDraftId: 'd1',
    ownerInitial: 'É',
  });
});

test('of scans that started at the same time, the one with the greatest id is the last scan', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { lastScan, lastScanRelative, hasOpenFixPr, openFixDraftId, openAdvisoryCount } = Object(
    Object((await ask('/api/v1/repos', session)).body)[1],
  );
  t.is(lastScan.id, 's3');
  t.is(lastScan.error, 'no access');
  t.is(lastScanRelative, '3 days ago');
  t.deepEqual([hasOpenFixPr, openFixDraftId, openAdvisoryCount], [false, null, 1]);
});

test('a repository that was never scanned, in full', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { id, lastScan, lastScanAt, lastScanRelative, ownerInitial } = Object(
    Object((await ask('/api/v1/repos', session)).body)[4],
  );
  t.deepEqual(
    [id, lastScan, lastScanAt, lastScanRelative, ownerInitial],
    ['never-b', null, null, 'never', '株'],
  );
});

test('a finding has the same fields in a list and alone, where it also has prCount', async (t) => {
  const { ask } = await serve(t, [acme]);
  const finding = aDraft('d3', 'web', {
    advisoryId: 'GHSA-2',
    status: 'resolved',
    discoveredAt: '2026-11-19T12:00:00.000Z',
  });
  t.deepEqual((await ask('/api/v1/findings?limit=1', session)).body, {
    items: [finding],
    page: 1,
    limit: 1,
    totalItems: 5,
    totalPages: 5,
  });
  t.deepEqual((await ask('/api/v1/findings/d3', session)).body, { ...finding, prCount: 1 });
});

test('a pull request in full', async (t) => {
  const { ask } = await serve(t, [acme]);
  t.deepEqual(Object((await ask('/api/v1/prs?status=merged', session)).body).items, [
    {
      id: 'd3',
      repoId: 'web',
      repo: { owner: 'émile', repo: 'web' },
      advisoryId: 'GHSA-2',
      package: 'lodash',
      fromVersion: '4.17.15',
      toVersion: '4.17.21',
      branch: 'triage/lodash-4.17.21',
      hasCodemod: false,
      codemodSummary: '',
      ciStatus: 'passing',
      prUrl: 'https://github.example/acme/web/pull/1',
      prState: 'merged',
      createdAt: '2026-11-20T01:00:00.000Z',
      updatedAt: '2026-11-19T13:00:00.000Z',
      reconciledAt: null,
    },
  ]);
});

test('each of two tenants with the same finding id gets its own finding', async (t) => {
  const { ask } = await serve(t, [acme, other]);
  t.is(Object((await ask('/api/v1/findings/d1', session)).body).package, 'lodash');
  t.is(Object((await ask('/api/v1/findings/d1', cookie('other-cookie'))).body).package, 'others-package');
});

test('an unknown finding and one of another tenant get byte-identical responses', async (t) => {
  const { ask } = await serve(t, [acme, other]);
  const unknown = await ask('/api/v1/findings/others-drafx', token);
  const foreign = await ask('/api/v1/findings/others-draft', token);
  const headers = (answer: Readonly<{ headers: Headers }>) =>
    Array.from(answer.headers).filter(([name]) => !['date', 'x-request-id'].includes(name));
  t.is(foreign.text, unknown.text);
  t.deepEqual(headers(foreign), headers(unknown));
});
