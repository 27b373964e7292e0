import type { HttpResponse } from '../../../../src/client/fetch-send.js';
import {
  answers,
  bodies,
  bodyOf,
  failures,
  type IncomingRequest,
  isAt,
  type Mutation,
  pages,
  queries,
  type Row,
  rows,
} from '../_mutation.js';
import { findingsBy, prsBy } from '../_orders.js';
import { asStatus, emptyScan, scanOf, text } from '../_values.js';

/** A server that keeps the contract and differs from ours where the contract is silent: its name, and how. */
export type RightServer = readonly [name: string, mutation: Mutation];

const json = 'application/json; charset=utf-8';

/** A response with other headers. */
const withHeaders = (answer: HttpResponse, headers: Readonly<Record<string, string>>): HttpResponse => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

/** Changes a parameter whose value the contract does not list. */
const unlisted = (place: 'findings' | 'prs', change: (query: URLSearchParams) => void): Mutation =>
  queries(place, (query) => {
    if (query.getAll('page').length < 2) change(query);
  });

const isWhole = (value: string | null): boolean => value === null || /^[1-9]\d*$/.test(value);

/** Uses the default instead of a value that is no whole number from 1. */
const defaulting = (place: 'findings' | 'prs', ...names: readonly string[]): Mutation =>
  unlisted(place, (query) => {
    for (const name of names) if (!isWhole(query.get(name))) query.delete(name);
  });

const listed = {
  severity: ['critical', 'high', 'medium', 'low'],
  findings: ['pending', 'drafting', 'escalated', 'resolved'],
  prs: ['open', 'merged', 'closed'],
};

const isListed = (place: 'findings' | 'prs', query: URLSearchParams): boolean =>
  (!query.has('severity') || listed.severity.includes(query.get('severity') ?? '')) &&
  (!query.has('status') || listed[place].includes(query.get('status') ?? ''));

/** A page beyond the last one of a list that is right otherwise. */
const beyond = (
  place: 'findings' | 'prs',
  change: (answer: HttpResponse, incoming: IncomingRequest) => HttpResponse,
): Mutation =>
  answers(place, (answer, incoming) => {
    const { page, totalPages } = bodyOf(answer);
    return answer.status === 200 && Number(page) > 1 && Number(page) > Number(totalPages)
      ? change(answer, incoming)
      : answer;
  });

const byField =
  (...fields: readonly string[]) =>
  (all: readonly Row[]): readonly Row[] =>
    all.toSorted((left, right) => {
      const [l, r] = [left, right].map((row) => fields.map((field) => text(row[field])).join(' '));
      return (l ?? '') < (r ?? '') ? -1 : 1;
    });

/** Changes responses to requests that no operation answers. */
const elsewhere =
  (change: (answer: HttpResponse, incoming: IncomingRequest) => HttpResponse): Mutation =>
  async (incoming, real) => {
    const answer = await real(incoming.request);
    return answer.status === 404 && (!isAt('all', incoming) || /findings\/.+\//.test(incoming.path))
      ? change(answer, incoming)
      : answer;
  };

/** Answers a method other than GET. */
const method =
  (name: string, answer: HttpResponse): Mutation =>
  async (incoming, real) =>
    incoming.request.method === name ? answer : real(incoming.request);

/** Another text for the same JSON. */
const written = (write: (body: unknown) => string): Mutation =>
  answers('all', (answer) => ({ ...answer, text: write(JSON.parse(answer.text)) }));

const sortedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? 1 : -1))
      .map(([key, inner]) => [key, sortedKeys(inner)]),
  );
};

/** A string of JSON in which every character is escaped. */
const escaped = (literal: string): string =>
  `"${String(JSON.parse(literal))
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')}"`;

/** Repositories that were never scanned. */
const neverScanned = (change: (row: Row) => Row): Mutation =>
  rows('repos', (row) => (row.lastScan === null ? change(row) : row));

const refusal = (change: Partial<HttpResponse>): Mutation => failures('all', 400, change);

/** One server made of several. */
const together = (mutations: readonly Mutation[]): Mutation =>
  mutations.reduce(
    (inner, outer): Mutation =>
      (incoming, real) =>
        outer(incoming, (request) => {
          const { pathname, searchParams } = new URL(request.target, 'http://right.test');
          return inner({ request, path: pathname, query: searchParams }, real);
        }),
  );

