import type { SafeMethod } from '../../client/fetch-send.js';
import {
  type ApiRequest,
  anonymous,
  getRequest,
  type NamedSecret,
  operationRequest,
  type Query,
  type RequestAuth,
  withSession,
  withToken,
} from '../../client/outgoing-request.js';
import { FindingStatus, PrStatus, Severity } from '../../contract/enums.js';
import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import { invalidSession, invalidToken } from '../verify/test-credentials.js';

/** The credentials to use with one of the two servers. */
export type DiffCredentials = Readonly<{ session: NamedSecret; token: NamedSecret | null }>;

/**
 * A request that each server is sent with its own credentials; null if it needs a token and there is none.
 */
export type RequestTemplate = (credentials: DiffCredentials) => ApiRequest | null;

/** An id, parameter or value that no server has. */
const nonexistent = 'triage-api-diff-none';

const bySession =
  (path: string, query: Query = [], method: SafeMethod = 'GET'): RequestTemplate =>
  ({ session }) => ({ ...getRequest(path, query, withSession(session)), method });

const { listConnectedRepos, listFindings, listPrs, getFinding } = operations;
const listPaths = [listConnectedRepos.path, listFindings.path, listPrs.path];

/** The lists in which the ids of the other templates are found. */
export const reposTemplate = bySession(listConnectedRepos.path);
export const findingsTemplate = bySession(listFindings.path);

/** Queries for any list that has pages, valid and invalid ones. */
const pageQueries: readonly Query[] = [
  [['limit', '3']],
  [
    ['page', '2'],
    ['limit', '3'],
  ],
  [['limit', String(10 * maxLimit)]],
  [['page', '1000000']],
  [['page', '0']],
  [['limit', 'abc']],
  [['repoId', nonexistent]],
  [['status', nonexistent]],
  [[nonexistent, '1']],
];

const findingRequest = (id: string, auth: RequestAuth): ApiRequest =>
  operationRequest(getFinding, { path: { id } }, auth);

const valuesOf = (name: string, { keys }: Readonly<{ keys: object }>): readonly Query[] =>
  Object.keys(keys).map((value) => [[name, value]]);

/**
 * Ways to authenticate besides a valid session: not at all, with invalid credentials, with a token, with
 * both.
 */
const authTemplates: readonly ((credentials: DiffCredentials) => RequestAuth | null)[] = [
  () => anonymous,
  () => withSession(invalidSession),
  () => withToken(invalidToken),
  ({ token }) => token && withToken(token),
  ({ session, token }) => token && { session, bearer: token },
  ({ session }) => ({ session, bearer: invalidToken }),
  ({ token }) => token && { session: invalidSession, bearer: token },
];

/** The requests that can be sent to any server, whatever its data. */
export const generalTemplates: readonly RequestTemplate[] = [
  reposTemplate,
  findingsTemplate,
  ...[...pageQueries, ...valuesOf('severity', Severity), ...valuesOf('status', FindingStatus)].map((query) =>
    bySession(listFindings.path, query),
  ),
  bySession(listPrs.path),
  ...[...pageQueries, ...valuesOf('status', PrStatus)].map((query) => bySession(listPrs.path, query)),
  ({ session }) => findingRequest(nonexistent, withSession(session)),
  ({ token }) => token && findingRequest(nonexistent, withToken(token)),
  () => findingRequest(nonexistent, anonymous),
  ...listPaths.flatMap((path) =>
    authTemplates.map(
      (authOf): RequestTemplate =>
        (credentials) => {
          const auth = authOf(credentials);
          return auth && getRequest(path, [], auth);
        },
    ),
  ),
  ...listPaths.flatMap((path) => [bySession(path, [], 'HEAD'), bySession(path, [], 'OPTIONS')]),
  bySession(`/api/v1/${nonexistent}`),
];

/** The requests for a finding. */
export const findingTemplates: readonly ((id: string) => RequestTemplate)[] = [
  (id) =>
    ({ session }) =>
      findingRequest(id, withSession(session)),
  (id) =>
    ({ token }) =>
      token && findingRequest(id, withToken(token)),
];

/** The requests for the rows of a repository. */
export const repoTemplates: readonly ((id: string) => RequestTemplate)[] = [listFindings, listPrs].map(
  (operation) =>
    (repoId) =>
    ({ session }) =>
      operationRequest(operation, { query: { repoId } }, withSession(session)),
);
