import test from 'ava';
import { bearer, cookie, sharedServer } from '../_server.js';
import { acme, other } from './_world.js';

/**
 * What is HTTP in the API, in one table: request, credentials, status and body. A request without a method is
 * a GET below /api/v1. Lists are written as the ids of their items and, with pages,
 * `page/limit totalItems/totalPages`; a finding as its id and its `prCount`. Order, pages, filters and totals
 * are compared with the model in `test/model`; what a parameter takes is in `test/contract`. The server has
 * the tenants `acme` and `other`; credentials without a name of another tenant are those of `acme`.
 */
const headers = (named: Readonly<Record<string, string>>): RequestInit => ({ headers: named });

const none = headers({});
const session = cookie('acme-cookie');
const token = bearer('acme-token');
const lastMomentSession = cookie('acme-last-moment');
const lastMomentToken = bearer('acme-token-last-moment');
const authorization = (value: string): RequestInit => headers({ Authorization: value });
const both = (cookieValue: string, value: string): RequestInit =>
  headers({ Cookie: `session=${cookieValue}`, Authorization: value });

const error = (message: string): unknown => ({ error: message });
const unauthorized = error('Unauthorized');
const noFinding = error('finding not found');
const notFound = error('Not found');
const notAllowed = error('Method not allowed');
const noPage = (got: string) => `page: expected a whole number from 1 to 9007199254740991, got "${got}"`;
const noStatus = 'status: expected one of open, merged, closed, got "y"';
const twice = error('repoId was given twice; give it once');
const thrice = error('limit was given 3 times; give it once');
const allRepos = ['web', 'api', 'tied', 'never-a', 'never-b'];
const d4 = 'd4 prCount 3';

type Row = readonly [title: string, request: string, credentials: RequestInit, status: number, body: unknown];

