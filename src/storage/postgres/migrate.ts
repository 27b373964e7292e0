import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import type { StorageError } from '../port.js';
import { singleConnection } from './connection.js';
import { databaseError } from './database-error.js';
import { decodeResult } from './decode-result.js';
import { migrationsFolder, migrationsTable, schemaProblem, schemaState } from './schema-state.js';

/** The database cannot be migrated; `reason` is a message for people. */
export type UnsuitableDatabase = Readonly<{ _tag: 'UnsuitableDatabase'; reason: string }>;

/**
 * Applies the missing migrations, all or none, and returns their names. Concurrent runs wait for each other,
 * and the later ones find nothing to do.
 */
export const migrate = (
  client: pg.Client,
): TE.TaskEither<StorageError | UnsuitableDatabase, readonly string[]> => {
  const database = singleConnection(client);
  return pipe(
    database.query({ text: 'SHOW server_encoding', values: [] }),
    TE.flatMapEither(([row]) => decodeResult(Encoding, 'server_encoding')(row)),
    TE.flatMapEither(
      ({ server_encoding: encoding }): E.Either<StorageError | UnsuitableDatabase, void> =>
        encoding === 'UTF8'
          ? E.right(undefined)
          : E.left({
              _tag: 'UnsuitableDatabase',
              reason: `the encoding of the database is ${encoding}; it must be UTF8`,
            }),
    ),
    TE.flatMap(() => schemaState(database)),
    TE.flatMap((state): TE.TaskEither<StorageError | UnsuitableDatabase, readonly string[]> => {
      const problem = schemaProblem(state);
      return state._tag === 'Newer' && problem !== null
        ? TE.left({ _tag: 'UnsuitableDatabase', reason: problem })
        : TE.tryCatch(() => apply(client), databaseError);
    }),
  );
};

const Encoding = t.strict({ server_encoding: t.string }, 'server_encoding');

const apply = async (client: pg.Client): Promise<readonly string[]> => {
  const applied = await runner({
    dbClient: client,
    dir: migrationsFolder,
    direction: 'up',
    schema: migrationsTable.schema,
    createSchema: true,
    migrationsTable: migrationsTable.table,
    advisoryLockMode: 'wait',
    log: () => {},
  });
  return applied.map(({ name }) => name);
};
