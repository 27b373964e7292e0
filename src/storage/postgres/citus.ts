import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../codecs/list.js';
import { Integer } from '../../codecs/numbers.js';
import { Identifier } from '../../codecs/text.js';
import { timestampAt } from '../../codecs/timestamp.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import type {
  EmailTaken,
  NotReady,
  PresentedCredentials,
  SchemaNewer,
  StorageError,
  Unauthorized,
  WorkersAway,
} from '../port.js';
import { call, createAccount, type RowsOfAccounts, rowsAtOnce, type SignUpLimit } from './accounts.js';
import { type Database, type DatabaseError, isStatementError, withTimeLimit } from './database.js';
import { type AnyQuery, callerStatement, readByTenant, reposQuery } from './queries.js';
import { functionsOfServers } from './roles.js';
import { checkFunctions, checkSchema, isDistributed } from './schema.js';
import { decodeResult, repoOfDrafts, toColumnsOfRows } from './stored-records.js';

// On Citus a request takes two statements: the coordinator resolves the credentials, and then sends the read of
// a single server, whose tenant is known, to the worker of this tenant.

type Asked = Pick<Database, 'query'>;

/** What a server knows of the database: whether Citus has distributed it, and which workers are away. */
export type CitusAccess = Readonly<{
  /** Runs what suits the database. After a failure it is asked again: it may be distributed meanwhile. */
  choose: <Err extends Readonly<{ _tag: string }>, A>(
    onOneServer: () => TE.TaskEither<Err, A>,
    onCitus: () => TE.TaskEither<Err, A>,
  ) => TE.TaskEither<Err | StorageError, A>;
  /** Runs statements on the coordinator. */
  coordinator: Asked;
  /** Runs statements for the tenants of a worker, which its number names. */
  worker: (node: number) => Worker;
  close: () => Promise<void>;
}>;

type Dependencies = Readonly<{
  /** A connection to the coordinator. */
  coordinator: Asked;
  /**
   * Opens the connections for the statements of one worker's tenants. They go to the coordinator, too, but
   * each worker has its own, so that one that does not answer keeps nobody else waiting.
   */
  openWorker: (node: number) => Database;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
  log: Log;
}>;

/** Finds out about the database on first use. */
export const citusAccess = ({ coordinator, openWorker, elapsed, log }: Dependencies): CitusAccess => {
  let known: boolean | null = null;
  const workers = new Map<number, Readonly<{ database: Database; worker: Worker }>>();
  const ask: TE.TaskEither<StorageError, boolean> = pipe(
    isDistributed(coordinator),
    TE.map((found) => {
      known = found;
      return found;
    }),
  );
  const isOnCitus: typeof ask = () => (known === null ? ask() : Promise.resolve(E.right(known)));
  return {
    choose: <Err extends Readonly<{ _tag: string }>, A>(
      onOneServer: () => TE.TaskEither<Err, A>,
      onCitus: () => TE.TaskEither<Err, A>,
    ) =>
      pipe(
        isOnCitus,
        TE.flatMap((found): TE.TaskEither<Err | StorageError, A> => (found ? onCitus() : onOneServer())),
        TE.mapLeft((error) => {
          if (error._tag === 'StorageFailed') known = null;
          return error;
        }),
      ),
    coordinator,
    worker: (node) => {
      const open = workers.get(node);
      if (open !== undefined) return open.worker;
      const database = openWorker(node);
      const worker = guardedWorker(database, { name: `worker ${node}`, elapsed, log });
      workers.set(node, { database, worker });
      return worker;
    },
    close: async () => {
      await Promise.all([...workers.values()].map(({ database }) => database.close()));
    },
  };
};

/** Statements for one worker. While it is away, all but a few are refused at once. */
export type Worker = Pick<Database, 'query' | 'transaction'> &
  Readonly<{
    /** Runs a statement that no request waits for. What becomes of it says nothing about the worker. */
    inBackground: Database['query'];
    /** Whether the worker is considered to be away. */
    isAway: () => boolean;
  }>;

