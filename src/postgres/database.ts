import pg from 'pg';
import * as E from '#fp-ts/Either';
import type { StorageError } from '../api/storage-port.js';
import type { Clock } from '../common/clock.js';
import { settledWithin } from '../common/concurrency.js';
import type { Log } from '../common/log.js';
import { Client } from './client.js';
import { DatabaseBusy, type Ending, statementQueue, type Turn } from './queue.js';

/** The text of a statement, which has no values in it, and the values of `$1`, `$2`, …; objects are JSON. */
export type Statement = Readonly<{
  text: string;
  values: readonly (string | number | boolean | null | Readonly<Record<string, unknown>>)[];
  /** The name under which a connection may keep the statement prepared; one name has one text. */
  name?: string;
  /**
   * What it belongs to: one group gets a share of the connections, so that it leaves some to the others.
   * Null: what asks how the database is, which has a connection more than the others have.
   */
  group?: string | null;
  /** How long it may take in milliseconds, including the wait; left out: as long as its database allows. */
  timeLimit?: number;
}>;

/** What statements come to. */
export type Outcome<A, Err = never> = Promise<E.Either<StorageError | Err, A>>;

/** What runs statements: a pool of connections, one of them, or on Citus what finds one first. */
export type Database = Readonly<{
  /** Runs a statement, a transaction of its own, and returns its rows, undecoded. */
  query: (statement: Statement) => Outcome<readonly unknown[]>;
  /** Drops its connections, because they lead to a database that is read-only, and makes others on demand. */
  renew?: () => void;
}>;

/** A pool of connections. A statement settles within its time limit. */
export type Pool = Database &
  Readonly<{
    /** How many connections there are, how many of them are idle, and how many statements wait for one. */
    connections: () => Readonly<{ total: number; idle: number; waiting: number }>;
    /** Refuses further statements and closes all connections; destroys those that do not close in time. */
    close: () => Promise<void>;
  }>;

/** Runs statements about the rows of a tenant, which Citus has on a worker. */
export type ConnectionForRows = (tenant: string) => Database;

type DatabaseSettings = Readonly<{
  url: string;
  /** Reads the URL again where it is from, because the database has refused its password. */
  readUrl?: () => string;
  /** The maximum number of connections, without the one for what asks how the database is. */
  poolSize: number;
  /** The time limit of a statement in milliseconds, including the wait for a connection. */
  timeLimit: number;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
  /** How old a connection may become, in seconds: none stays for good with a primary that was replaced. */
  maxAge?: number;
}>;

/** How long `close` waits for connections to close, and a cancelled statement may take, in milliseconds. */
const closeTimeout = 1000;

/** How long a database that stays read-only keeps its connections at least, in milliseconds. */
const renewalPause = 1000;

/** The server cancels a statement at this fraction of the time limit, so that its error arrives in time. */
const statementTimeoutFraction = 0.9;

// Behind a pooler this may set up another connection; there the role must set it up (docs/postgres.md).
// Every statement of a server finds its rows by an index, whatever the planner knows of a table that was
// small when it planned, or of tenants of other sizes; so plans are made once. Citus has to know the values.
const connectionSettings = `
  SELECT set_config('statement_timeout', $1, false), set_config('jit', 'off', false),
    set_config('idle_in_transaction_session_timeout', $1, false),
    set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', false),
    set_config('plan_cache_mode', CASE WHEN to_regclass('pg_catalog.pg_dist_partition') IS NULL
      THEN 'force_generic_plan' ELSE 'auto' END, false)`;

