import {
  answers,
  answersIf,
  bearerOf,
  everyRow,
  headed,
  type IncomingRequest,
  letIn,
  others,
  type Place,
  pages,
  type Real,
  requests,
  sessionOf,
  type WrongServer,
} from '../_mutation.js';

const isOwn = (incoming: IncomingRequest): boolean => sessionOf(incoming) === 'boundary-session';

/** The last row that the other tenant has in a list. */
const lastOfOther = async (incoming: IncomingRequest, real: Real) =>
  (await everyRow({ ...incoming, request: { ...incoming.request, headers: others } }, real)).slice(-1);

/** Responses to findings that are not found, which are those of the other tenant. */
const foundWith = (
  isMeant: (incoming: IncomingRequest) => boolean,
  headers: Readonly<Record<string, string>>,
) =>
  answers('finding', (answer, incoming, real) =>
    answer.status === 404 && isMeant(incoming) ? real({ ...incoming.request, headers }) : answer,
  );

/** Requests with the repoId of a repository, and no other parameter. */
const byRepo = (place: Place, isMeant: (incoming: IncomingRequest) => boolean) =>
  headed(
    place,
    (incoming) =>
      incoming.query.size === 1 &&
      incoming.query.get('repoId')?.startsWith('repo_') === true &&
      isMeant(incoming),
    others,
  );

/** Data of other tenants (contract, section 5, rule 6). */
export const isolationServers: readonly WrongServer[] = [
  [
    'foreign-rows',
    'every tenant sees the same repositories',
    letIn('repos', (incoming) => sessionOf(incoming) === 'large-session'),
  ],
  [
    'foreign-rows',
    'a finding of another tenant in our list',
    pages('findings', async (page, incoming, real) =>
      isOwn(incoming)
        ? { ...page, items: [...(await lastOfOther(incoming, real)), ...page.items.slice(1)] }
        : page,
    ),
  ],
  [
    'foreign-rows',
    'a pull request of another tenant in our list',
    pages('prs', async (page, incoming, real) =>
      isOwn(incoming) && incoming.query.size === 2
        ? { ...page, items: [...page.items.slice(1), ...(await lastOfOther(incoming, real))] }
        : page,
    ),
  ],
  ['foreign-finding', 'findings of another tenant by their id', foundWith(isOwn, others)],
  [
    'foreign-finding',
    'findings of another tenant by their id, with a token',
    foundWith((incoming) => incoming.request.headers.Authorization !== undefined, {
      Authorization: 'Bearer large-token',
    }),
  ],
  [
    'foreign-id',
    'findings of another tenant are 403',
    answersIf('finding', ({ path }, { status }) => status === 404 && !path.includes('verify'), {
      status: 403,
      text: '{"error":"Forbidden"}',
    }),
  ],
  ['foreign-repo', 'findings by the repoId of another tenant', byRepo('findings', isOwn)],
  [
    'foreign-repo',
    'prs by the repoId of another tenant',
    headed('prs', ({ query }) => query.size === 1 && query.has('repoId'), others),
  ],
  [
    'foreign-token',
    'all tokens belong to one tenant',
    requests((incoming) =>
      bearerOf(incoming) === 'large-token'
        ? { headers: { ...incoming.request.headers, Authorization: 'Bearer boundary-token' } }
        : {},
    ),
  ],
  [
    'foreign-repo',
    'prs by the repoId of another tenant, with a token',
    byRepo('prs', (incoming) => bearerOf(incoming) === 'boundary-token'),
  ],
];
