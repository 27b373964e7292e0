import type pg from 'pg';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { StorageError } from '../port.js';
import { distributionProblem } from './citus/engine.js';
import { singleConnection, withConnection } from './connection.js';
import { schemaProblem, schemaState } from './schema-state.js';

/** The schema is not that of this version; `reason` is a message for people, with the command to run. */
export type WrongSchema = Readonly<{ _tag: 'WrongSchema'; reason: string }>;

/** Runs `work` on a connection of its own to a database with the schema of this version. */
export const withCurrentSchema = <Err, A>(
  url: string,
  work: (client: pg.Client) => TE.TaskEither<Err, A>,
): TE.TaskEither<Err | StorageError | WrongSchema, A> =>
  withConnection(url, (client) =>
    pipe(
      schemaState(singleConnection(client)),
      TE.map(schemaProblem),
      TE.flatMap((problem) =>
        problem === null ? distributionProblem(singleConnection(client)) : TE.right(problem),
      ),
      TE.flatMap(
        (reason): TE.TaskEither<StorageError | WrongSchema, void> =>
          reason === null ? TE.right(undefined) : TE.left({ _tag: 'WrongSchema', reason }),
      ),
      TE.flatMap((): TE.TaskEither<Err | StorageError | WrongSchema, A> => work(client)),
    ),
  );
