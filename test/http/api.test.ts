import test from 'ava';
import { bearer, cookie, serve, sharedServer } from '../_server.js';
import { acme, other } from './_world.js';

/**
 * What is HTTP in the API, in one table: method and path, credentials, status and body. Lists are written as
 * the ids of their items and, with pages, `page/limit totalItems/totalPages`; a finding as its id and its
 * `prCount`. Order, pages, filters and totals are compared with the model in `test/model`. The server has the
 * tenants `acme` and `other`; credentials without a name of another tenant are those of `acme`.
 */
const headers = (named: Readonly<Record<string, string>>): RequestInit => ({ headers: named });

const none = headers({});
const session = cookie('acme-cookie');
const token = bearer('acme-token');
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
  ['repos ignore an unknown parameter', 'GET /api/v1/repos?page=2', session, 200, allRepos],

  // Findings (contract 4.2)
  ['a list of findings', 'GET /api/v1/findings', session, 200, ['d3 d1 d2 d4 a/b c%d', '1/25 5/1']],
  [
    'the greatest page',
    'GET /api/v1/findings?limit=100&page=9007199254740991',
    session,
    200,
    ['', '9007199254740991/100 5/1'],
  ],

  // One finding (contract 4.3)
  ['a finding by session', 'GET /api/v1/findings/d4', session, 200, 'd4 prCount 3'],
  ['a finding by API token', 'GET /api/v1/findings/d2', token, 200, 'd2 prCount 1'],
  ['a finding without pull requests', 'GET /api/v1/findings/a%2Fb%20c%25d', token, 200, 'a/b c%d prCount 0'],
  ['an unknown finding', 'GET /api/v1/findings/nope', token, 404, noFinding],
  ['a finding id with malformed percent-encoding', 'GET /api/v1/findings/%zz', token, 404, noFinding],
  [
    'a finding id that is a property of every object',
    'GET /api/v1/findings/__proto__',
    token,
    404,
    noFinding,
  ],

  // Pull requests (contract 4.4), shown by the id of their draft
  ['a list of pull requests', 'GET /api/v1/prs', session, 200, ['d3 d1 d2 d1 d4 d4 d4', '1/25 7/1']],

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

const api = sharedServer(test, [acme, other]);

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

test('an unknown finding and one of another tenant get byte-identical responses', async (t) => {
  const { ask } = await serve(t, [acme, other]);
  const unknown = await ask('/api/v1/findings/others-drafx', token);
  const foreign = await ask('/api/v1/findings/others-draft', token);
  const headers = (answer: Readonly<{ headers: Headers }>) =>
    Array.from(answer.headers).filter(([name]) => !['date', 'x-request-id'].includes(name));
  t.is(foreign.text, unknown.text);
  t.deepEqual(headers(foreign), headers(unknown));
});
