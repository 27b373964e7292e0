import test from 'ava';
import { bearer, cookie, serve } from '../_server.js';
import { acme, nobody, other } from './_world.js';

/**
 * The whole API in one table: who asks for what, and the answer. A list is shown by the ids of its items and its figures
 * as `page/limit total/pages`; whole items stand further below.
 */
const session = cookie('acme-cookie');
const token = bearer('acme-token');
const both = (cookieValue: string, tokenValue: string): RequestInit => ({
  headers: { Cookie: `session=${cookieValue}`, Authorization: `Bearer ${tokenValue}` },
});

const unauthorized = { error: 'Unauthorized' };
const noFinding = { error: 'finding not found' };
const notFound = { error: 'Not found' };
const notAllowed = { error: 'Method not allowed' };
const whole = 'expected a whole number from 1 to 9007199254740991, got';
const size = 'expected a whole number from 1 to 9007199254740991 (above 100 counts as 100), got';

type Row = readonly [what: string, path: string, init: RequestInit, status: number, answer: unknown];

const table: readonly Row[] = [
  // Repos (contract 4.1): the most recent scan first, ties by id, never scanned last
  ['repos', '/api/v1/repos', session, 200, ['web', 'api', 'tied', 'never-a', 'never-b']],
  ['repos of a tenant without any', '/api/v1/repos', cookie('nobody-cookie'), 200, []],
  ['repos of another tenant', '/api/v1/repos', cookie('other-cookie'), 200, ['secret-repo', 'web']],
  [
    'repos with an unknown parameter',
    '/api/v1/repos?page=2',
    session,
    200,
    ['web', 'api', 'tied', 'never-a', 'never-b'],
  ],

  // Findings (contract 4.2): discoveredAt descending, then id ascending
  ['findings', '/api/v1/findings', session, 200, ['d3 d1 d2 d4 a/b c%d', '1/25 5/1']],
  ['findings of nobody', '/api/v1/findings', cookie('nobody-cookie'), 200, ['', '1/25 0/0']],
  ['a page', '/api/v1/findings?limit=2', session, 200, ['d3 d1', '1/2 5/3']],
  ['the next', '/api/v1/findings?limit=2&page=2', session, 200, ['d2 d4', '2/2 5/3']],
  ['the last', '/api/v1/findings?limit=2&page=3', session, 200, ['a/b c%d', '3/2 5/3']],
  ['one beyond the last', '/api/v1/findings?limit=2&page=4', session, 200, ['', '4/2 5/3']],
  [
    'one far beyond',
    '/api/v1/findings?limit=100&page=9007199254740991',
    session,
    200,
    ['', '9007199254740991/100 5/1'],
  ],
  [
    'more than a page takes',
    '/api/v1/findings?limit=1000',
    session,
    200,
    ['d3 d1 d2 d4 a/b c%d', '1/100 5/1'],
  ],
  ['findings of a repo', '/api/v1/findings?repoId=web', session, 200, ['d3 d1 d2', '1/25 3/1']],
  ['of a repo without any', '/api/v1/findings?repoId=tied', session, 200, ['', '1/25 0/0']],
  ['of an unknown repo', '/api/v1/findings?repoId=nope', session, 200, ['', '1/25 0/0']],
  ['of somebody else’s repo', '/api/v1/findings?repoId=secret-repo', session, 200, ['', '1/25 0/0']],
  ['of the empty repo id', '/api/v1/findings?repoId=', session, 200, ['', '1/25 0/0']],
  [
    'severity narrows the page, not the totals',
    '/api/v1/findings?severity=low',
    session,
    200,
    ['d2', '1/25 5/1'],
  ],
  ['status likewise', '/api/v1/findings?status=resolved', session, 200, ['d3', '1/25 5/1']],
  ['both must hold', '/api/v1/findings?severity=high&status=escalated', session, 200, ['d4', '1/25 5/1']],
  ['the page is cut first', '/api/v1/findings?limit=2&severity=low', session, 200, ['', '1/2 5/3']],
  ['and narrowed then', '/api/v1/findings?limit=2&page=2&severity=low', session, 200, ['d2', '2/2 5/3']],
  ['repo narrows the totals', '/api/v1/findings?repoId=web&severity=low', session, 200, ['d2', '1/25 3/1']],

  // One finding (contract 4.3)
  ['a finding by cookie', '/api/v1/findings/d4', session, 200, 'd4 prCount 3'],
  ['a finding by token', '/api/v1/findings/d2', token, 200, 'd2 prCount 1'],
  ['a finding without pull requests', '/api/v1/findings/a%2Fb%20c%25d', token, 200, 'a/b c%d prCount 0'],
  ['an unknown finding', '/api/v1/findings/nope', token, 404, noFinding],
  ['somebody else’s finding', '/api/v1/findings/others-draft', token, 404, noFinding],
  ['an id in another case', '/api/v1/findings/D1', token, 404, noFinding],
  ['an id that is a pull request’s', '/api/v1/findings/p1', token, 404, noFinding],
  ['an id that is no URL encoding', '/api/v1/findings/%zz', token, 404, noFinding],
  ['an id of the language', '/api/v1/findings/__proto__', token, 404, noFinding],

  // Pull requests (contract 4.4): createdAt descending, then the pull request's id; shown by the draft's id
  ['prs', '/api/v1/prs', session, 200, ['d3 d1 d2 d1 d4 d4 d4', '1/25 7/1']],
  ['prs by token', '/api/v1/prs?limit=3&page=2', token, 200, ['d1 d4 d4', '2/3 7/3']],
  ['open', '/api/v1/prs?status=open', token, 200, ['d1 d2', '1/25 2/1']],
  ['merged', '/api/v1/prs?status=merged', token, 200, ['d3', '1/25 1/1']],
  ['closed: also cancelled, and none', '/api/v1/prs?status=closed', token, 200, ['d1 d4 d4', '1/25 3/1']],
  ['filters count', '/api/v1/prs?status=closed&limit=2&page=2', token, 200, ['d4', '2/2 3/2']],
  ['prs of a repo', '/api/v1/prs?repoId=api', token, 200, ['d4 d4 d4', '1/25 3/1']],
  ['of a repo and a status', '/api/v1/prs?repoId=web&status=closed', token, 200, ['d1', '1/25 1/1']],
  ['of an unknown repo', '/api/v1/prs?repoId=nope&status=open', token, 200, ['', '1/25 0/0']],
  ['of somebody else’s repo', '/api/v1/prs?repoId=secret-repo', token, 200, ['', '1/25 0/0']],
  ['prs of a status nobody has', '/api/v1/prs?status=merged', cookie('other-cookie'), 200, ['', '1/25 0/0']],

  // Parameters that do not fit
  ['page 0', '/api/v1/findings?page=0', session, 400, { error: `page: ${whole} "0"` }],
  ['page empty', '/api/v1/prs?page=', session, 400, { error: `page: ${whole} ""` }],
  [
    'page beyond exactness',
    '/api/v1/prs?page=9007199254740992',
    session,
    400,
    { error: `page: ${whole} "9007199254740992"` },
  ],
  ['limit 1.5', '/api/v1/findings?limit=1.5', session, 400, { error: `limit: ${size} "1.5"` }],
  ['limit 1e2', '/api/v1/prs?limit=1e2', session, 400, { error: `limit: ${size} "1e2"` }],
  [
    'severity',
    '/api/v1/findings?severity=High',
    session,
    400,
    { error: 'severity: expected one of critical, high, medium, low, got "High"' },
  ],
  [
    'status of findings',
    '/api/v1/findings?status=open',
    session,
    400,
    { error: 'status: expected one of pending, drafting, escalated, resolved, got "open"' },
  ],
  [
    'status of prs',
    '/api/v1/prs?status=cancelled',
    session,
    400,
    { error: 'status: expected one of open, merged, closed, got "cancelled"' },
  ],
  [
    'twice',
    '/api/v1/findings?limit=5&limit=5',
    session,
    400,
    { error: 'limit was given twice; give it once' },
  ],
  [
    'twice, once empty',
    '/api/v1/prs?repoId=web&repoId',
    session,
    400,
    { error: 'repoId was given twice; give it once' },
  ],
  [
    'all that is wrong',
    '/api/v1/prs?page=x&status=y',
    session,
    400,
    { error: `page: ${whole} "x"; status: expected one of open, merged, closed, got "y"` },
  ],

  // Credentials (contract 5)
  ['none for repos', '/api/v1/repos', {}, 401, unauthorized],
  ['none for findings', '/api/v1/findings', {}, 401, unauthorized],
  ['none for a finding', '/api/v1/findings/d1', {}, 401, unauthorized],
  ['none for prs', '/api/v1/prs', {}, 401, unauthorized],
  ['a token where only the cookie counts', '/api/v1/repos', token, 401, unauthorized],
  ['there too', '/api/v1/findings', token, 401, unauthorized],
  [
    'a stranger’s token beside the cookie is not read',
    '/api/v1/repos',
    both('acme-cookie', 'other-token'),
    200,
    ['web', 'api', 'tied', 'never-a', 'never-b'],
  ],
  [
    'nor is nonsense',
    '/api/v1/findings?limit=1',
    { headers: { Cookie: 'session=acme-cookie', Authorization: 'Basic !' } },
    200,
    ['d3', '1/1 5/5'],
  ],
  ['an unknown cookie', '/api/v1/repos', cookie('nope'), 401, unauthorized],
  ['a token as a cookie', '/api/v1/repos', cookie('acme-token'), 401, unauthorized],
  ['a cookie as a token', '/api/v1/prs', bearer('acme-cookie'), 401, unauthorized],
  ['an expired cookie', '/api/v1/repos', cookie('acme-expired'), 401, unauthorized],
  [
    'a cookie in its last millisecond',
    '/api/v1/findings/d4',
    cookie('acme-last-moment'),
    200,
    'd4 prCount 3',
  ],
  ['an expired token', '/api/v1/prs', bearer('acme-token-expired'), 401, unauthorized],
  [
    'a token in its last millisecond',
    '/api/v1/findings/d4',
    bearer('acme-token-last-moment'),
    200,
    'd4 prCount 3',
  ],
  ['a revoked token', '/api/v1/prs', bearer('acme-token-revoked'), 401, unauthorized],
  [
    'the scheme in lower case',
    '/api/v1/findings/d4',
    { headers: { Authorization: 'bearer acme-token' } },
    200,
    'd4 prCount 3',
  ],
  ['another scheme', '/api/v1/prs', { headers: { Authorization: 'Token acme-token' } }, 401, unauthorized],
  [
    'a token without a scheme',
    '/api/v1/prs',
    { headers: { Authorization: 'acme-token' } },
    401,
    unauthorized,
  ],
  [
    'a cookie among others',
    '/api/v1/findings/d4',
    { headers: { Cookie: 'a=b; session=acme-cookie; c=d' } },
    200,
    'd4 prCount 3',
  ],
  [
    'a cookie of another name',
    '/api/v1/prs',
    { headers: { Cookie: 'sessions=acme-cookie' } },
    401,
    unauthorized,
  ],
  [
    'a valid token decides',
    '/api/v1/prs?limit=1',
    both('other-cookie', 'acme-token'),
    200,
    ['d3', '1/1 7/7'],
  ],
  [
    'else a valid cookie',
    '/api/v1/prs?limit=1',
    both('acme-cookie', 'acme-token-expired'),
    200,
    ['d3', '1/1 7/7'],
  ],
  ['else neither', '/api/v1/prs?limit=1', both('acme-expired', 'acme-token-revoked'), 401, unauthorized],

  // Which error comes first: unknown path, wrong method, who asks, what is asked, whether it exists
  ['unknown path before credentials', '/api/v1/nope', {}, 404, notFound],
  ['wrong method before credentials', '/api/v1/prs', { method: 'POST' }, 405, notAllowed],
  ['credentials before parameters', '/api/v1/findings?page=0', {}, 401, unauthorized],
  ['credentials before existence', '/api/v1/findings/nope', {}, 401, unauthorized],

  // Paths count to the letter
  ['a slash more', '/api/v1/repos/', session, 404, notFound],
  ['another case', '/API/v1/repos', session, 404, notFound],
  ['a path below a finding', '/api/v1/findings/d1/prs', session, 404, notFound],
  ['another version', '/api/v2/repos', session, 404, notFound],
  ['the API itself', '/api/v1', session, 404, notFound],
  ['another place', '/nowhere', {}, 404, notFound],

  // Methods other than GET (contract 1, rule 4)
  ...(['POST', 'PUT', 'PATCH', 'DELETE'] as const).map(
    (method): Row => [method, '/api/v1/findings/d1', { ...session, method }, 405, notAllowed],
  ),
];

