import pg from 'pg';
import type { WriteCase } from './write-cases.js';

/** Connections that write at the same time. */
export type Writers = Readonly<{
  /** Runs so many transactions, as many at a time as there are connections. */
  run: (writeCase: WriteCase, transactions: number) => Promise<Written>;
  close: () => Promise<void>;
}>;

export type Written = Readonly<{ perSecond: number; deadlocks: number }>;

const deadlockDetected = '40P01';

/**
 * Opens so many connections. PostgreSQL looks for a deadlock after ten milliseconds instead of a second, so
 * that thousands of deadlocks can be counted.
 */
export const connectWriters = async (url: string, count: number): Promise<Writers> => {
  const options = '-c deadlock_timeout=10ms';
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: url, options }));
  // A server that stops says so to each connection; without a listener Node would end.
  for (const client of clients) client.on('error', () => {});
  await Promise.all(clients.map((client) => client.connect()));
  return {
    run: async (writeCase, transactions) => {
      let started = 0;
      let deadlocks = 0;
      const writeUntilEnough = async (client: pg.Client): Promise<void> => {
        while (started < transactions) {
          started += 1;
          if (await deadlocksIn(client, writeCase)) deadlocks += 1;
        }
      };
      const start = performance.now();
      await Promise.all(clients.map(writeUntilEnough));
      return { perSecond: transactions / ((performance.now() - start) / 1000), deadlocks };
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
};

/** Runs one transaction; true: it was the victim of a deadlock, and has changed nothing. */
const deadlocksIn = async (client: pg.Client, { transaction }: WriteCase): Promise<boolean> => {
  const statements = transaction();
  const isSingle = statements.length === 1;
  try {
    if (!isSingle) await client.query('BEGIN');
    for (const { name, text, values } of statements) await client.query({ name, text, values: [...values] });
    if (!isSingle) await client.query('COMMIT');
    return false;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== deadlockDetected) throw error;
    if (!isSingle) await client.query('ROLLBACK');
    return true;
  }
};
