import { type Ask, get, nobody, type Query, type Who } from '../../asking/ask.js';
import { detailAsk, pathOf } from '../../asking/operation-asks.js';
import { operations } from '../../contract/operations.js';
import { FindingStatus, PrStatus, Severity } from '../../vocabulary/words.js';
import { invalidSession, invalidToken } from '../credentials.js';
import type { Side } from './side.js';

/** A request that both servers are sent, each with credentials of its own; null where a side lacks what it takes. */
export type Probe = (side: Side) => Ask | null;

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
    get(path, query, { session, bearer: null });

/** Who may ask: nobody, somebody unknown, by cookie, by token, by both. */
const askers: readonly ((side: Side) => Who | null)[] = [
  () => nobody,
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
  ({ session }) => detailAsk(none, { session, bearer: null }),
  ({ token }) => token && detailAsk(none, { session: null, bearer: token }),
  () => detailAsk(none, nobody),
  ...paths.flatMap((path) =>
    askers.map(
      (asker): Probe =>
        (side) => {
          const who = asker(side);
          return who && get(path, [], who);
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
  ({ session }) => detailAsk(id, { session, bearer: null }),
  ({ token }) => token && detailAsk(id, { session: null, bearer: token }),
];

/** What to ask about a repository. */
export const repoProbes = (id: string): readonly Probe[] =>
  [pathOf.findings, pathOf.prs].map((path) => withSession(path, [['repoId', id]]));
