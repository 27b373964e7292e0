import type { Mutant } from '../_mutant.js';
import {
  answers,
  bodies,
  bodyOf,
  everyRow,
  failures,
  having,
  isAt,
  lists,
  pages,
  rows,
  without,
} from '../_mutation.js';
import { asStatus } from '../_values.js';

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
  ['a further field in repos', rows('repos', (row) => ({ ...row, url: '' })), 'repos.no-further-fields'],
  [
    'a further field in a scan',
    rows('repos', (row) =>
      row.lastScan === null ? row : { ...row, lastScan: { ...Object(row.lastScan), by: 'cron' } },
    ),
    'repos.no-further-fields',
  ],
  [
    'a further field in findings',
    rows('findings', (row) => ({ ...row, cvss: 9 })),
    'findings.no-further-fields',
  ],
  [
    'a further field in the detail',
    rows('finding', (row) => ({ ...row, cvss: 9 })),
    'finding.no-further-fields',
  ],
  [
    'a further field in the envelope of prs',
    pages('prs', (page) => ({ ...page, next: null })),
    'prs.envelope.no-further-fields',
  ],
  [
    'an invalid token is refused also beside a good cookie',
    async (asked, real) => {
      const { Authorization = '' } = asked.request.headers;
      const isInvalid = Authorization.includes('verify') && (isAt('finding', asked) || isAt('prs', asked));
      return real(isInvalid ? { ...asked.request, headers: { Authorization } } : asked.request);
    },
    'credentials.getFinding.cookie-and-invalid-bearer',
    'credentials.listPrs.cookie-and-invalid-bearer',
  ],
  [
    'an invalid cookie is refused also beside a good token',
    async (asked, real) => {
      const { Cookie = '' } = asked.request.headers;
      const isInvalid = Cookie.includes('verify') && isAt('finding', asked);
      return real(isInvalid ? { ...asked.request, headers: { Cookie } } : asked.request);
    },
    'credentials.getFinding.bearer-and-invalid-cookie',
  ],
  [
    'findings: the oldest first',
    async (asked, real) => {
      const answer = await lists('findings', (all, query) =>
        all.filter(having(query, 'repoId')).toReversed(),
      )(asked, real);
      const { items, ...figures } = bodyOf(answer);
      if (!isAt('findings', asked) || !Array.isArray(items)) return answer;
      const left = items.filter(having(asked.query, 'severity')).filter(having(asked.query, 'status'));
      return { ...answer, text: JSON.stringify({ items: left, ...figures }) };
    },
    'decisions.order-of-findings',
  ],
  [
    'prs: the oldest first',
    lists('prs', (all, query) =>
      all
        .filter(having(query, 'repoId'))
        .filter(({ prState }) => !query.has('status') || asStatus(prState) === query.get('status'))
        .toReversed(),
    ),
    'decisions.order-of-prs',
  ],
  [
    'openFixDraftId is that of the open pull request updated first',
    async (asked, real) => {
      const { Cookie = '' } = asked.request.headers;
      const request = { ...asked.request, headers: { Cookie } };
      const prs = isAt('repos', asked)
        ? await everyRow({ ...asked, request, path: '/api/v1/prs' }, real)
        : [];
      const open = prs.filter(({ prState }) => prState === 'open');
      const earliest = (id: unknown): unknown =>
        open
          .filter(({ repoId }) => repoId === id)
          .sort((l, r) => (String(l.updatedAt) < String(r.updatedAt) ? -1 : 1))[0]?.id ?? null;
      return rows('repos', (row) => ({ ...row, openFixDraftId: earliest(row.id) }))(asked, real);
    },
    'decisions.open-fix-draft',
  ],
  [
    'advisories that are resolved count, too',
    rows('repos', (row) => ({ ...row, openAdvisoryCount: Number(row.openAdvisoryCount) + 1 })),
    'decisions.open-advisories',
  ],
  [
    'unknown parameters are refused',
    answers('all', (answer, { query }) =>
      query.has('triage-api-verify')
        ? { ...answer, status: 400, text: '{"error":"unknown parameter"}' }
        : answer,
    ),
    'decisions.unknown-parameter',
  ],
  [
    'a further field that changes all the time',
    (() => {
      let moment = 0;
      return rows('all', (row) => {
        moment += 1;
        return { ...row, servedAt: moment };
      });
    })(),
    'finding.no-further-fields',
    'findings.no-further-fields',
    'prs.no-further-fields',
    'repos.no-further-fields',
  ],
];