for (const [what, path, init, status, expected] of table) {
  test(`${init.method ?? 'GET'} ${path}: ${what} → ${status}`, async (t) => {
    const { ask } = await serve(t, [acme, other, nobody]);
    const answer = await ask(path, init);
    t.deepEqual({ status: answer.status, body: shown(answer.body) }, { status, body: expected });
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

test('of scans that tie, the greatest id is the last', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { lastScan, lastScanRelative, hasOpenFixPr, openFixDraftId, openAdvisoryCount } = Object(
    Object((await ask('/api/v1/repos', session)).body)[1],
  );
  t.is(lastScan.id, 's3');
  t.is(lastScan.error, 'no access');
  t.is(lastScanRelative, '3 days ago');
  t.deepEqual([hasOpenFixPr, openFixDraftId, openAdvisoryCount], [false, null, 1]);
});

test('a repository that was never scanned', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { id, lastScan, lastScanAt, lastScanRelative, ownerInitial } = Object(
    Object((await ask('/api/v1/repos', session)).body)[4],
  );
  t.deepEqual(
    [id, lastScan, lastScanAt, lastScanRelative, ownerInitial],
    ['never-b', null, null, 'never', '株'],
  );
});

test('a finding in a list and in full: the same, and prCount', async (t) => {
  const { ask } = await serve(t, [acme]);
  const finding = {
    id: 'd3',
    repoId: 'web',
    advisoryId: 'GHSA-2',
    package: 'lodash',
    ecosystem: 'npm',
    vulnerableRange: '< 4.17.21',
    fixedRange: '>= 4.17.21',
    severity: 'high',
    reachability: 0.5,
    exploitSignal: 0.25,
    status: 'resolved',
    ciStatus: 'none',
    discoveredAt: '2026-11-19T12:00:00.000Z',
    updatedAt: '2026-11-18T13:00:00.000Z',
    reconciledAt: null,
  };
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

test('an id that two tenants have shows each its own', async (t) => {
  const { ask } = await serve(t, [acme, other]);
  t.is(Object((await ask('/api/v1/findings/d1', session)).body).package, 'lodash');
  t.is(Object((await ask('/api/v1/findings/d1', cookie('other-cookie'))).body).package, 'others-package');
});

test('an unknown finding and somebody else’s are answered with the same bytes', async (t) => {
  const { ask } = await serve(t, [acme, other]);
  const unknown = await ask('/api/v1/findings/others-drafx', token);
  const foreign = await ask('/api/v1/findings/others-draft', token);
  const headers = (answer: Readonly<{ headers: Headers }>) =>
    Array.from(answer.headers).filter(([name]) => name !== 'date');
  t.is(foreign.text, unknown.text);
  t.deepEqual(headers(foreign), headers(unknown));
});