/** How long a worker that is away is left alone before one statement tries it again, in milliseconds. */
const pause = 500;

/**
 * A statement that was cancelled may have been slow by itself. After so many in a row, with no other
 * answer in between, the worker is away.
 */
const cancelledInARow = 3;

/**
 * Lets statements through to a worker until it is away: it refuses connections, or several statements in a
 * row were not answered in time. Then one at a time tries it; the others fail at once, so that they hold no
 * connection while they wait for nothing.
 */
export const guardedWorker = (
  { query, transaction }: Pick<Database, 'query' | 'transaction'>,
  { name, elapsed, log }: Readonly<{ name: string; elapsed: Clock; log: Log }>,
): Worker => {
  let awaySince: number | null = null;
  let cancelled = 0;
  let isTrying = false;
  const away: DatabaseError = {
    _tag: 'StorageUnavailable',
    cause: new Error(`${name} of the database is away`),
  };

  const note = (error: unknown): void => {
    const { _tag, cause }: Readonly<{ _tag?: unknown; cause?: unknown }> = Object(error);
    if (_tag !== 'StorageUnavailable') {
      cancelled = 0;
      if (awaySince !== null) log('info', `${name} answers again`);
      awaySince = null;
      return;
    }
    cancelled += 1;
    if (isStatementError(cause) && cancelled < cancelledInARow && awaySince === null) return;
    if (awaySince === null) log('warn', `${name} is away; its tenants get 503`, { cause: String(cause) });
    awaySince = elapsed();
  };
  const run = async <Err, A>(work: TE.TaskEither<Err, A>): Promise<E.Either<Err, A>> => {
    const result = await work();
    note(E.isLeft(result) ? result.left : null);
    return result;
  };
  const guarded =
    <Err, A>(work: TE.TaskEither<Err, A>): TE.TaskEither<Err | DatabaseError, A> =>
    async () => {
      if (awaySince === null) return run(work);
      if (isTrying || elapsed() - awaySince < pause) return E.left(away);
      isTrying = true;
      try {
        return await run(work);
      } finally {
        isTrying = false;
      }
    };
  return {
    query: (statement) => guarded(query(statement)),
    transaction: (work) => guarded(transaction(work)),
    inBackground: (statement) => (awaySince === null ? query(statement) : TE.left(away)),
    isAway: () => awaySince !== null,
  };
};

const NodeRow = t.strict({ node: Integer }, 'node');

/** The connections for the rows of a tenant. */
const workerOf = (citus: CitusAccess, tenant: string): TE.TaskEither<StorageError, Worker> =>
  pipe(
    citus.coordinator.query({ text: 'SELECT triage.node_of($1) AS node', values: [tenant] }),
    TE.flatMapEither(([row]) => decodeResult(NodeRow, 'node_of')(row)),
    TE.map(({ node }) => citus.worker(node)),
  );

const CallerRow = t.strict({ userId: Identifier, useDue: t.boolean, node: Integer }, 'caller');

/** Sends a query. The result has the form of that of a single server. */
export const readOnWorker = (
  citus: CitusAccess,
  credentials: PresentedCredentials,
  known: string | null,
  query: AnyQuery,
): TE.TaskEither<StorageError | Unauthorized, readonly unknown[]> => {
  const { text, values } = callerStatement(credentials);
  return pipe(
    citus.coordinator.query({
      name: 'caller and node',
      text: `SELECT c.*, triage.node_of(c."userId") AS node FROM (${text}) c`,
      values,
    }),
    TE.flatMap(([row]): TE.TaskEither<StorageError | Unauthorized, readonly unknown[]> => {
      if (row === undefined) return TE.right([]);
      return pipe(
        TE.fromEither(decodeResult(CallerRow, 'caller_of')(row)),
        TE.flatMap(({ userId, useDue, node }) =>
          pipe(
            citus.worker(node).query(readByTenant(userId, known, query)),
            TE.map((rows) => rows.map((each) => ({ ...Object(each), useDue }))),
          ),
        ),
      );
    }),
  );
};

