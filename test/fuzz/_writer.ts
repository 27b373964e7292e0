import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Random } from '../../src/generator/random.js';
import { aStatement, maintenance, type Tenant, tenants, truncation } from './_statements.js';

/**
 * What may become of a statement: a conflict (40…, 55P03), a row that a constraint or a policy refuses, a
 * truncation that is refused at this isolation level, an end of the server or of the connection.
 */
const expectedCodes = /^(?:40001|40P01|55P03|23\d\d\d|21000|42501|0A000|57P0[123]|08\d\d\d)$/;

export type Writer = Readonly<{
  /** Does the next thing, as drawn; resolves once that is done or waits for a lock. */
  step: (random: Random) => Promise<void>;
  /** Ends the transaction if it is not waiting; resolves to whether the writer has none any more. */
  end: (random: Random) => Promise<boolean>;
  /** Whether readers may have to wait for it. */
  isExclusive: () => boolean;
  /** Whether a statement runs, which waits for a lock then. */
  isRunning: () => boolean;
  /** The process of its connection, or null. */
  pid: () => number | null;
  /** Waits until the statement that waited for a lock does so no more, if that is so. */
  settle: () => Promise<void>;
}>;

type Done = Readonly<{ about: Tenant; text: string }>;

type Situation = Readonly<{
  name: string;
  url: string;
  /** Row-level security holds everyone but the owner of the tables. */
  isHeld: boolean;
  /** Whether a connection waits for a lock. */
  isWaiting: (pid: number) => Promise<boolean>;
  /** Is told when it begins to exclude readers. */
  exclude: () => void;
  /** Notes what was done and what became of it. */
  note: (line: string) => void;
}>;

/**
 * A program that writes, one statement at a time, whenever the schedule says so. What it does follows from
 * the random numbers and from what became of its statements.
 */