const refusals: readonly RightServer[] = [
  ['a refusal has a code, too', refusal({ text: '{"error":"limit","code":"E_LIMIT"}' })],
  ['a refusal has no field error', refusal({ text: '{"message":"limit","statusCode":400}' })],
  ['a refusal lists its errors', refusal({ text: '[{"path":["limit"],"message":"must be an integer"}]' })],
  [
    'a refusal is a problem document',
    refusal({
      headers: { 'content-type': 'application/problem+json' },
      text: '{"type":"about:blank","title":"Bad Request","status":400,"detail":"limit"}',
    }),
  ],
  ['a refusal has no body', refusal({ headers: {}, text: '' })],
  ['a refusal is a 422', refusal({ status: 422 })],
  ['a refusal is a 404', refusal({ status: 404, text: '{"error":"Not found"}' })],
];

const parameters: readonly RightServer[] = [
  ['findings: a page that is no number counts as 1', defaulting('findings', 'page')],
  ['findings: a limit that is no number counts as 25', defaulting('findings', 'limit')],
  ['prs: pages and limits that are no numbers count as the defaults', defaulting('prs', 'page', 'limit')],
  [
    'a limit of 0 counts as 1',
    unlisted('prs', (query) => query.get('limit') === '0' && query.set('limit', '1')),
  ],
  [
    'a limit with a fraction is rounded down',
    unlisted('findings', (query) => query.get('limit') === '1.5' && query.set('limit', '1')),
  ],
  [
    'a limit above the maximum counts as 25',
    queries('findings', (query) => Number(query.get('limit')) > 100 && query.delete('limit')),
  ],
  [
    'a limit above the maximum is refused',
    answers('all', (answer, { query }) =>
      answer.status === 200 && Number(query.get('limit')) > 100
        ? { ...answer, status: 400, text: '{"error":"limit: at most 100"}' }
        : answer,
    ),
  ],
  [
    'a page beyond the last is 404',
    beyond('findings', (answer) => ({ ...answer, status: 404, text: '{"error":"no such page"}' })),
  ],
  [
    'a page beyond the last is refused',
    beyond('prs', (answer) => ({ ...answer, status: 400, text: '{"error":"page"}' })),
  ],
  [
    'a page beyond the last says page 1',
    beyond('findings', (answer) => ({
      ...answer,
      text: JSON.stringify({ ...bodyOf(answer), page: 1, items: [] }),
    })),
  ],
  [
    'a page beyond the last is the last one',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      const { page, totalPages } = bodyOf(answer);
      if (!isAt('prs', incoming) || !(Number(page) > Math.max(1, Number(totalPages)))) return answer;
      const query = new URLSearchParams(incoming.query);
      query.set('page', String(Math.max(1, Number(totalPages))));
      return real({ ...incoming.request, target: `${incoming.path}?${query}` });
    },
  ],
  [
    'a word that is not listed is ignored',
    queries('findings', (query) => {
      if (isListed('findings', query)) return;
      query.delete('severity');
      query.delete('status');
    }),
  ],
  [
    'a word that is not listed finds nothing',
    async (incoming, real) =>
      real(
        isAt('prs', incoming) && !isListed('prs', incoming.query)
          ? { ...incoming.request, target: `${incoming.path}?repoId=none` }
          : incoming.request,
      ),
  ],
  [
    'words in any letter case are understood',
    queries('findings', (query) => {
      for (const name of ['severity', 'status'])
        if (query.has(name)) query.set(name, (query.get(name) ?? '').toLowerCase());
    }),
  ],
  [
    'the stored word "cancelled" is understood as closed',
    queries('prs', (query) => query.get('status') === 'cancelled' && query.set('status', 'closed')),
  ],
  [
    'of a parameter that is given twice, the first counts',
    queries('findings', (query) => query.set('page', query.get('page') ?? '1')),
  ],
  [
    'of a parameter that is given twice, the last counts',
    queries('prs', (query) => query.set('page', query.getAll('page').at(-1) ?? '1')),
  ],
  [
    'a parameter that no operation has is refused',
    answers('all', (answer, { query }) =>
      answer.status === 200 && query.has('triage-api-verify')
        ? { ...answer, status: 400, text: '{"error":"unknown parameter"}' }
        : answer,
    ),
  ],
  [
    'an empty list has one page',
    pages('all', (page) => ({ ...page, totalPages: Math.max(1, page.totalPages) })),
  ],
];

