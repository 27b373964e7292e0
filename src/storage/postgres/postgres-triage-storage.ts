import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { Identifier } from '../../codecs/text.js';
import type { PresentedCredentials, StorageError, TriageStorage, Unauthorized } from '../port.js';
import type { Database, Statement } from './database.js';
import { decodeResult } from './decode-result.js';
import {
  authenticatedStatement,
  callerStatement,
  findingQuery,
  findingsQuery,
  prsQuery,
  reposQuery,
  type TenantQuery,
  tenantStatement,
} from './queries.js';
import type { Replica } from './replica.js';

type Dependencies = Readonly<{
  primary: Database;
  /** What the API reads; null to read the primary. */
  replica: Replica | null;
  recordTokenUse: (credentials: PresentedCredentials) => void;
}>;

type ReadError = StorageError | Unauthorized;
type RunQuery = <A>(credentials: PresentedCredentials, query: TenantQuery<A>) => TE.TaskEither<ReadError, A>;

const CallerRow = t.strict({ userId: Identifier, useDue: t.boolean }, 'caller');
type CallerRow = t.TypeOf<typeof CallerRow>;
const ResultRow = t.strict({ result: t.unknown }, 'result');
const AuthenticatedRow = t.strict(
  { userId: Identifier, useDue: t.boolean, result: t.unknown },
  'caller and result',
);

/**
 * The reads of the API. On the primary each is one statement, which also checks the credentials. On a replica
 * it is two: credentials are checked on the primary, so that a revoked token is refused at once however far
 * the replica lags behind.
 */
export const postgresTriageStorage = ({ primary, replica, recordTokenUse }: Dependencies): TriageStorage => {
  const readPrimary = runOnPrimary(primary, recordTokenUse);
  const readReplica = replica === null ? readPrimary : runOnReplica(replica, recordTokenUse);
  const run: RunQuery = (credentials, query) =>
    (replica?.isRead() === true ? readReplica : readPrimary)(credentials, query);
  return {
    repos: (credentials) => run(credentials, reposQuery),
    findings: (credentials, query) => run(credentials, findingsQuery(query)),
    finding: (credentials, id) => run(credentials, findingQuery(id)),
    prs: (credentials, query) => run(credentials, prsQuery(query)),
  };
};

/** Resolves credentials to a user id. `useDue`: the use of the token must be recorded. */
export const findCaller = (
  database: Pick<Database, 'query'>,
  credentials: PresentedCredentials,
): TE.TaskEither<ReadError, CallerRow> =>
  singleRow(database, callerStatement(credentials), CallerRow, 'caller_of');

const runOnPrimary =
  (primary: Database, recordTokenUse: Dependencies['recordTokenUse']): RunQuery =>
  (credentials, query) =>
    pipe(
      singleRow(primary, authenticatedStatement(credentials, query), AuthenticatedRow, query.functionName),
      TE.flatMapEither(({ useDue, result }) => {
        if (useDue) recordTokenUse(credentials);
        return decodeFrozen(query)(result);
      }),
    );

const runOnReplica =
  (replica: Replica, recordTokenUse: Dependencies['recordTokenUse']): RunQuery =>
  (credentials, query) =>
    pipe(
      findCaller(replica.primary, credentials),
      TE.flatMap((caller) => {
        if (caller.useDue) recordTokenUse(credentials);
        return singleRow(replica, tenantStatement(caller, query), ResultRow, query.functionName);
      }),
      TE.flatMapEither(({ result }) => decodeFrozen(query)(result)),
    );

const decodeFrozen =
  <A>({ result, functionName }: TenantQuery<A>) =>
  (value: unknown): E.Either<StorageError, A> =>
    pipe(value, decodeResult(result, functionName), E.map(deepFreeze));

/** Freezes parsed JSON: the port promises frozen rows. */
const deepFreeze = <A>(value: A): A => {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
};

const singleRow = <A>(
  database: Pick<Database, 'query'>,
  statement: Statement,
  codec: t.Type<A, unknown>,
  name: string,
): TE.TaskEither<ReadError, A> =>
  pipe(
    database.query(statement),
    TE.flatMap(
      ([row]): TE.TaskEither<ReadError, A> =>
        row === undefined ? TE.left({ _tag: 'Unauthorized' }) : TE.fromEither(decodeResult(codec, name)(row)),
    ),
  );
