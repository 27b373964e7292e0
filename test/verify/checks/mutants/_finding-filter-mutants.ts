import {
  answers,
  bodyOf,
  everyRow,
  having,
  isAt,
  lists,
  type Mutant,
  pages,
  queries,
} from '../../_mutation.js';
import { repoIdBy } from '../../_values.js';

/** Filters of findings (contract, section 4.2). */
export const findingFilterMutants: readonly Mutant[] = [
  [
    'findings: totals after the filter',
    lists('findings', (all, query) =>
      all.filter(having(query, 'repoId')).filter(having(query, 'severity')).filter(having(query, 'status')),
    ),
    'findings.filtered-totals',
    'findings.filter-after-paging',
  ],
  [
    'findings: filtered before paging, totals right',
    async (incoming, real) => {
      const narrowed = lists('findings', (all, query) =>
        all.filter(having(query, 'repoId')).filter(having(query, 'severity')).filter(having(query, 'status')),
      );
      const answer = await narrowed(incoming, real);
      if (!isAt('findings', incoming) || answer.status !== 200 || incoming.request.method !== 'GET')
        return answer;
      const { items } = bodyOf(answer);
      return pages('findings', (page) => ({ ...page, items }))(incoming, real);
    },
    'findings.filter-after-paging',
  ],
  [
    'findings: severity ignored',
    queries('findings', (query) => query.delete('severity')),
    'findings.severity',
    'findings.severity-and-status',
  ],
  [
    'findings: status ignored',
    queries('findings', (query) => query.delete('status')),
    'findings.severity-and-status',
    'findings.status',
  ],
  [
    'findings: either severity or status',
    queries('findings', (query) => query.has('severity') && query.delete('status')),
    'findings.severity-and-status',
  ],
  [
    'findings: status escalated unknown',
    answers('findings', (answer, { query }) =>
      query.get('status') === 'escalated' ? { ...answer, status: 400, text: '{"error":"status"}' } : answer,
    ),
    'findings.filtered-totals',
    'findings.parameters',
    'findings.status',
  ],
  [
    'findings: totals ignore repoId',
    async (incoming, real) => {
      const total = isAt('findings', incoming) ? (await everyRow(incoming, real)).length : 0;
      return pages('findings', (page) => ({
        ...page,
        totalItems: total,
        totalPages: Math.ceil(total / page.limit),
      }))(incoming, real);
    },
    'findings.repo-id',
    'findings.repo-id-unknown',
  ],
  [
    'findings: repoId ignored',
    queries('findings', (query) => query.delete('repoId')),
    'findings.repo-id',
    'findings.repo-id-unknown',
  ],
  [
    'findings: repoId in any letter case',
    repoIdBy('findings', (id, repoId) => id.toLowerCase() === repoId.toLowerCase()),
    'findings.repo-id-exact',
  ],
  [
    'findings: repoId out of scope is 404',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      const isEmpty =
        isAt('findings', incoming) && incoming.query.has('repoId') && bodyOf(answer).totalItems === 0;
      return isEmpty ? { ...answer, status: 404, text: '{"error":"Not found"}' } : answer;
    },
    'findings.repo-id-exact',
    'findings.repo-id-unknown',
    'isolation.findings.repo-id',
  ],
  ...['severity', 'status'].map(
    (name): Mutant => [
      `findings: with repoId and the largest pages, ${name} is ignored`,
      queries(
        'findings',
        (query) => query.has('repoId') && query.get('limit') === '100' && query.delete(name),
      ),
      'findings.repo-id-and-filter',
    ],
  ),
];
