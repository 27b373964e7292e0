import { Duplex } from 'node:stream';
import * as TE from 'fp-ts/lib/TaskEither.js';
import pg from 'pg';
import type { Log } from '../../common/log.js';
import { type DatabaseError, databaseError } from './database-error.js';

/** A statement's text, which never holds a value, and its values for `$1`, `$2`, … */
export type Statement = Readonly<{ text: string; values: readonly (string | number | boolean | null)[] }>;

/** A database that is asked one statement at a time, each a transaction of its own. */
export type Database = Readonly<{
  /** The rows that a statement gives, undecoded. The answer, whatever it is, comes within the time limit. */
  ask: (statement: Statement) => TE.TaskEither<DatabaseError, readonly unknown[]>;
  /** Takes no more statements, and closes the connections; those that a lost server does not let go of are cut off. */
  close: () => Promise<void>;
}>;

export type DatabaseSettings = Readonly<{
  url: string;
  /** The most connections at a time. */
  poolSize: number;
  /** The longest that an answer may take, in milliseconds: waiting for a connection, and the statement itself. */
  timeLimit: number;
}>;

/** How many statements may wait for each connection: as many as one can do within the time limit when all is well. */
const mostWaiting = 100;

/** How long the server is given to take leave, in milliseconds. */
const parting = 1000;

/** The part of the time limit after which the server gives up a statement, so that we hear of it before we hang up. */
const serversPart = 0.9;

/** A database behind a pool of connections, which are made when they are needed: nothing is connected yet. */
export const openDatabase = ({ url, poolSize, timeLimit }: DatabaseSettings, log: Log): Database => {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: timeLimit,
    query_timeout: timeLimit,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'triage-api',
    onConnect: async (client) => {
      // The pool listens to those that are idle. One on loan that breaks tells its statement, and would end the process here.
      client.on('error', () => {});
      // Behind a pooler this reaches whoever it likes: there the role has to say so itself.
      const limit = String(Math.ceil(timeLimit * serversPart));
      await client.query("SELECT set_config('statement_timeout', $1, false)", [limit]);
    },
  });
  const connections = new Set<pg.PoolClient>();
  pool.on('connect', (client) => connections.add(client));
  pool.on('remove', (client) => connections.delete(client));
  pool.on('error', (cause) => log('debug', 'a connection to the database ended', { cause: String(cause) }));

  const run = async ({ text, values }: Statement): Promise<readonly unknown[]> => {
    if (pool.waitingCount >= poolSize * mostWaiting)
      throw new Error('all connections to the database are busy');
    const lease = leaseFrom(pool);
    const work = lease.taken.then(async (client) => (await client.query(text, [...values])).rows);
    work.then(
      () => lease.end(false),
      // A connection on which the server refused something is as good as before.
      (error: unknown) => lease.end(!(error instanceof pg.DatabaseError)),
    );
    return before(timeLimit, work, () => lease.end(true));
  };
  return {
    ask: (statement) => TE.tryCatch(() => run(statement), databaseError),
    close: async () => {
      let cutOff: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        cutOff = setTimeout(resolve, parting);
      });
      await Promise.race([pool.end(), late]);
      clearTimeout(cutOff);
      for (const client of connections) socketOf(client)?.destroy();
    },
  };
};

/** The socket of a connection; the types of the driver keep it to themselves. */
const socketOf = (client: pg.PoolClient): Duplex | null => {
  const { connection } = Object(client);
  const { stream } = Object(connection);
  return stream instanceof Duplex ? stream : null;
};

/** A connection on loan. It goes back once, whoever says so first; `broken`: nobody is to have it again. */
const leaseFrom = (pool: pg.Pool) => {
  let isOver = false;
  let held: pg.PoolClient | null = null;
  const taken = pool.connect().then((client) => {
    if (isOver) {
      client.release();
      throw new Error('the connection came too late');
    }
    held = client;
    return client;
  });
  return {
    taken,
    end: (broken: boolean): void => {
      if (isOver) return;
      isOver = true;
      held?.release(broken);
    },
  };
};

/** What work comes to if it does so in time; else it has failed, and `late` is told. */
const before = <A>(milliseconds: number, work: Promise<A>, late: () => void): Promise<A> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      late();
      reject(new Error(`no answer from the database within ${milliseconds} ms`));
    }, milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
