import type { HttpResponse } from '../../../src/client/fetch-send.js';
import { FindingStatus, PrStatus, Severity } from '../../../src/contract/enums.js';
import {
  answers,
  answersIf,
  asStatus,
  authorizationOf,
  bodyOf,
  elsewhere,
  emptyScan,
  envelopes,
  failures,
  field,
  findingsBy,
  type IncomingRequest,
  isAt,
  type Mutation,
  neverScanned,
  prsBy,
  queries,
  type Row,
  refusal,
  repoList,
  requests,
  rows,
  scans,
  sessionOf,
  several,
  sorted,
  text,
  texts,
} from '../_mutation.js';

/**
 * A server that keeps the contract and differs from ours where the contract is silent: its name, how, and the
 * checks at level `info` that notice it.
 */
type RightServer = readonly [name: string, mutation: Mutation, ...differs: readonly string[]];

/** Servers that the same checks notice, by their names. */
const noticedBy = (
  differs: readonly string[],
  servers: Readonly<Record<string, Mutation>>,
): readonly RightServer[] => Object.entries(servers).map(([name, mutation]) => [name, mutation, ...differs]);

/** Responses with other headers. */
const withHeaders = (headers: Readonly<Record<string, string>>): Mutation =>
  answers('all', (answer) => ({ ...answer, headers: { ...answer.headers, ...headers } }));

/** Uses the default instead of a value that is no whole number from 1. */
const defaulting = (place: 'findings' | 'prs', ...names: readonly string[]): Mutation =>
  queries(place, (query) => {
    for (const name of query.getAll('page').length < 2 ? names : [])
      if (!/^[1-9]\d*$/.test(query.get(name) ?? '1')) query.delete(name);
  });

/** Uses another limit instead of one. */
const limited = (place: 'findings' | 'prs', limit: string, used: string): Mutation =>
  queries(place, (query) => query.get('limit') === limit && query.set('limit', used));

/** Whether severity and status have values that the contract lists. */
const isListed = (query: URLSearchParams, statuses: Readonly<Record<string, unknown>>): boolean =>
  Object.hasOwn(Severity.keys, query.get('severity') ?? 'low') &&
  (!query.has('status') || Object.hasOwn(statuses, query.get('status') ?? ''));

const isBeyond = (answer: HttpResponse): boolean => {
  const { page, totalPages } = bodyOf(answer);
  return answer.status === 200 && Number(page) > 1 && Number(page) > Number(totalPages);
};

/** Answers a method other than GET. */
const method =
  (name: string, answer: HttpResponse): Mutation =>
  async (incoming, real) =>
    incoming.request.method === name ? answer : real(incoming.request);

/** Another text for the same JSON. */
const written = (write: (body: unknown) => string): Mutation =>
  texts('all', (json) => write(JSON.parse(json)));

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

/** The score of findings, in the list and in the detail. */
const score = (name: string, change: (value: unknown) => number): Mutation =>
  several(field('findings', name, change), field('finding', name, change));

const decisions = (...names: readonly string[]) => names.map((name) => `decisions.${name}`);