const table: readonly Row[] = [
  // Repositories (contract 4.1)
  ['repos ignore an unknown parameter', 'repos?page=2', session, 200, allRepos],

  // Findings (contract 4.2)
  ['a list of findings', 'findings', session, 200, ['d3 d1 d2 d4 a/b c%d', '1/25 5/1']],
  [
    'the greatest page',
    `findings?page=${2 ** 53 - 1}&limit=100`,
    session,
    200,
    ['', `${2 ** 53 - 1}/100 5/1`],
  ],

  // One finding (contract 4.3)
  ['a finding by session', 'findings/d4', session, 200, d4],
  ['a finding by API token', 'findings/d2', token, 200, 'd2 prCount 1'],
  ['a finding without pull requests', 'findings/a%2Fb%20c%25d', token, 200, 'a/b c%d prCount 0'],
  ['an unknown finding', 'findings/nope', token, 404, noFinding],
  ['a finding id with malformed percent-encoding', 'findings/%zz', token, 404, noFinding],
  ['a finding id that is a property of every object', 'findings/__proto__', token, 404, noFinding],

  // Pull requests (contract 4.4), shown by the id of their draft
  ['a list of pull requests', 'prs', session, 200, ['d3 d1 d2 d1 d4 d4 d4', '1/25 7/1']],

  // Invalid parameters
  ['page below 1', 'findings?page=0', session, 400, error(noPage('0'))],
  ['repoId given twice, once without a value', 'prs?repoId=web&repoId', session, 400, twice],
  ['limit given three times', 'prs?limit=5&limit=5&limit=5', session, 400, thrice],
  ['two invalid parameters', 'prs?page=x&status=y', session, 400, error(`${noPage('x')}; ${noStatus}`)],

  // Credentials (contract 5)
  ['repos without credentials', 'repos', none, 401, unauthorized],
  ['findings without credentials', 'findings', none, 401, unauthorized],
  ['a finding without credentials', 'findings/d1', none, 401, unauthorized],
  ['prs without credentials', 'prs', none, 401, unauthorized],
  ['repos do not accept an API token', 'repos', token, 401, unauthorized],
  ['findings do not accept an API token', 'findings', token, 401, unauthorized],
  [
    'repos ignore a token of another tenant',
    'repos',
    both('acme-cookie', 'Bearer other-token'),
    200,
    allRepos,
  ],
  ['findings ignore odd headers', 'findings?limit=1', both('acme-cookie', 'Basic !'), 200, ['d3', '1/1 5/5']],
  ['an unknown session', 'repos', cookie('nope'), 401, unauthorized],
  ['an API token in the session cookie', 'repos', cookie('acme-token'), 401, unauthorized],
  ['a session value as an API token', 'prs', bearer('acme-cookie'), 401, unauthorized],
  ['an expired session', 'repos', cookie('acme-expired'), 401, unauthorized],
  ['a session in its last millisecond', 'findings/d4', lastMomentSession, 200, d4],
  ['an expired API token', 'prs', bearer('acme-token-expired'), 401, unauthorized],
  ['an API token in its last millisecond', 'findings/d4', lastMomentToken, 200, d4],
  ['a revoked API token', 'prs', bearer('acme-token-revoked'), 401, unauthorized],
  ['the scheme bearer in lower case', 'findings/d4', authorization('bearer acme-token'), 200, d4],
  ['an API token with the scheme Token', 'prs', authorization('Token acme-token'), 401, unauthorized],
  ['an API token without a scheme', 'prs', authorization('acme-token'), 401, unauthorized],
  ['a cookie between others', 'findings/d4', headers({ Cookie: 'a=b; session=acme-cookie; c=d' }), 200, d4],
  ['a cookie of another name', 'prs', headers({ Cookie: 'sessions=acme-cookie' }), 401, unauthorized],
  [
    'a token beside a session',
    'prs?limit=1',
    both('other-cookie', 'Bearer acme-token'),
    200,
    ['d3', '1/1 7/7'],
  ],
  [
    'a session beside an expired token',
    'prs?limit=1',
    both('acme-cookie', 'Bearer acme-token-expired'),
    200,
    ['d3', '1/1 7/7'],
  ],
  ['both ended', 'prs', both('acme-expired', 'Bearer acme-token-revoked'), 401, unauthorized],

  // Which error wins if there are several
  ['an unknown path without credentials', 'nope', none, 404, notFound],
  ['a wrong method without credentials', 'POST /api/v1/prs', none, 405, notAllowed],
  ['an invalid parameter without credentials', 'findings?page=0', none, 401, unauthorized],
  ['an unknown finding without credentials', 'findings/nope', none, 401, unauthorized],

  // Paths must match exactly
  ['a path with a trailing slash', 'repos/', session, 404, notFound],
  ['a path with an encoded letter', '%72epos', session, 404, notFound],
  ['a finding without an id', 'findings/', session, 404, notFound],
  ['a path in another letter case', 'GET /API/v1/repos', session, 404, notFound],
  ['a path below a finding', 'findings/d1/prs', session, 404, notFound],
  ['the path of the API itself', 'GET /api/v1', session, 404, notFound],
  ['a path outside the API', 'GET /nowhere', none, 404, notFound],

  // Methods other than GET (contract 1, rule 4)
  ['POST on a finding', 'POST /api/v1/findings/d1', session, 405, notAllowed],
  ['DELETE on a finding', 'DELETE /api/v1/findings/d1', session, 405, notAllowed],
];

const api = sharedServer(test, [acme, other]);

for (const [title, request, credentials, status, body] of table) {
  test(`${title}: ${request} → ${status}`, async (t) => {
    const [method = '', path = ''] = request.includes(' ')
      ? request.split(' ')
      : ['GET', `/api/v1/${request}`];
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
  const unknown = await api.ask('/api/v1/findings/others-drafx', token);
  const foreign = await api.ask('/api/v1/findings/others-draft', token);
  const headers = (answer: Readonly<{ headers: Headers }>) =>
    Array.from(answer.headers).filter(([name]) => !['date', 'x-request-id'].includes(name));
  t.is(foreign.text, unknown.text);
  t.deepEqual(headers(foreign), headers(unknown));
});
