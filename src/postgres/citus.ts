import * as t from 'io-ts';
import type pg from 'pg';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { PresentedCredentials, Ready, StorageError } from '../api/storage-port.js';
import { listOf } from '../contract/codecs/combinators.js';
import { Identifier, Integer } from '../contract/codecs/text-and-numbers.js';
import type { ConnectionForRows, Database, Outcome, Pool } from './database.js';
import { callerStatement } from './queries.js';
import { canServe, functionsOfServers, nobody, readsOfServers, runAll } from './readiness.js';
import { isDistributed, Refused } from './schema.js';
import type { Send } from './storage.js';
import { decodeResult, rowsOf } from './stored-records.js';

// On Citus a request takes two statements: the coordinator resolves the credentials, then sends the read of
// a single server, whose tenant is known, to the worker of this tenant. The statements for the tenants of a
// worker go to the coordinator, too, but on connections of their own, so that a worker that does not answer
// keeps nobody waiting but its own tenants.

/** What a server knows of the database: whether Citus has distributed it, and its workers. */
export type CitusAccess = ReturnType<typeof citusAccess>;

type CitusDependencies = Readonly<{ coordinator: Database; openWorker: (node: number) => Pool }>;

/** Finds out about the database on first use. `openWorker` opens connections for the tenants of a worker. */
export const citusAccess = ({ coordinator, openWorker }: CitusDependencies) => {
  let isOnCitus: boolean | null = null;
  /** Runs what suits the database. After a failure it is asked again: it may be distributed meanwhile. */
  const choose = async <Err extends Readonly<{ _tag: string }>, A>(
    onOneServer: () => Promise<E.Either<Err, A>>,
    onCitus: () => Promise<E.Either<Err, A>>,
  ): Outcome<A, Err> => {
    const state = isOnCitus === null ? await isDistributed(coordinator) : E.right(isOnCitus);
    if (E.isRight(state)) isOnCitus = state.right;
    const result: E.Either<StorageError | Err, A> = E.isLeft(state)
      ? state
      : await (state.right ? onCitus() : onOneServer());
    if (E.isLeft(result) && result.left._tag === 'StorageFailed') isOnCitus = null;
    return result;
  };
  const workers = new Map<number, Pool>();
  /** The connections for the tenants of a worker, which the number of its group names. */
  const worker = (node: number): Database => {
    const database = workers.get(node) ?? openWorker(node);
    workers.set(node, database);
    return database;
  };
  /** The connections for statements about the rows of a tenant, wherever they are. */
  const connectionFor: ConnectionForRows = (tenant) => ({
    query: (statement) =>
      choose(
        () => coordinator.query(statement),
        async () => {
          const text = `SELECT (${nodeOf('$1::text')}) AS node`;
          const rows = await coordinator.query({ text, values: [tenant] });
          if (E.isLeft(rows)) return rows;
          return worker(Number(Object(rows.right[0]).node)).query(statement);
        },
      ),
  });
  const close = async (): Promise<void> => {
    await Promise.all([...workers.values()].map((database) => database.close()));
  };
  return { choose, coordinator, worker, connectionFor, close };
};

/** The group of nodes that has the rows of a tenant: one worker, and standbys of it. */
const nodeOf = (tenant: string): string =>
  'SELECT groupid FROM pg_catalog.pg_dist_placement WHERE shardid = ' +
  `pg_catalog.get_shard_id_for_distribution_column('triage.repos', ${tenant})`;

const CallerRow = t.strict({ userId: Identifier, useDue: t.boolean, node: Integer }, 'caller');

/** Sends a query. The result has the form of that of a single server. */
export const readOnWorker =
  ({ coordinator, worker }: Pick<CitusAccess, 'coordinator' | 'worker'>): Send =>
  async (credentials, knownVersion, query, group) => {
    const callers = pipe(
      await coordinator.query({ ...callerAndNode(credentials), group }),
      E.flatMap(decodeResult(listOf(CallerRow), 'caller_of')),
    );
    if (E.isLeft(callers)) return callers;
    const [caller] = callers.right;
    if (caller === undefined) return E.right([]);
    const { userId, useDue, node } = caller;
    return pipe(
      await worker(node).query({ ...query.byTenant(userId, knownVersion), group: userId }),
      E.map((rows) => rows.map((row) => ({ ...Object(row), useDue }))),
    );
  };