/** Creates accounts with their rows, and deletes rows, on the coordinator and the worker of the tenant. */
export const citusRows = (citus: CitusAccess, limit: SignUpLimit): RowsOfAccounts => ({
  create: (account, ended) =>
    pipe(
      workerOf(citus, account.user.id),
      TE.flatMap((worker) =>
        // One transaction on two nodes: the worker commits first, so that there is no account without its rows.
        worker.transaction((inside) =>
          pipe(
            createAccount(inside, { ...account, rows: noRows }, ended, limit),
            TE.tap(
              (): TE.TaskEither<StorageError | EmailTaken, unknown> =>
                call(
                  inside,
                  t.unknown,
                  'add_rows',
                  account.user.id,
                  toColumnsOfRows(account.rows, repoOfDrafts(account.rows)),
                ),
            ),
          ),
        ),
      ),
    ),
  deleteRows: (userId) =>
    pipe(
      workerOf(citus, userId),
      TE.flatMap((worker) => call(worker, Integer, 'delete_rows', userId, rowsAtOnce)),
    ),
});

const noRows = { repos: [], scans: [], fixDrafts: [], pullRequests: [] };

/** The connection for background work on the rows of a tenant: a worker that is away is left alone. */
export const inBackground =
  (citus: CitusAccess) =>
  (tenant: string): Asked => ({
    query: (statement) =>
      pipe(
        workerOf(citus, tenant),
        TE.mapLeft(
          (error): DatabaseError =>
            error._tag === 'RecordBroken' ? { _tag: 'StorageFailed', cause: error } : error,
        ),
        TE.flatMap((worker) => worker.inBackground(statement)),
      ),
  });

const WorkerNodes = listOf(t.strict({ node: Integer, name: t.string, key: t.string }, 'node'));

/** How long a worker may take to answer before it is reported to be away, in milliseconds. */
const readinessTimeLimit = 500;

/**
 * Succeeds if a distributed database can serve requests with the rights of this connection: the coordinator
 * resolves credentials, and each worker answers a read of a tenant that it could have. Workers that do not
 * answer in time are named; if none does, that is an error.
 */
export const citusReady = (
  probe: Asked,
  citus: CitusAccess,
): TE.TaskEither<NotReady, SchemaNewer | WorkersAway | undefined> =>
  pipe(
    checkSchema(probe),
    TE.tap(() => checkFunctions(probe, functionsOfServers.citus)),
    TE.tap(() => probe.query(callerStatement({ session: null, apiToken: null, at: timestampAt(0) }))),
    TE.flatMap((newer) =>
      pipe(
        probe.query({ text: 'SELECT node, name, key FROM triage.worker_nodes()', values: [] }),
        TE.flatMapEither(decodeResult(WorkerNodes, 'worker_nodes')),
        TE.flatMap((nodes) => () => workersAway(citus, nodes)),
        TE.map((away) => away ?? newer),
      ),
    ),
  );

const workersAway = async (
  citus: CitusAccess,
  nodes: t.TypeOf<typeof WorkerNodes>,
): Promise<E.Either<StorageError, WorkersAway | undefined>> => {
  const checked = await Promise.all(
    nodes.map(async ({ node, name, key }) => {
      const limited = withTimeLimit(citus.worker(node), readinessTimeLimit);
      return { name, result: await limited.query(readByTenant(key, null, reposQuery))() };
    }),
  );
  const away: string[] = [];
  for (const { name, result } of checked) {
    if (E.isRight(result)) continue;
    if (result.left._tag !== 'StorageUnavailable' || checked.every((each) => E.isLeft(each.result)))
      return result;
    away.push(name);
  }
  return E.right(away.length === 0 ? undefined : { _tag: 'WorkersAway', workers: away });
};
