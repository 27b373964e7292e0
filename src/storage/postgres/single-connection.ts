import * as TE from 'fp-ts/lib/TaskEither.js';
import type pg from 'pg';
import type { Database } from './database.js';
import { databaseError } from './database-error.js';

/** A connection that one command has for itself, for as long as its statements take. */
export const singleConnection = (client: pg.Client): Pick<Database, 'ask'> => ({
  ask: ({ text, values }) =>
    TE.tryCatch(async () => (await client.query(text, [...values])).rows, databaseError),
});
