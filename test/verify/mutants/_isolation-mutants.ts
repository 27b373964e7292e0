import type { Mutant } from '../_mutant.js';
import { everyRow, isAt, pages, requests, sessionOf } from '../_mutation.js';

/** What belongs to somebody else (contract, section 5, rule 6). */
export const isolationMutants: readonly Mutant[] = [
  [
    'everybody sees the same repositories',
    requests((asked) =>
      isAt('repos', asked) && sessionOf(asked) === 'large-session'
        ? { headers: { Cookie: 'session=boundary-session' } }
        : {},
    ),
    'isolation.repos',
  ],
  [
    'a finding of another tenant in our list',
    async (asked, real) => {
      const other =
        isAt('findings', asked) && sessionOf(asked) === 'boundary-session'
          ? await everyRow(
              { ...asked, request: { ...asked.request, headers: { Cookie: 'session=large-session' } } },
              real,
            )
          : [];
      return pages('findings', (page) => ({
        ...page,
        items: [...other.slice(-1), ...page.items.slice(other.length > 0 ? 1 : 0)],
      }))(asked, real);
    },
    'isolation.findings',
  ],
  [
    'a pull request of another tenant in our list',
    async (asked, real) => {
      const other =
        isAt('prs', asked) && sessionOf(asked) === 'boundary-session' && asked.query.size === 2
          ? await everyRow(
              { ...asked, request: { ...asked.request, headers: { Cookie: 'session=large-session' } } },
              real,
            )
          : [];
      return pages('prs', (page) => ({
        ...page,
        items: [...page.items.slice(other.length > 0 ? 1 : 0), ...other.slice(-1)],
      }))(asked, real);
    },
    'isolation.prs',
  ],
  [
    'findings of another tenant by their id',
    async (asked, real) => {
      const answer = await real(asked.request);
      return isAt('finding', asked) && answer.status === 404 && sessionOf(asked) === 'boundary-session'
        ? real({ ...asked.request, headers: { Cookie: 'session=large-session' } })
        : answer;
    },
    'isolation.finding',
  ],
  [
    'findings of another tenant by their id, with a token',
    async (asked, real) => {
      const answer = await real(asked.request);
      return isAt('finding', asked) && answer.status === 404 && asked.request.headers.Authorization
        ? real({ ...asked.request, headers: { Authorization: 'Bearer large-token' } })
        : answer;
    },
    'isolation.finding-by-token',
  ],
  [
    'findings of another tenant are 403',
    async (asked, real) => {
      const answer = await real(asked.request);
      const isForeign = isAt('finding', asked) && answer.status === 404 && !asked.path.includes('verify');
      return isForeign ? { ...answer, status: 403, text: '{"error":"Forbidden"}' } : answer;
    },
    'isolation.finding',
    'isolation.finding-by-token',
  ],
  [
    'findings by the repoId of another tenant',
    requests((asked) =>
      isAt('findings', asked) &&
      asked.query.get('repoId')?.startsWith('repo_') &&
      sessionOf(asked) === 'boundary-session' &&
      asked.query.size === 1
        ? { headers: { Cookie: 'session=large-session' } }
        : {},
    ),
    'isolation.findings.repo-id',
  ],
  [
    'prs by the repoId of another tenant',
    requests((asked) =>
      isAt('prs', asked) && asked.query.size === 1 && asked.query.has('repoId')
        ? { headers: { Cookie: 'session=large-session' } }
        : {},
    ),
    'isolation.prs.repo-id',
  ],
  [
    'all tokens lead to one tenant',
    requests((asked) =>
      asked.request.headers.Authorization === 'Bearer large-token'
        ? { headers: { ...asked.request.headers, Authorization: 'Bearer boundary-token' } }
        : {},
    ),
    'isolation.prs.by-token',
  ],
];