const parameters: readonly RightServer[] = [
  ...noticedBy(decisions('error-bodies'), {
    'a refusal has a code, too': failures('all', 400, { text: '{"error":"limit","code":"E_LIMIT"}' }),
    'a refusal is a problem document': failures('all', 400, {
      headers: { 'content-type': 'application/problem+json' },
      text: '{"type":"about:blank","title":"Bad Request","status":400,"detail":"limit"}',
    }),
    'a refusal has no body': failures('all', 400, { headers: {}, text: '' }),
  }),
  ...noticedBy(decisions('not-whole-numbers', 'parameter-twice', 'unknown-words'), {
    'a refusal is a 422': failures('all', 400, { status: 422 }),
  }),
  ...noticedBy(decisions('not-whole-numbers'), {
    'findings: a page that is no number counts as 1': defaulting('findings', 'page'),
    'findings: a limit that is no number counts as 25': defaulting('findings', 'limit'),
    'prs: pages and limits that are no numbers count as the defaults': defaulting('prs', 'page', 'limit'),
    'a limit of 0 counts as 1': limited('prs', '0', '1'),
    'a limit with a fraction is rounded down': limited('findings', '1.5', '1'),
  }),
  ...noticedBy(decisions('limit-above-maximum'), {
    'a limit above the maximum counts as 25': queries(
      'findings',
      (query) => Number(query.get('limit')) > 100 && query.delete('limit'),
    ),
    'a limit above the maximum is refused': answersIf('all', ({ query }, { status }) =>
      status === 200 && Number(query.get('limit')) > 100 ? refusal(400, 'limit: at most 100') : {},
    ),
  }),
  ...noticedBy(decisions('page-beyond-last'), {
    'a page beyond the last is 404': answersIf('findings', (_, answer) =>
      isBeyond(answer) ? refusal(404, 'no such page') : {},
    ),
    'a page beyond the last says page 1': envelopes('findings', ({ page, totalPages }) =>
      page > Math.max(1, totalPages) ? { page: 1, items: [] } : {},
    ),
    'a page beyond the last is the last one': answers('prs', (answer, { request }, real) => {
      const { page, totalPages } = bodyOf(answer);
      const last = Math.max(1, Number(totalPages));
      const target = request.target.replace(/page=\d+/, `page=${last}`);
      return Number(page) > last ? real({ ...request, target }) : answer;
    }),
  }),
  ...noticedBy(decisions('unknown-words'), {
    'a word that is not listed is ignored': queries('findings', (query) => {
      for (const name of isListed(query, FindingStatus.keys) ? [] : ['severity', 'status'])
        query.delete(name);
    }),
    'a word that is not listed finds nothing': requests((incoming) =>
      isAt('prs', incoming) && !isListed(incoming.query, PrStatus.keys)
        ? { target: `${incoming.path}?repoId=none` }
        : {},
    ),
    'words in any letter case are understood': queries('findings', (query) => {
      for (const name of ['severity', 'status'])
        if (query.has(name)) query.set(name, (query.get(name) ?? '').toLowerCase());
    }),
    'the stored word "cancelled" is understood as closed': queries(
      'prs',
      (query) => query.get('status') === 'cancelled' && query.set('status', 'closed'),
    ),
  }),
  ...noticedBy(decisions('parameter-twice'), {
    'of a parameter that is given twice, the first counts': queries('findings', (query) =>
      query.set('page', query.get('page') ?? '1'),
    ),
    'of a parameter that is given twice, the last counts': queries('prs', (query) =>
      query.set('page', query.getAll('page').at(-1) ?? '1'),
    ),
  }),
  ...noticedBy(decisions('unknown-parameter'), {
    'a parameter that no operation has is refused': answersIf('all', ({ query }, { status }) =>
      status === 200 && query.has('triage-api-verify') ? refusal(400, 'unknown parameter') : {},
    ),
  }),
  ...noticedBy(decisions('no-pages-of-nothing'), {
    'an empty list has one page': envelopes('all', ({ totalPages }) => ({
      totalPages: Math.max(1, totalPages),
    })),
  }),
];

/** Each row says when it was served. */
const servedAt = (): Mutation => {
  let moment = 0;
  return rows('all', (row) => {
    moment += 1;
    return { ...row, servedAt: moment };
  });
};

