import { readdir } from 'node:fs/promises';
import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../../codecs/list.js';
import { compareCodePoints } from '../../../common/compare-code-points.js';
import type { StorageError } from '../../port.js';
import type { Database } from '../database.js';
import { decodeResult } from '../decode-result.js';
import { migrationsFolder } from '../schema-state.js';

/** What the rows of tenants are on: the server itself, or the workers of a Citus coordinator. */
export type Engine = 'single' | 'citus';

/** The folder of the migrations that distribute the schema. */
export const distributionFolder = `${migrationsFolder}/citus`;

/** The names of the migrations that distribute the schema, in order. */
export const distributionNames = async (): Promise<readonly string[]> =>
  (await readdir(distributionFolder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort(compareCodePoints);

/** Finds out whether the schema is distributed. It takes no right but to use the schema. */
export const engineStatement = "SELECT to_regclass('triage.distribution') IS NOT NULL AS found";

const Found = t.strict({ found: t.boolean }, 'table of distribution');

/** The engine of a database with the schema. */
export const engineOf = (database: Pick<Database, 'query'>): TE.TaskEither<StorageError, Engine> =>
  pipe(
    database.query({ text: engineStatement, values: [] }),
    TE.flatMapEither(([row]) => decodeResult(Found, 'engine')(row)),
    TE.map(({ found }): Engine => (found ? 'citus' : 'single')),
  );

const Names = listOf(t.strict({ name: t.string }, 'migration'));

/** The migrations of this version that a distributed database lacks. */
export const missingDistribution = (
  database: Pick<Database, 'query'>,
): TE.TaskEither<StorageError, readonly string[]> =>
  pipe(
    database.query({ text: 'SELECT name FROM triage.distribution', values: [] }),
    TE.flatMapEither(decodeResult(Names, 'distribution')),
    TE.flatMap((rows) =>
      TE.fromTask(async () => {
        const applied = new Set(rows.map(({ name }) => name));
        return (await distributionNames()).filter((name) => !applied.has(name));
      }),
    ),
  );

/** Why a database cannot be used although its migrations are those of this version; null if it can. */
export const distributionProblem = (
  database: Pick<Database, 'query'>,
): TE.TaskEither<StorageError, string | null> =>
  byEngine(
    engineOf(database),
    () => TE.right(null),
    () => pipe(missingDistribution(database), TE.map(problemOf)),
  );

const problemOf = (missing: readonly string[]): string | null =>
  missing.length === 0
    ? null
    : 'the schema of the database is older than this version of triage-api ' +
      `(not applied: ${missing.map((name) => `citus/${name}`).join(', ')}); run: triage-api migrate`;

/** Runs what suits the engine. */
export const byEngine = <Err, A>(
  engine: TE.TaskEither<StorageError, Engine>,
  onSingle: () => TE.TaskEither<Err, A>,
  onCitus: () => TE.TaskEither<Err, A>,
): TE.TaskEither<Err | StorageError, A> =>
  pipe(
    engine,
    TE.flatMap((found): TE.TaskEither<Err | StorageError, A> => (found === 'citus' ? onCitus() : onSingle())),
  );
