import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import type { StorageError } from '../port.js';
import { answerOf } from './answer-of.js';
import { databaseError } from './database-error.js';
import { migrationsFolder } from './migrations.js';
import { migrationsTable, schemaProblem, schemaState } from './schema-state.js';
import { singleConnection } from './single-connection.js';

/** The database cannot be prepared as it is; `reason` says why, for people. */
export type Unfit = Readonly<{ _tag: 'Unfit'; reason: string }>;

/**
 * Applies the migrations that have not been applied yet, all or none, and tells their names. Several at once wait for each
 * other, and what one has done the next finds done.
 */
export const migrate = (client: pg.Client): TE.TaskEither<StorageError | Unfit, readonly string[]> => {
  const database = singleConnection(client);
  return pipe(
    database.ask({ text: 'SHOW server_encoding', values: [] }),
    TE.flatMapEither(([row]) => answerOf(Encoding, 'server_encoding')(row)),
    TE.flatMapEither(
      ({ server_encoding: encoding }): E.Either<StorageError | Unfit, void> =>
        encoding === 'UTF8'
          ? E.right(undefined)
          : E.left({ _tag: 'Unfit', reason: `expected a database in UTF8, got one in ${encoding}` }),
    ),
    TE.flatMap(() => schemaState(database)),
    TE.flatMap((state): TE.TaskEither<StorageError | Unfit, readonly string[]> => {
      const problem = schemaProblem(state);
      return state._tag === 'Newer' && problem !== null
        ? TE.left({ _tag: 'Unfit', reason: problem })
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