const values: readonly RightServer[] = [
  ...noticedBy(decisions('never-scanned'), {
    'never scanned: a scan without dates': neverScanned({ lastScan: emptyScan }),
    'never scanned: a scan that has an end but no start': neverScanned({
      lastScan: { ...emptyScan, finishedAt: '2026-11-20T12:00:00.000Z' },
    }),
    'never scanned: another word': neverScanned({ lastScanRelative: '—' }),
    'lastScanRelative in short': field('repos', 'lastScanRelative', () => '3d'),
  }),
  ...noticedBy(decisions('never-scanned-last'), {
    'never scanned: they come first': repoList((all) =>
      sorted(all, ({ lastScan }) => String(lastScan !== null)),
    ),
  }),
  ...noticedBy(decisions('open-fix-draft'), {
    'no open fix: an empty openFixDraftId': field('repos', 'openFixDraftId', (id) => id ?? ''),
  }),
  ...noticedBy(decisions('owner-initial'), {
    'ownerInitial of two letters': field('repos', 'ownerInitial', (_, { owner }) => text(owner).slice(0, 2)),
  }),
  ...noticedBy(decisions('open-advisories'), {
    'openAdvisoryCount counts findings': field('repos', 'openAdvisoryCount', (count) => Number(count) * 2),
  }),
  ...noticedBy(['finding.pr-count'], { 'prCount counts none': field('finding', 'prCount', () => 0) }),
  ...noticedBy([], {
    'other words for badges': rows('repos', (row) => ({ ...row, scanStatusBadge: '', status: 'OK' })),
    'repositories with equal scans in another order': repoList((all) =>
      sorted(all, ({ lastScanAt }) => text(lastScanAt ?? '')).toReversed(),
    ),
    'scores in percent': score('reachability', (value) => 100 * Number(value)),
    'scores below zero': score('exploitSignal', () => -1),
    'prState as the filter names it': field('prs', 'prState', asStatus),
  }),
  ...noticedBy(
    ['finding', 'findings', 'prs', 'repos'].map((place) => `${place}.no-further-fields`),
    {
      'further fields in rows': rows('all', (row) => ({ ...row, url: 'https://triage.example', tags: [] })),
      'a further field in rows that changes all the time': servedAt(),
    },
  ),
  ...noticedBy(['repos.no-further-fields'], { 'further fields in scans': scans(() => ({ by: 'cron' })) }),
  ...noticedBy(['findings.envelope.no-further-fields', 'prs.envelope.no-further-fields'], {
    'further fields in pages': envelopes('all', () => ({ hasMore: false, links: {} })),
  }),
];

const byFields =
  (...names: readonly string[]) =>
  (all: readonly Row[]): readonly Row[] =>
    sorted(all, (row) => names.map((name) => text(row[name])).join(' '));

const reversedIf = (isReversed: boolean, all: readonly Row[]) => (isReversed ? all.toReversed() : all);

const orders: readonly RightServer[] = [
  ...noticedBy([], {
    'findings: pages of an odd size are in another order': findingsBy((all, query) =>
      reversedIf(Number(query.get('limit') ?? 25) % 2 === 1, all),
    ),
    'findings in another order with repoId': findingsBy((all, query) =>
      query.has('repoId') ? byFields('package', 'id')(all) : all,
    ),
    'pull requests in another order with status': prsBy((all, query) => reversedIf(query.has('status'), all)),
    'pull requests in another order with repoId and status': prsBy((all, query) =>
      reversedIf(query.has('status') && query.has('repoId'), all),
    ),
  }),
  ...noticedBy(decisions('order-of-findings'), {
    'findings by severity': findingsBy(byFields('severity', 'id')),
  }),
  ...noticedBy(decisions('order-of-prs'), {
    'pull requests by package': prsBy(byFields('package', 'branch', 'createdAt', 'prUrl')),
  }),
];

/** Changes responses to requests that no operation answers. */
const unknown = (
  change: Partial<HttpResponse>,
  isMeant: (incoming: IncomingRequest) => boolean = () => true,
) => elsewhere((answer, incoming) => (answer.status === 404 && isMeant(incoming) ? change : {}));