const callerAndNode = (credentials: PresentedCredentials) => {
  const { text, ...caller } = callerStatement(credentials);
  const withNode = `SELECT c.*, (${nodeOf('c."userId"')}) AS node FROM (${text}) c`;
  return { ...caller, name: 'caller and node', text: withNode };
};

const Worker = t.strict({ node: Integer, host: t.string, port: Integer }, 'pg_dist_node');

/** How long a worker may take to answer before it is reported to be away, in milliseconds. */
const readinessTimeLimit = 500;

/** Succeeds if a distributed database can serve with these rights and has a worker; names those away. */
export const citusReady = async (
  probe: Database,
  { worker }: Pick<CitusAccess, 'worker'>,
): Promise<Ready> => {
  const own = await canServe(probe, functionsOfServers.citus, [callerAndNode(nobody)]);
  if (E.isLeft(own)) return own;
  const nodes = await rowsOf(probe, Worker, workerNodes);
  if (E.isLeft(nodes)) return nodes;
  const away = await awayOf(worker, nodes.right);
  if (away.length === nodes.right.length)
    return E.left({ _tag: 'StorageUnavailable', cause: new Error('all workers are away') });
  if (away.length > 0) return E.right({ _tag: 'WorkersAway', workers: away });
  const reads = readsOfServers.map(({ byTenant }) => byTenant('nobody'));
  const onWorkers = await runAll(probe, reads);
  return E.isLeft(onWorkers) ? onWorkers : own;
};

const workerNodes = `SELECT groupid AS node, nodename AS host, nodeport AS port FROM pg_catalog.pg_dist_node
  WHERE isactive AND noderole = 'primary' AND shouldhaveshards ORDER BY 2, 3`;

/** The names of the workers to which the coordinator cannot connect in time. */
const awayOf = async (worker: CitusAccess['worker'], nodes: readonly t.TypeOf<typeof Worker>[]) => {
  const answers = await Promise.all(
    nodes.map(({ node, host, port }) =>
      worker(node).query({
        text: 'SELECT pg_catalog.citus_check_connection_to_node($1, $2) AS "isThere"',
        values: [host, port],
        timeLimit: readinessTimeLimit,
      }),
    ),
  );
  return nodes.flatMap(({ host, port }, i) => {
    const answer = answers[i];
    const isThere = answer?._tag === 'Right' && Object(answer.right[0]).isThere === true;
    return isThere ? [] : [`${host}:${port}`];
  });
};

/** Rejects with `Refused` unless this connection can distribute tables to workers. */
export const requireCitus = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query(
    `SELECT e.extversion AS version, string_to_array(split_part(e.extversion, '-', 1), '.')::int[] < '{12,1}' AS "isOlder",
       r.rolsuper AS "isSuperuser", current_user AS name
     FROM pg_roles r LEFT JOIN pg_extension e ON e.extname = 'citus' WHERE r.rolname = current_user`,
  );
  const { version, isOlder, isSuperuser, name } = rows[0];
  if (version === null)
    throw new Refused(
      'the extension citus is not installed in this database; install Citus on the coordinator and on each worker, ' +
        'add it to shared_preload_libraries, and run on each of them, in this database: CREATE EXTENSION citus',
    );
  if (isOlder === true)
    throw new Refused(`the version of the extension citus is ${version}; it must be 12.1 or later`);
  if (isSuperuser !== true)
    throw new Refused(
      `the role ${name} is not a superuser; migrations of a distributed database need one, ` +
        'because they create the schema on every node',
    );
  const { rows: nodes } = await client.query(
    `SELECT citus_is_coordinator() AS "isCoordinator",
       (SELECT count(*)::integer FROM pg_dist_node n
        WHERE n.isactive AND n.noderole = 'primary' AND n.shouldhaveshards) AS count`,
  );
  const { isCoordinator, count } = nodes[0];
  if (count === 0)
    throw new Refused(
      "there are no workers; add each of them on the coordinator: SELECT citus_add_node('host', port)",
    );
  if (isCoordinator !== true)
    throw new Refused('this server is a worker; run the command with the URL of the coordinator');
};
