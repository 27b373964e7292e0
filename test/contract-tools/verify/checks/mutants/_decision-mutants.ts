import {
  answers,
  bodies,
  everyRow,
  failures,
  isAt,
  type Mutant,
  pages,
  rows,
  without,
} from '../../_mutation.js';
import { findingsBy, prsBy } from '../../_orders.js';
import { emptyScan } from '../../_values.js';

/** Servers that keep the contract and decide differently where it is silent: no check fails, these differ. */
export const decisionMutants: readonly Mutant<string>[] = [
  [
    'totalPages is at least 1',
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
      answer.status === 200 && Number(query.get('limit')) > 100
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
  ['an additional field', rows('prs', (row) => ({ ...row, title: 'Bump' })), 'prs.no-further-fields'],
  [
    'an additional field in the envelope',
    pages('findings', (page) => ({ ...page, hasMore: true })),
    'findings.envelope.no-further-fields',
  ],
  [
    'ownerInitial in lower case',
    rows('repos', (row) => ({ ...row, ownerInitial: String(row.ownerInitial).toLowerCase() })),
    'decisions.owner-initial',
  ],
  [
    'prCount does not count closed pull requests',
    rows('finding', (row) => ({ ...row, prCount: 0 })),
    'finding.pr-count',
  ],
  [
    'never scanned repositories first',
    bodies('repos', (body) =>
      [...Object(body)].sort((l, r) => Number(l.lastScan !== null) - Number(r.lastScan !== null)),
    ),
    'decisions.never-scanned-last',
  ],
  [
    'a scan without dates for repositories that were never scanned',
    rows('repos', (row) => (row.lastScan === null ? { ...row, lastScan: emptyScan } : row)),
    'decisions.never-scanned',
  ],
  [
    'another message for other paths',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      return answer.status === 404 && !isAt('finding', incoming)
        ? { ...answer, text: '{"error":"No such path","path":"…"}' }
        : answer;
    },
    'decisions.other-paths',
  ],
  [
    'a list of errors for a refusal',
    answers('all', (answer) =>
      answer.status === 400 ? { ...answer, text: '{"errors":["limit"]}' } : answer,
    ),
    'decisions.error-bodies',
  ],
  [
    'HEAD is refused',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      return incoming.request.method === 'HEAD' ? { ...answer, status: 405 } : answer;
    },
    'decisions.head',
  ],
  [
    'the cookie decides if both are sent',
    async (incoming, real) => {
      const { Authorization, ...headers } = incoming.request.headers;
      const isBoth = Authorization !== undefined && headers.Cookie !== undefined && isAt('prs', incoming);
      return real(isBoth ? { ...incoming.request, headers } : incoming.request);
    },
    'credentials.listPrs.bearer-and-invalid-cookie',
  ],
  [
    'no ETag',
    answers('findings', (answer) => ({
      ...answer,
      headers: Object.fromEntries(
        Object.entries(without(answer.headers, 'etag')).map(([name, value]) => [name, String(value)]),
      ),
    })),
    'decisions.etag',
  ],
  ['an additional field in repos', rows('repos', (row) => ({ ...row, url: '' })), 'repos.no-further-fields'],
  [
    'an additional field in a scan',
    rows('repos', (row) =>
      row.lastScan === null ? row : { ...row, lastScan: { ...Object(row.lastScan), by: 'cron' } },
    ),
    'repos.no-further-fields',
  ],
  [
    'an additional field in findings',
    rows('findings', (row) => ({ ...row, cvss: 9 })),
    'findings.no-further-fields',
  ],
  [
    'an additional field in the detail',
    rows('finding', (row) => ({ ...row, cvss: 9 })),
    'finding.no-further-fields',
  ],
  [
    'an additional field in the envelope of prs',
    pages('prs', (page) => ({ ...page, next: null })),
    'prs.envelope.no-further-fields',
  ],
  [
    'an invalid token is refused even next to a valid cookie',
    async (incoming, real) => {
      const { Authorization = '' } = incoming.request.headers;
      const isInvalid =
        Authorization.includes('verify') && (isAt('finding', incoming) || isAt('prs', incoming));
      return real(isInvalid ? { ...incoming.request, headers: { Authorization } } : incoming.request);
    },
    'credentials.getFinding.cookie-and-invalid-bearer',
    'credentials.listPrs.cookie-and-invalid-bearer',
  ],
  [
    'an invalid cookie is refused even next to a valid token',
    async (incoming, real) => {
      const { Cookie = '' } = incoming.request.headers;
      const isInvalid = Cookie.includes('verify') && isAt('finding', incoming);
      return real(isInvalid ? { ...incoming.request, headers: { Cookie } } : incoming.request);
    },
    'credentials.getFinding.bearer-and-invalid-cookie',
  ],
  ['findings: the oldest first', findingsBy((all) => all.toReversed()), 'decisions.order-of-findings'],
  ['prs: the oldest first', prsBy((all) => all.toReversed()), 'decisions.order-of-prs'],
  [
    'openFixDraftId is that of the open pull request updated first',
    async (incoming, real) => {
      const { Cookie = '' } = incoming.request.headers;
      const request = { ...incoming.request, headers: { Cookie } };
      const prs = isAt('repos', incoming)
        ? await everyRow({ ...incoming, request, path: '/api/v1/prs' }, real)
        : [];
      const open = prs.filter(({ prState }) => prState === 'open');
      const earliest = (id: unknown): unknown =>
        open
          .filter(({ repoId }) => repoId === id)
          .sort((l, r) => (String(l.updatedAt) < String(r.updatedAt) ? -1 : 1))[0]?.id ?? null;
      return rows('repos', (row) => ({ ...row, openFixDraftId: earliest(row.id) }))(incoming, real);
    },
    'decisions.open-fix-draft',
  ],
  [
    'resolved advisories count, too',
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
    'an additional field that changes all the time',
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