const http: readonly RightServer[] = [
  ...noticedBy([], {
    'strangers are answered 401 at unknown paths': unknown(
      refusal(401, 'Unauthorized'),
      ({ request }) => !request.headers.Cookie,
    ),
    'OPTIONS is not allowed': method('OPTIONS', { status: 405, headers: {}, text: '<h1>405</h1>' }),
    'OPTIONS allows GET': method('OPTIONS', { status: 204, headers: { allow: 'GET' }, text: '' }),
    'no charset': withHeaders({ 'content-type': 'application/json' }),
    'the content type in capitals': withHeaders({ 'content-type': 'Application/JSON;charset=UTF-8' }),
    'a content type of its own, which ends in +json': withHeaders({
      'content-type': 'application/vnd.triage.v1+json',
    }),
    'limits of the rate, a cookie and a request id in headers': withHeaders({
      'ratelimit-remaining': '7',
      'set-cookie': 'seen=1',
      'x-request-id': 'r1',
    }),
    'another challenge': withHeaders({ 'www-authenticate': 'Session realm="x"' }),
    'indented JSON with a line break at its end': written((body) => `${JSON.stringify(body, null, 2)}\r\n`),
    'keys in another order': written((body) => JSON.stringify(sortedKeys(body))),
    'every character of a string escaped': written((body) =>
      JSON.stringify(body).replaceAll(/"(?:[^"\\]|\\.)*"/g, escaped),
    ),
    'whole numbers with a fraction of zero': written((body) =>
      JSON.stringify(body).replaceAll(/(":)(\d+)(?=[,}])/g, '$1$2.0'),
    ),
  }),
  ...noticedBy(decisions('other-paths'), {
    'unknown paths are answered without a body': unknown({ headers: {}, text: '' }),
    'unknown paths are answered with a problem document': unknown({
      headers: { 'content-type': 'application/problem+json' },
      text: '{"title":"Not Found","status":404}',
    }),
  }),
  ...noticedBy(decisions('head'), {
    'HEAD is not allowed': method('HEAD', { status: 405, headers: { allow: 'GET' }, text: '' }),
  }),
  ...noticedBy(decisions('challenge', 'etag', 'private'), {
    'only a content type': answersIf('all', () => ({
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })),
  }),
  ...noticedBy(['credentials.listPrs.bearer-and-invalid-cookie'], {
    'the cookie decides if both are sent': requests((incoming) => {
      const { Authorization: _, ...headers } = incoming.request.headers;
      return isAt('prs', incoming) && sessionOf(incoming) !== '' ? { headers } : {};
    }),
  }),
  ...noticedBy(
    ['getFinding', 'listPrs'].flatMap((id) => [
      `credentials.${id}.bearer-and-invalid-cookie`,
      `credentials.${id}.cookie-and-invalid-bearer`,
    ]),
    {
      'an invalid credential is refused even next to a valid one': requests((incoming) =>
        (isAt('finding', incoming) || isAt('prs', incoming)) &&
        (sessionOf(incoming) + authorizationOf(incoming)).includes('verify')
          ? { headers: {} }
          : {},
      ),
    },
  ),
];

const everything: readonly RightServer[] = [...parameters, ...values, ...orders, ...http];

/** One server made of several. */
const together = (name: string, ...names: readonly string[]): RightServer => {
  const some = everything.filter(([each]) => names.includes(each));
  return [
    `several at once: ${name}`,
    several(...some.map(([, mutation]) => mutation)),
    ...new Set(some.flatMap(([, , ...differs]) => differs)),
  ];
};

/** Servers that choose otherwise than ours in every place where the contract is silent. */
export const rightServers: readonly RightServer[] = [
  ...everything,
  together(
    'values, orders and texts',
    'findings by severity',
    'pull requests in another order with status',
    'never scanned: a scan that has an end but no start',
    'no open fix: an empty openFixDraftId',
    'further fields in rows',
    'prCount counts none',
    'keys in another order',
  ),
  together(
    'parameters and refusals',
    'a refusal is a problem document',
    'findings: a page that is no number counts as 1',
    'a limit above the maximum is refused',
    'a page beyond the last is 404',
    'a word that is not listed finds nothing',
    'an empty list has one page',
    'unknown paths are answered without a body',
  ),
];