export const writer = ({ name, url, isHeld, isWaiting, exclude, note }: Situation): Writer => {
  let client: pg.Client | null = null;
  let ended: Promise<void> = Promise.resolve();
  let pid: number | null = null;
  let running: Promise<void> | null = null;
  let tenant: Tenant = tenants[0];
  /** The tenant at each savepoint: to go back to it undoes the setting. */
  let savepoints: readonly Tenant[] = [];
  let left = 0;
  let isExclusive = false;
  let done: Done[] = [];
  let toRepeat: readonly Done[] = [];
  let failure: unknown = null;

  const connect = async (): Promise<void> => {
    const made = new pg.Client({ connectionString: url });
    made.on('error', () => {});
    ended = new Promise<void>((resolve) => {
      made.once('end', () => {
        client = null;
        resolve();
      });
    });
    await made.connect();
    // Nobody who waits for all rows of a table makes readers wait for long.
    if (!isHeld) await made.query("SET lock_timeout = '200ms'");
    pid = Number((await made.query('SELECT pg_backend_pid() AS pid')).rows[0].pid);
    client = made;
  };

  /** Waits for the statement that runs; a lock that is not free after several looks is one of another writer. */
  const settle = async (): Promise<void> => {
    for (let looks = 0; running !== null && looks < 5; ) {
      if (await Promise.race([running.then(() => true), setTimeout(5, false)])) break;
      looks = pid !== null && (await isWaiting(pid)) ? looks + 1 : 0;
    }
    if (failure !== null) throw failure;
  };

  const send = async (to: pg.Client, text: string, exclusive = false): Promise<void> => {
    if (exclusive) exclude();
    isExclusive ||= exclusive;
    const about = tenant;
    // The transaction is known to have failed a moment after its statement.
    const isReady = Promise.race([new Promise<void>((resolve) => to.once('drain', resolve)), ended]);
    const outcome = async (): Promise<string> => {
      try {
        const { rows, command, rowCount } = await to.query(text);
        const strange = rows.find((row) => 'user_id' in row && row.user_id !== about);
        if (strange !== undefined) failure = new Error(`${name} reached a row of another tenant: ${text}`);
        return `${command} ${rowCount ?? ''}`;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) return 'the connection was lost';
        if (!expectedCodes.test(error.code ?? '')) failure = error;
        if (/^40/.test(error.code ?? '') && done.length > 0) toRepeat = done;
        return `${error.code} ${error.message}`;
      }
    };
    running = outcome().then(async (result) => {
      await isReady;
      running = null;
      // A lock is held until the transaction ends, in whatever way.
      if (client !== to || to.getTransactionStatus() === 'I') isExclusive = false;
      note(`${name}: ${text} -- ${result}`);
    });
    await settle();
  };

  const become = async (to: pg.Client, next: Tenant): Promise<void> => {
    tenant = next;
    if (isHeld) await send(to, `SELECT set_config('triage.user_id', '${tenant}', true)`);
  };

  const begin = async (to: pg.Client, random: Random): Promise<void> => {
    const level = random.weighted([
      [3, 'READ COMMITTED'],
      [2, 'REPEATABLE READ'],
      [2, 'SERIALIZABLE'],
    ]);
    left = random.weighted([
      [6, 1 + random.below(6)],
      [1, 40],
    ]);
    savepoints = [];
    done = [];
    await send(to, `BEGIN ISOLATION LEVEL ${level}`);
    await become(to, random.pick(tenants));
  };

  const goBack = async (to: pg.Client, index: number): Promise<void> => {
    tenant = savepoints[index] ?? tenant;
    savepoints = savepoints.slice(0, index + 1);
    await send(to, `ROLLBACK TO SAVEPOINT s${index}`);
  };

  const inTransaction = async (to: pg.Client, random: Random): Promise<void> => {
    left -= 1;
    const index = random.below(Math.max(1, savepoints.length));
    const next = random.weighted([
      [16, 'statement'],
      [2, 'savepoint'],
      [savepoints.length > 0 ? 2 : 0, 'back'],
      [savepoints.length > 0 ? 1 : 0, 'release'],
      [1, 'tenant'],
      [isHeld ? 0 : 1, 'truncate'],
    ] as const);
    if (next === 'savepoint') {
      savepoints = [...savepoints, tenant];
      await send(to, `SAVEPOINT s${savepoints.length - 1}`);
    } else if (next === 'back') await goBack(to, index);
    else if (next === 'release') {
      savepoints = savepoints.slice(0, index);
      await send(to, `RELEASE SAVEPOINT s${index}`);
    } else if (next === 'tenant') await become(to, random.pick(tenants));
    else if (next === 'truncate') await send(to, truncation(random), true);
    else {
      const [repeated, ...others] = toRepeat;
      toRepeat = others;
      if (repeated !== undefined && repeated.about !== tenant) await become(to, repeated.about);
      const text = repeated?.text ?? aStatement(random, tenant, isHeld);
      done.push({ about: tenant, text });
      await send(to, text);
    }
  };

  /** Leaves a transaction in which a statement has failed, as a whole or back to a savepoint. */
  const recover = async (to: pg.Client, random: Random): Promise<void> => {
    if (savepoints.length > 0 && random.percent(60)) await goBack(to, random.below(savepoints.length));
    else await send(to, 'ROLLBACK');
  };

  const end = async (random: Random): Promise<boolean> => {
    if (running !== null) return false;
    const status = client?.getTransactionStatus();
    if (client !== null && status === 'T') await send(client, random.percent(75) ? 'COMMIT' : 'ROLLBACK');
    else if (client !== null && status === 'E') await send(client, 'ROLLBACK');
    return running === null;
  };

  return {
    step: async (random) => {
      if (running !== null) return;
      if (client === null) return connect();
      const status = client.getTransactionStatus();
      if (status === 'E') return recover(client, random);
      if (status === 'T' && left > 0) return inTransaction(client, random);
      if (status === 'T') {
        await end(random);
        return;
      }
      if (!isHeld && random.percent(10)) return send(client, maintenance(random), true);
      if (!isHeld && random.percent(10)) return send(client, truncation(random), true);
      if (isHeld || random.percent(80)) return begin(client, random);
      tenant = random.pick(tenants);
      return send(client, aStatement(random, tenant, isHeld));
    },
    end,
    isExclusive: () => isExclusive,
    isRunning: () => running !== null,
    pid: () => (client === null ? null : pid),
    settle: async () => {
      if (running !== null && pid !== null && (client === null || !(await isWaiting(pid)))) await settle();
    },
  };
};
