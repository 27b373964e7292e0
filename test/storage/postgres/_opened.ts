import type { ExecutionContext } from 'ava';
import type { Storage } from '../../../src/storage/port.js';
import {
  type DatabaseSettings,
  openDatabase,
  type PooledDatabase,
} from '../../../src/storage/postgres/database.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';

/** A pool of connections that is closed when the test is over. */
export const opened = (
  t: ExecutionContext,
  url: string,
  over: Partial<DatabaseSettings> = {},
): PooledDatabase => {
  const database = openDatabase({ url, poolSize: 4, timeLimit: 5000, ...over }, () => {});
  t.teardown(database.close);
  return database;
};

/** A storage over the database at a URL, until the test is over. */
export const storageAt = (t: ExecutionContext, url: string, over: Partial<DatabaseSettings> = {}): Storage =>
  postgresStorage({ database: opened(t, url, over) }, () => {});
