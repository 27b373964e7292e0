import { everyRow, isAt, type Mutant, pages, requests, sessionOf } from '../../_mutation.js';

/** Data of other tenants (contract, section 5, rule 6). */
export const isolationMutants: readonly Mutant[] = [
  [
    'foreign-rows: every tenant sees the same repositories',
    requests((incoming) =>
      isAt('repos', incoming) && sessionOf(incoming) === 'large-session'
        ? { headers: { Cookie: 'session=boundary-session' } }
        : {},
    ),
    'isolation.repos',
  ],
  [
    'foreign-rows: a finding of another tenant in our list',
    async (incoming, real) => {
      const other =
        isAt('findings', incoming) && sessionOf(incoming) === 'boundary-session'
          ? await everyRow(
              { ...incoming, request: { ...incoming.request, headers: { Cookie: 'session=large-session' } } },
              real,
            )
          : [];
      return pages('findings', (page) => ({
        ...page,
        items: [...other.slice(-1), ...page.items.slice(other.length > 0 ? 1 : 0)],
      }))(incoming, real);
    },
    'isolation.findings',
  ],
  [
    'foreign-rows: a pull request of another tenant in our list',
    async (incoming, real) => {
      const other =
        isAt('prs', incoming) && sessionOf(incoming) === 'boundary-session' && incoming.query.size === 2
          ? await everyRow(
              { ...incoming, request: { ...incoming.request, headers: { Cookie: 'session=large-session' } } },
              real,
            )
          : [];
      return pages('prs', (page) => ({
        ...page,
        items: [...page.items.slice(other.length > 0 ? 1 : 0), ...other.slice(-1)],
      }))(incoming, real);
    },
    'isolation.prs',
  ],
  [
    'foreign-finding: findings of another tenant by their id',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      return isAt('finding', incoming) && answer.status === 404 && sessionOf(incoming) === 'boundary-session'
        ? real({ ...incoming.request, headers: { Cookie: 'session=large-session' } })
        : answer;
    },
    'isolation.finding',
  ],
  [
    'foreign-finding: findings of another tenant by their id, with a token',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      return isAt('finding', incoming) && answer.status === 404 && incoming.request.headers.Authorization
        ? real({ ...incoming.request, headers: { Authorization: 'Bearer large-token' } })
        : answer;
    },
    'isolation.finding-by-token',
  ],
  [
    'foreign-id: findings of another tenant are 403',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      const isForeign =
        isAt('finding', incoming) && answer.status === 404 && !incoming.path.includes('verify');
      return isForeign ? { ...answer, status: 403, text: '{"error":"Forbidden"}' } : answer;
    },
    'isolation.finding',
    'isolation.finding-by-token',
  ],
  [
    'foreign-repo: findings by the repoId of another tenant',
    requests((incoming) =>
      isAt('findings', incoming) &&
      incoming.query.get('repoId')?.startsWith('repo_') &&
      sessionOf(incoming) === 'boundary-session' &&
      incoming.query.size === 1
        ? { headers: { Cookie: 'session=large-session' } }
        : {},
    ),
    'isolation.findings.repo-id',
  ],
  [
    'foreign-repo: prs by the repoId of another tenant',
    requests((incoming) =>
      isAt('prs', incoming) && incoming.query.size === 1 && incoming.query.has('repoId')
        ? { headers: { Cookie: 'session=large-session' } }
        : {},
    ),
    'isolation.prs.repo-id',
  ],
  [
    'foreign-token: all tokens belong to one tenant',
    requests((incoming) =>
      incoming.request.headers.Authorization === 'Bearer large-token'
        ? { headers: { ...incoming.request.headers, Authorization: 'Bearer boundary-token' } }
        : {},
    ),
    'isolation.prs.by-token',
  ],
  [
    'foreign-repo: prs by the repoId of another tenant, with a token',
    requests((incoming) =>
      isAt('prs', incoming) &&
      incoming.request.headers.Authorization === 'Bearer boundary-token' &&
      incoming.query.get('repoId')?.startsWith('repo_') &&
      incoming.query.size === 1
        ? { headers: { Cookie: 'session=large-session' } }
        : {},
    ),
    'isolation.prs.repo-id-by-token',
  ],
];