const values: readonly RightServer[] = [
  ['never scanned: a scan without dates', neverScanned((row) => ({ ...row, lastScan: emptyScan }))],
  [
    'never scanned: a scan that has an end but no start',
    neverScanned((row) => ({ ...row, lastScan: { ...emptyScan, finishedAt: '2026-11-20T12:00:00.000Z' } })),
  ],
  ['never scanned: another word', neverScanned((row) => ({ ...row, lastScanRelative: '—' }))],
  [
    'never scanned: they come first',
    bodies('repos', (body) =>
      [...Object(body)].sort((l: Row, r: Row) => Number(l.lastScan !== null) - Number(r.lastScan !== null)),
    ),
  ],
  [
    'no open fix: an empty openFixDraftId',
    rows('repos', (row) => ({ ...row, openFixDraftId: row.openFixDraftId ?? '' })),
  ],
  ['lastScanRelative in short', rows('repos', (row) => ({ ...row, lastScanRelative: '3d' }))],
  [
    'ownerInitial of two letters',
    rows('repos', (row) => ({ ...row, ownerInitial: text(row.owner).slice(0, 2) })),
  ],
  ['other words for badges', rows('repos', (row) => ({ ...row, scanStatusBadge: '', status: 'OK' }))],
  [
    'openAdvisoryCount counts findings',
    rows('repos', (row) => ({ ...row, openAdvisoryCount: Number(row.openAdvisoryCount) * 2 })),
  ],
  [
    'repositories with equal scans in another order',
    bodies('repos', (body) =>
      [...Object(body)].reverse().sort((l: Row, r: Row) => {
        const [left, right] = [text(l.lastScanAt ?? ''), text(r.lastScanAt ?? '')];
        return left < right ? 1 : left > right ? -1 : 0;
      }),
    ),
  ],
  ['prCount counts none', rows('finding', (row) => ({ ...row, prCount: 0 }))],
  [
    'scores in percent',
    together([
      rows('findings', (row) => ({ ...row, reachability: 100 * Number(row.reachability) })),
      rows('finding', (row) => ({ ...row, reachability: 100 * Number(row.reachability) })),
    ]),
  ],
  [
    'scores below zero',
    together([
      rows('findings', (row) => ({ ...row, exploitSignal: -1 })),
      rows('finding', (row) => ({ ...row, exploitSignal: -1 })),
    ]),
  ],
  ['prState as the filter names it', rows('prs', (row) => ({ ...row, prState: asStatus(row.prState) }))],
  ['further fields in rows', rows('all', (row) => ({ ...row, url: 'https://triage.example', tags: [] }))],
  [
    'further fields in scans',
    rows('repos', (row) =>
      row.lastScan === null ? row : { ...row, lastScan: { ...scanOf(row), by: 'cron' } },
    ),
  ],
  ['further fields in pages', pages('all', (page) => ({ ...page, hasMore: false, links: {} }))],
];

const orders: readonly RightServer[] = [
  ['findings by id', findingsBy(byField('id'))],
  ['findings by severity', findingsBy(byField('severity', 'id'))],
  [
    'findings in another order with repoId',
    findingsBy((all, query) => (query.has('repoId') ? byField('package', 'id')(all) : all)),
  ],
  ['pull requests by package', prsBy(byField('package', 'branch', 'createdAt', 'prUrl'))],
  [
    'pull requests in another order with status',
    prsBy((all, query) => (query.has('status') ? all.toReversed() : all)),
  ],
  [
    'pull requests in another order with repoId and status',
    prsBy((all, query) => (query.has('status') && query.has('repoId') ? all.toReversed() : all)),
  ],
];

