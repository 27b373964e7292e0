import * as t from 'io-ts';
import type pg from 'pg';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { StorageError } from '../port.js';
import { type Applied, applyMigrations } from './apply-migrations.js';
import { CitusRefused } from './citus/citus-refused.js';
import { byEngine, engineOf, missingDistribution } from './citus/engine.js';
import { singleConnection } from './connection.js';
import type { Database } from './database.js';
import { databaseError, hasCode } from './database-error.js';
import { decodeResult } from './decode-result.js';
import type { WatchLocks } from './lock-waits.js';
import type { RoleNames } from './roles/role-names.js';
import { RolesRefused } from './roles/roles-refused.js';
import { type SchemaState, schemaProblem, schemaState } from './schema-state.js';

/** The database cannot be migrated; `reason` is a message for people. */
export type UnsuitableDatabase = Readonly<{ _tag: 'UnsuitableDatabase'; reason: string }>;

export type MigrateOptions = Readonly<{
  /**
   * How long a statement may wait for a lock, in milliseconds. Requests for the same table queue behind it
   * for that long; then all is rolled back and tried again later.
   */
  lockTimeout: number;
  /** How long to wait before each further attempt, in milliseconds. */
  pauses: readonly number[];
  /** The roles to set up; null leaves the set of roles as it is. */
  roles: RoleNames | null;
  /** Distributes the schema to the workers of Citus; one that is distributed stays so. */
  citus: boolean;
  /** Receives lines for people: what is done about roles, what is waited for, warnings of the database. */
  onEvent: (event: MigrateEvent) => void;
  /** Reports what locks are waited for. */
  watchLocks: WatchLocks;
}>;

export type MigrateEvent = Readonly<{ _tag: 'Done' | 'Waiting' | 'Warning'; text: string }>;

/**
 * Shorter than the timeout of a request, so that requests survive the wait, and than the time after which
 * PostgreSQL looks for deadlocks, so that the migration gives way and never a request.
 */
export const defaultLockTimeout = 500;

/** About a minute and a half in all. */
const defaultPauses = [500, 1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000, 8000, 8000, 8000, 8000];

const defaults: MigrateOptions = {
  lockTimeout: defaultLockTimeout,
  pauses: defaultPauses,
  roles: null,
  citus: false,
  onEvent: () => {},
  watchLocks: () => async () => {},
};

/**
 * Applies the missing migrations, all or none, and returns their names. Concurrent runs wait for each other,
 * and the later ones find nothing to do.
 */
export const migrate = (
  client: pg.Client,
  options: Partial<MigrateOptions> = {},
): TE.TaskEither<StorageError | UnsuitableDatabase, readonly string[]> => {
  const database = singleConnection(client);
  return pipe(
    database.query({ text: 'SHOW server_encoding', values: [] }),
    TE.flatMapEither(([row]) => decodeResult(Encoding, 'server_encoding')(row)),
    TE.flatMapEither(
      ({ server_encoding: encoding }): E.Either<StorageError | UnsuitableDatabase, void> =>
        encoding === 'UTF8'
          ? E.right(undefined)
          : E.left(unsuitable(`the encoding of the database is ${encoding}; it must be UTF8`)),
    ),
    TE.flatMap(() => schemaState(database)),
    TE.flatMap((state) =>
      pipe(
        isComplete(database, state, options.citus ?? defaults.citus),
        TE.flatMap((nothingMissing) =>
          migrateFrom(client, state, nothingMissing, { ...defaults, ...options }),
        ),
      ),
    ),
  );
};

const Encoding = t.strict({ server_encoding: t.string }, 'server_encoding');

const unsuitable = (reason: string): UnsuitableDatabase => ({ _tag: 'UnsuitableDatabase', reason });

/** Whether no migration is missing, nor one of those that distribute the schema. */
const isComplete = (
  database: Pick<Database, 'query'>,
  state: SchemaState,
  toDistribute: boolean,
): TE.TaskEither<StorageError, boolean> =>
  state._tag !== 'Current'
    ? TE.right(false)
    : byEngine(
        engineOf(database),
        () => TE.right(!toDistribute),
        () =>
          pipe(
            missingDistribution(database),
            TE.map((missing) => missing.length === 0),
          ),
      );

const migrateFrom = (
  client: pg.Client,
  state: SchemaState,
  nothingMissing: boolean,
  options: MigrateOptions,
): TE.TaskEither<StorageError | UnsuitableDatabase, readonly string[]> => {
  const problem = schemaProblem(state);
  if (state._tag === 'Newer' && problem !== null) return TE.left(unsuitable(problem));
  // The right to read the table of migrations is enough to find that there is nothing to do.
  if (nothingMissing && options.roles === null) return TE.right([]);
  return pipe(
    TE.tryCatch(
      () => applyPatiently(client, options),
      (error) =>
        error instanceof RolesRefused || error instanceof CitusRefused
          ? unsuitable(error.message)
          : databaseError(error),
    ),
    TE.map(({ migrations, roles }) => {
      for (const text of roles.done) options.onEvent({ _tag: 'Done', text });
      return migrations;
    }),
  );
};

/** Tries again when a lock was not to be had in time. */
const applyPatiently = async (client: pg.Client, options: MigrateOptions): Promise<Applied> => {
  const { pauses, onEvent, watchLocks } = options;
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const warnings = new Set<string>();
  const note = ({
    severity,
    message,
  }: Readonly<{ severity?: string | undefined; message?: string | undefined }>): void => {
    if (severity !== 'WARNING' || message === undefined) return;
    // Functions that the distribution drops.
    if (!/has dependency to .* not in Citus' metadata/.test(message)) warnings.add(message);
  };
  const noted = (applied: Applied): Applied => {
    for (const text of applied.roles.warnings) warnings.add(text);
    return applied;
  };
  const told = new Set<string>();
  const tell = (text: string): void => {
    if (!told.has(text)) onEvent({ _tag: 'Waiting', text });
    told.add(text);
  };
  client.on('notice', note);
  const stopWatching = watchLocks(Number(rows[0].pid), tell);
  try {
    for (const pause of pauses) {
      const applied = await attempt(client, options);
      if (applied !== null) return noted(applied);
      onEvent({
        _tag: 'Waiting',
        text: `no lock within ${options.lockTimeout} ms; nothing has changed; trying again in ${pause / 1000} s`,
      });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return noted(await applyMigrations(client, options));
  } finally {
    await stopWatching();
    client.off('notice', note);
    for (const text of warnings) onEvent({ _tag: 'Warning', text });
  }
};

/** Null: a lock was not to be had in time, or a deadlock made this transaction give way. */
const attempt = async (client: pg.Client, options: MigrateOptions): Promise<Applied | null> => {
  try {
    return await applyMigrations(client, options);
  } catch (error) {
    if (hasCode(error, '55P03') || hasCode(error, '40P01')) return null;
    throw error;
  }
};
