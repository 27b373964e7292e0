import type { Mutant } from '../_mutant.js';
import { answers, bodies, failures, isAt, pages, rows, without } from '../_mutation.js';

/** Servers that keep the contract and decide otherwise where it is silent: nothing may fail, these differ. */
export const decisionMutants: readonly Mutant[] = [
  [
    'one page of nothing',
    pages('prs', (page) => ({ ...page, totalPages: Math.max(1, page.totalPages) })),
    'decisions.no-pages-of-nothing',
  ],
  [
    'a page beyond the last is 404',
    answers('findings', (answer, { query }) =>
      query.get('page') === '1000000' ? { ...answer, status: 404, text: '{"error":"Not found"}' } : answer,
    ),
    'decisions.page-beyond-last',
  ],
  [
    'a limit above the maximum is refused',
    answers('findings', (answer, { query }) =>
      Number(query.get('limit')) > 100
        ? { ...answer, status: 400, text: '{"error":"limit: at most 100"}' }
        : answer,
    ),
    'decisions.limit-above-maximum',
  ],
  [
    '422 instead of 400',
    failures('prs', 400, { status: 422 }),
    'decisions.not-whole-numbers',
    'decisions.parameter-twice',
    'decisions.unknown-words',
  ],
  [
    'no WWW-Authenticate',
    answers('prs', (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } })),
    'decisions.challenge',
  ],
  [
    'no caching',
    answers('findings', (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } })),
    'decisions.etag',
    'decisions.private',
  ],
  ['a further field', rows('prs', (row) => ({ ...row, title: 'Bump' })), 'prs.no-further-fields'],
  [
    'a further field in the envelope',
    pages('findings', (page) => ({ ...page, hasMore: true })),
    'findings.envelope.no-further-fields',
  ],
  [
    'ownerInitial in lower case',
    rows('repos', (row) => ({ ...row, ownerInitial: String(row.ownerInitial).toLowerCase() })),
    'decisions.owner-initial',
  ],
  ['prCount without those closed', rows('finding', (row) => ({ ...row, prCount: 0 })), 'finding.pr-count'],
  [
    'never scanned repositories first',
    bodies('repos', (body) =>
      [...Object(body)].sort((l, r) => Number(l.lastScan !== null) - Number(r.lastScan !== null)),
    ),
    'decisions.never-scanned-last',
  ],
  [
    'a scan without dates where there was none',
    rows('repos', (row) =>
      row.lastScan === null
        ? {
            ...row,
            lastScan: {
              id: '',
              startedAt: null,
              finishedAt: null,
              status: 'none',
              findingsSeen: 0,
              draftsOpened: 0,
              error: null,
            },
          }
        : row,
    ),
    'decisions.never-scanned',
  ],
  [
    'HTML for other paths',
    async (asked, real) => {
      const answer = await real(asked.request);
      return answer.status === 404 && !isAt('finding', asked)
        ? { ...answer, text: '<h1>Not found</h1>', headers: { 'content-type': 'text/html' } }
        : answer;
    },
    'decisions.other-paths',
  ],
  [
    'HEAD is not taken',
    async (asked, real) => {
      const answer = await real(asked.request);
      return asked.request.method === 'HEAD' ? { ...answer, status: 405 } : answer;
    },
    'decisions.head',
  ],
  [
    'the cookie decides where both are sent',
    async (asked, real) => {
      const { Authorization, ...headers } = asked.request.headers;
      const isBoth = Authorization !== undefined && headers.Cookie !== undefined && isAt('prs', asked);
      return real(isBoth ? { ...asked.request, headers } : asked.request);
    },
    'credentials.listPrs.bearer-and-invalid-cookie',
  ],
  [
    'no ETag among the rest',
    answers('findings', (answer) => ({
      ...answer,
      headers: Object.fromEntries(
        Object.entries(without(answer.headers, 'etag')).map(([name, value]) => [name, String(value)]),
      ),
    })),
    'decisions.etag',
  ],
];