/** Opens a database with a connection pool. Connections are made on demand; this makes none. */
export const openDatabase = (settings: DatabaseSettings, log: Log): Pool => {
  const { poolSize, timeLimit, elapsed, maxAge = 1800 } = settings;
  let { url } = settings;
  const connections = new Set<pg.PoolClient>();
  const openPool = (): pg.Pool =>
    new pg.Pool({
      Client,
      connectionString: url,
      max: poolSize + 1,
      connectionTimeoutMillis: timeLimit,
      idleTimeoutMillis: 30_000,
      maxLifetimeSeconds: maxAge,
      onConnect: async (client) => {
        const values = [String(Math.ceil(timeLimit * statementTimeoutFraction))];
        const isSet = await settledWithin(timeLimit, () => client.query(connectionSettings, values));
        if (isSet === null) throw new Error(`no answer from the database within ${timeLimit} ms`);
      },
    })
      .on('connect', (client) => connections.add(client))
      .on('remove', (client) => connections.delete(client))
      .on('error', (cause) => log('debug', 'a database connection was lost', { cause: String(cause) }));
  let pool = openPool();
  let renewed = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const renew = (): void => {
    if (isClosed || elapsed() - renewed < renewalPause) return;
    renewed = elapsed();
    const old = pool;
    pool = openPool();
    // Its busy connections end when their statements have.
    old.end().catch(() => {});
  };

  // A pooler may give each statement of a client another connection, which does not know what was prepared.
  let canPrepare = true;
  const query = async (
    client: pg.PoolClient,
    { text, values, name }: Statement,
  ): Promise<readonly unknown[]> => {
    const prepared = canPrepare ? name : undefined;
    try {
      return (await client.query({ name: prepared, text, values: [...values] })).rows;
    } catch (error) {
      // Each statement is a transaction, so one that was rolled back to end a deadlock has had no effect.
      if (hasCode(error, '40P01')) return query(client, { text, values });
      // No statement of this name, another one, or one that a new schema has outdated.
      if (prepared === undefined || !hasCode(error, '26000', '42P05', '0A000')) throw error;
      canPrepare = false;
      return query(client, { text, values });
    }
  };

  /** Connects again if the database has refused the password of a URL that has been changed. */
  const reconnect = (refused: string) => (error: unknown) => {
    const next = (hasCode(error, '28P01') && settings.readUrl?.()) || refused;
    if (next === refused || !URL.canParse(next)) throw error;
    if (next !== url) log('info', 'the database refused the password; its URL was read again');
    pool.options.connectionString = url = next;
    return pool.connect();
  };

  const run = async (turn: Turn): Promise<Ending> => {
    const { resolve, reject } = turn;
    const hasWaited = elapsed() - turn.asked > timeLimit * (1 - statementTimeoutFraction);
    let client: pg.PoolClient;
    try {
      client = await pool.connect().catch(reconnect(url));
    } catch (error) {
      const isFull = hasCode(error, '53300');
      if (isFull && pool.totalCount > 0) return 'full';
      reject(isFull ? new DatabaseBusy(String(error)) : error);
      return isFull ? 'answered' : 'silent';
    }
    const timeLeft = turn.deadline - elapsed();
    // Those who asked have been told so.
    if (timeLeft <= 0) {
      client.release();
      reject(new Error('a connection came too late'));
      return 'silent';
    }
    const result = query(client, turn.statement);
    try {
      const rows = await settledWithin(timeLeft, () => result);
      if (rows !== null) {
        client.release();
        resolve(rows);
        return 'answered';
      }
      const text = `no answer from the database within ${Math.round(timeLeft)} ms`;
      reject(hasWaited ? new DatabaseBusy(text) : new Error(text));
      const ended = await settledWithin(closeTimeout, () =>
        Promise.allSettled([result, cancel(url, client)]),
      );
      client.release(ended === null);
      return 'silent';
    } catch (error) {
      // After an error of the server, the connection can still be used.
      const isBroken = !(error instanceof pg.DatabaseError);
      client.release(isBroken);
      if (hasCode(error, readOnlyTransaction)) renew();
      reject(error);
      return isBroken || hasCode(error, statementCancelled) ? 'silent' : 'answered';
    }
  };
  const queue = statementQueue(poolSize, timeLimit, elapsed, run);
  return {
    query: (statement) => settled(() => queue.query(statement)),
    renew,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: queue.waiting() }),
    close: async () => {
      isClosed = true;
      await settledWithin(closeTimeout, () => pool.end()).catch(() => {});
      for (const { connection } of connections) connection.stream.destroy();
    },
  };
};

/**
 * Cancels the statement that a connection runs, as PostgreSQL does it: on another connection, which the
 * server closes once it has done so. The driver makes that one, with TLS if the URL wants it.
 */
const cancel = async (url: string, client: pg.PoolClient): Promise<void> => {
  const { processID, secretKey } = Object(client);
  const other = new Client({ connectionString: url, connectionTimeoutMillis: closeTimeout });
  const { connection } = Object(other);
  connection.startup = () => connection.cancel(processID, secretKey);
  await other.connect().catch(() => {});
};

/** Statements of a group, or with a time limit, whatever they say themselves. */
export const having = (over: Pick<Statement, 'group' | 'timeLimit'>, { query }: Database): Database => ({
  query: (statement) => query({ ...statement, ...over }),
});

/** Queries on a single connection, which the caller closes. */
export const singleConnection = (client: pg.ClientBase): Database => ({
  query: ({ text, values }) => settled(async () => (await client.query(text, [...values])).rows),
});

/** What work on a connection comes to: what it rejects with becomes an error of the port. */
const settled = async <A>(work: () => Promise<A>): Outcome<A> => {
  try {
    return E.right(await work());
  } catch (cause) {
    return E.left(databaseError(cause));
  }
};

/** Runs `work` on a connection of its own, without a time limit, and closes the connection in any case. */
export const withConnection = async <Err, A>(
  url: string,
  work: (client: pg.Client) => Promise<E.Either<Err, A>>,
): Outcome<A, Err> => {
  let client: pg.Client | null = null;
  try {
    // The constructor reads the certificates that the URL names, and throws if one is missing.
    client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    await client.connect();
    return await work(client);
  } catch (cause) {
    return E.left(databaseError(cause));
  } finally {
    await client?.end().catch(() => {});
  }
};

/** The SQLSTATE of a statement that has taken too long. */
const statementCancelled = '57014';

/** The SQLSTATE of a change in a database that is read-only. */
const readOnlyTransaction = '25006';

// SQLSTATE classes of errors that may go away: connection, authorization, missing database, transaction
// rollback, resources, operator intervention, system. All others are faults of the program or the set-up.
const transient = /^(?:08|28|3D|40|53|55|57|58)/;

/** Whether an error is a server error with one of these SQLSTATEs. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof pg.DatabaseError && codes.includes(error.code ?? '');

/** The error of the port for an error of a statement. All but errors of the server are the connection's. */
export const databaseError = (cause: unknown): StorageError => {
  if (cause instanceof DatabaseBusy) return { _tag: 'StorageBusy', cause };
  if (hasCode(cause, readOnlyTransaction)) return { _tag: 'StorageReadOnly', cause };
  return cause instanceof pg.DatabaseError && !transient.test(cause.code ?? '')
    ? { _tag: 'StorageFailed', cause }
    : { _tag: 'StorageUnavailable', cause: withMessage(cause) };
};

/** Connecting to a host with several addresses fails with an `AggregateError`, whose own message is empty. */
const withMessage = (cause: unknown): unknown =>
  cause instanceof AggregateError ? new Error(cause.errors.map(String).join('; ')) : cause;