const http: readonly RightServer[] = [
  [
    'strangers are answered 401 at unknown paths',
    elsewhere((answer, { request }) =>
      request.headers.Cookie ? answer : { ...answer, status: 401, text: '{"error":"Unauthorized"}' },
    ),
  ],
  [
    'unknown paths are answered without a body',
    elsewhere((answer) => ({ ...answer, headers: {}, text: '' })),
  ],
  [
    'unknown paths are answered with a problem document',
    elsewhere((answer) => ({
      ...withHeaders(answer, { 'content-type': 'application/problem+json' }),
      text: '{"title":"Not Found","status":404}',
    })),
  ],
  ['unknown paths are gone', elsewhere((answer) => ({ ...answer, status: 410, text: '{"error":"gone"}' }))],
  ['HEAD is not allowed', method('HEAD', { status: 405, headers: { allow: 'GET' }, text: '' })],
  ['HEAD is not implemented', method('HEAD', { status: 501, headers: {}, text: '' })],
  ['OPTIONS is not allowed', method('OPTIONS', { status: 405, headers: {}, text: '<h1>405</h1>' })],
  ['OPTIONS allows GET', method('OPTIONS', { status: 204, headers: { allow: 'GET' }, text: '' })],
  ['no charset', answers('all', (answer) => withHeaders(answer, { 'content-type': 'application/json' }))],
  [
    'the content type in capitals',
    answers('all', (answer) => withHeaders(answer, { 'content-type': 'Application/JSON;charset=UTF-8' })),
  ],
  [
    'a content type of its own, which ends in +json',
    answers('all', (answer) => withHeaders(answer, { 'content-type': 'application/vnd.triage.v1+json' })),
  ],
  ['only a content type', answers('all', (answer) => ({ ...answer, headers: { 'content-type': json } }))],
  [
    'limits of the rate, a cookie and a request id in headers',
    answers('all', (answer) =>
      withHeaders(answer, { 'ratelimit-remaining': '7', 'set-cookie': 'seen=1', 'x-request-id': 'r1' }),
    ),
  ],
  [
    'another challenge',
    answers('all', (answer) => withHeaders(answer, { 'www-authenticate': 'Session realm="x"' })),
  ],
];

const texts: readonly RightServer[] = [
  ['indented JSON with a line break at its end', written((body) => `${JSON.stringify(body, null, 2)}\r\n`)],
  ['keys in another order', written((body) => JSON.stringify(sortedKeys(body)))],
  [
    'every character of a string escaped',
    written((body) => JSON.stringify(body).replaceAll(/"(?:[^"\\]|\\.)*"/g, escaped)),
  ],
  [
    'whole numbers with a fraction of zero',
    written((body) => JSON.stringify(body).replaceAll(/(":)(\d+)(?=[,}])/g, '$1$2.0')),
  ],
];

const credentials: readonly RightServer[] = [
  [
    'the cookie decides if both are sent',
    async (incoming, real) => {
      const { Authorization, ...headers } = incoming.request.headers;
      const isBoth = Authorization !== undefined && headers.Cookie !== undefined && isAt('prs', incoming);
      return real(isBoth ? { ...incoming.request, headers } : incoming.request);
    },
  ],
  [
    'an invalid credential is refused even next to a valid one',
    async (incoming, real) => {
      const { headers } = incoming.request;
      const isInvalid =
        (isAt('finding', incoming) || isAt('prs', incoming)) &&
        Object.values(headers).some((value) => value.includes('verify'));
      return real(isInvalid ? { ...incoming.request, headers: {} } : incoming.request);
    },
  ],
];

const everything: readonly RightServer[] = [
  ...refusals,
  ...parameters,
  ...values,
  ...orders,
  ...http,
  ...texts,
  ...credentials,
];

const named = (...names: readonly string[]): Mutation =>
  together(everything.filter(([name]) => names.includes(name)).map(([, mutation]) => mutation));

/** Servers that choose otherwise than ours in every place where the contract is silent. */
export const rightServers: readonly RightServer[] = [
  ...everything,
  [
    'several at once: values, orders and texts',
    named(
      'findings by severity',
      'pull requests in another order with status',
      'never scanned: a scan that has an end but no start',
      'no open fix: an empty openFixDraftId',
      'further fields in rows',
      'prCount counts none',
      'keys in another order',
    ),
  ],
  [
    'several at once: parameters and refusals',
    named(
      'a refusal is a problem document',
      'findings: a page that is no number counts as 1',
      'a limit above the maximum is refused',
      'a page beyond the last is 404',
      'a word that is not listed finds nothing',
      'an empty list has one page',
      'unknown paths are answered without a body',
    ),
  ],
];
