import {
  type ApiRequest,
  anonymous,
  getRequest,
  type Query,
  type RequestAuth,
} from '../client/api-request.js';
import { findingRequest, pathOf } from '../client/operation-requests.js';
import { FindingStatus, PrStatus, Severity } from '../contract/enums.js';
import { operations } from '../contract/operations.js';
import { invalidSession, invalidToken } from '../verify/test-credentials.js';
import type { Side } from './side.js';

/** A request that both servers are sent, each with credentials of its own; null where a side lacks what it takes. */
export type Probe = (side: Side) => ApiRequest | null;

const none = 'triage-api-diff-none';

const wordsOf = (name: string, { keys }: Readonly<{ keys: object }>): readonly Query[] =>
  Object.keys(keys).map((word) => [[name, word]]);

/** Queries that any list takes, and such as no list does. */
const pageQueries: readonly Query[] = [
  [],
  [['limit', '3']],
  [
    ['page', '2'],
    ['limit', '3'],
  ],
  [['limit', '1000']],
  [['page', '1000000']],
  [['page', '0']],
  [['limit', 'abc']],
  [['repoId', none]],
  [['status', none]],
  [[none, '1']],
];

const withSession =
  (path: string, query: Query = []): Probe =>
  ({ session }) =>
    getRequest(path, query, { session, bearer: null });

/** Who may ask: nobody, somebody unknown, by cookie, by token, by both. */
const askers: readonly ((side: Side) => RequestAuth | null)[] = [
  () => anonymous,
  () => ({ session: invalidSession, bearer: null }),
  () => ({ session: null, bearer: invalidToken }),
  ({ token }) => token && { session: null, bearer: token },
  ({ session, token }) => token && { session, bearer: token },
  ({ session }) => ({ session, bearer: invalidToken }),
  ({ token }) => token && { session: invalidSession, bearer: token },
];

const paths = [operations.listConnectedRepos.path, pathOf.findings, pathOf.prs];

/** What can be asked of any server, whatever its data. */
export const probes: readonly Probe[] = [
  withSession(operations.listConnectedRepos.path),
  ...[...pageQueries, ...wordsOf('severity', Severity), ...wordsOf('status', FindingStatus)].map((query) =>
    withSession(pathOf.findings, query),
  ),
  ...[...pageQueries, ...wordsOf('status', PrStatus)].map((query) => withSession(pathOf.prs, query)),
  ({ session }) => findingRequest(none, { session, bearer: null }),
  ({ token }) => token && findingRequest(none, { session: null, bearer: token }),
  () => findingRequest(none, anonymous),
  ...paths.flatMap((path) =>
    askers.map(
      (credentials): Probe =>
        (side) => {
          const who = credentials(side);
          return who && getRequest(path, [], who);
        },
    ),
  ),
  ...paths.flatMap((path): readonly Probe[] => [
    ({ session }) => ({ method: 'HEAD', path, query: [], who: { session, bearer: null } }),
    ({ session }) => ({ method: 'OPTIONS', path, query: [], who: { session, bearer: null } }),
  ]),
  withSession(`/api/v1/${none}`),
];

/** What to ask about a finding, with either credential. */
export const findingProbes = (id: string): readonly Probe[] => [
  ({ session }) => findingRequest(id, { session, bearer: null }),
  ({ token }) => token && findingRequest(id, { session: null, bearer: token }),
];

/** What to ask about a repository. */
export const repoProbes = (id: string): readonly Probe[] =>
  [pathOf.findings, pathOf.prs].map((path) => withSession(path, [['repoId', id]]));
