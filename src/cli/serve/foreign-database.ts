import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { openDatabase } from '../../storage/postgres/database.js';
import { databaseOwner } from '../../storage/postgres/schema.js';
import { databaseName, formatStorageError } from '../output/database.js';

/**
 * Why a database is not known to be one of triage-api: it has no schema of it, or cannot be queried. Null: it
 * has one, be it of another version.
 */
export const whyForeign = async (url: string, timeLimit: number): Promise<string | null> => {
  const database = openDatabase({ url, poolSize: 1, timeLimit }, () => {});
  try {
    return await pipe(
      databaseOwner(database),
      TE.match(
        (error) => `${databaseName(url)} cannot be queried: ${formatStorageError(error)}`,
        ({ _tag }) => (_tag === 'TriageApi' ? null : `${databaseName(url)} has no schema of triage-api`),
      ),
    )();
  } finally {
    await database.close();
  }
};
