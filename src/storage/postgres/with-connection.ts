import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import pg from 'pg';
import { type DatabaseError, databaseError } from './database-error.js';

/** How long a command waits for a connection, in milliseconds. */
const patience = 10_000;

/** Does something on a connection of its own, which may take as long as it takes, and closes it whatever happens. */
export const withConnection =
  <Err, A>(
    url: string,
    work: (client: pg.Client) => TaskEither<Err, A>,
  ): TaskEither<Err | DatabaseError, A> =>
  async () => {
    let client: pg.Client | null = null;
    try {
      // What the URL names is read here: a certificate that is not there throws.
      client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: patience,
        application_name: 'triage-api',
      });
      // The statement under way is told when the connection breaks; nobody else waits for it.
      client.on('error', () => {});
      await client.connect();
      return await work(client)();
    } catch (cause) {
      return E.left(databaseError(cause));
    } finally {
      await client?.end().catch(() => {});
    }
  };
