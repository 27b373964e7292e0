import pg from 'pg';
import * as E from '#fp-ts/Either';
import type * as TE from '#fp-ts/TaskEither';
import { type DatabaseError, databaseError } from './database-error.js';

const connectionTimeout = 10_000;

/** Runs `work` on a connection of its own, without a time limit, and closes the connection in any case. */
export const withConnection =
  <Err, A>(
    url: string,
    work: (client: pg.Client) => TE.TaskEither<Err, A>,
  ): TE.TaskEither<Err | DatabaseError, A> =>
  async () => {
    let client: pg.Client | null = null;
    try {
      // The constructor reads the certificates that the URL names, and throws if one is missing.
      client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: connectionTimeout,
        application_name: 'triage-api',
      });
      // A lost connection already rejects the running query; without a listener Node would exit.
      client.on('error', () => {});
      await client.connect();
      return await work(client)();
    } catch (cause) {
      return E.left(databaseError(cause));
    } finally {
      await client?.end().catch(() => {});
    }
  };
