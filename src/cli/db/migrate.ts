import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { StorageError } from '../../storage/port.js';
import { type Database, singleConnection, withConnection } from '../../storage/postgres/database.js';
import {
  defaultLockTimeout,
  type MigrateEvent,
  migrate,
  type UnsuitableDatabase,
} from '../../storage/postgres/migrate.js';
import { defaultRolePrefix, roleNames } from '../../storage/postgres/roles.js';
import { schemaProblem, schemaState } from '../../storage/postgres/schema.js';
import { defineCommand } from '../define-command.js';
import { databaseName, formatStorageError } from '../output/text.js';
import { databaseOwner } from '../serve/database-checks.js';
import { DatabaseTimeout, RolePrefix } from '../settings/codecs.js';
import { flag, type SettingsOf, valueOr } from '../settings/option.js';
import { databaseOptions } from '../settings/shared-options.js';
import { type ExitCode, exitCode, type Terminal } from '../terminal/terminal.js';

const migrateOptions = {
  ...databaseOptions,
  check: flag('--check', 'change nothing; exit code 1 if a migration is missing', { notInFile: true }),
  roles: flag('--roles', 'set up roles that own, serve, write and read, and do nothing else'),
  rolePrefix: valueOr('--role-prefix <prefix>', RolePrefix, defaultRolePrefix, 'what their names begin with'),
  citus: flag('--citus', 'distribute tenants to the workers of Citus; there is no way back'),
  lockTimeout: valueOr(
    '--lock-timeout <ms>',
    DatabaseTimeout,
    String(defaultLockTimeout),
    'how long to wait for a lock, and requests behind it',
  ),
};

type MigrateSettings = SettingsOf<typeof migrateOptions> &
  Readonly<{
    /** Whether the database is named by `DATABASE_URL` alone, which may be that of another program. */
    isGeneric: boolean;
  }>;

/** Applies the missing migrations, and prints their names; with `check` only says which are missing. */
const migrateDatabase = (settings: MigrateSettings, terminal: Terminal): Promise<ExitCode> =>
  pipe(
    settings.check ? checkSchema(settings, terminal) : applyMissing(settings, terminal),
    TE.getOrElse((error) => async (): Promise<ExitCode> => {
      terminal.progress('');
      const reason = error._tag === 'UnsuitableDatabase' ? error.reason : formatStorageError(error);
      terminal.err(`${databaseName(settings.databaseUrl)}: ${reason}`);
      return exitCode.failed;
    }),
  )();

type MigrateError = StorageError | UnsuitableDatabase;

const checkSchema = (
  { databaseUrl }: MigrateSettings,
  terminal: Terminal,
): TE.TaskEither<MigrateError, ExitCode> =>
  pipe(
    withConnection(databaseUrl, (client) => schemaState(singleConnection(client))),
    TE.map(schemaProblem),
    TE.map((problem): ExitCode => {
      if (problem === null) terminal.out(upToDate(databaseUrl));
      else terminal.err(`${databaseName(databaseUrl)}: ${problem}`);
      return problem === null ? exitCode.done : exitCode.failed;
    }),
  );

const applyMissing = (
  { databaseUrl, roles, rolePrefix, citus, lockTimeout, isGeneric }: MigrateSettings,
  terminal: Terminal,
): TE.TaskEither<MigrateError, ExitCode> => {
  const names = roles ? roleNames(rolePrefix) : null;
  const print = ({ _tag, text }: MigrateEvent): void => {
    if (_tag === 'Done') terminal.out(text);
    else terminal.err(_tag === 'Warning' ? `warning: ${text}` : text);
  };
  terminal.progress(`applying migrations to ${databaseName(databaseUrl)}`);
  return pipe(
    withConnection(databaseUrl, (client) =>
      pipe(
        isGeneric ? refuseDatabaseOfAnother(singleConnection(client)) : TE.right(undefined),
        TE.flatMap(() => migrate(client, { lockTimeout, roles: names, citus, onEvent: print })),
      ),
    ),
    TE.map((applied): ExitCode => {
      terminal.progress('');
      for (const name of applied) terminal.out(`applied ${name}`);
      terminal.out(upToDate(databaseUrl));
      if (names !== null) {
        terminal.out('create a role for the server with, for example:');
        terminal.out(`  CREATE ROLE app LOGIN IN ROLE ${names.serve};`);
        terminal.out('and set its password with \\password app in psql');
      }
      return exitCode.done;
    }),
  );
};

/** `DATABASE_URL` may be that of another program, whose database must not get our schema by mistake. */
const refuseDatabaseOfAnother = (database: Pick<Database, 'query'>): TE.TaskEither<MigrateError, void> =>
  pipe(
    databaseOwner(database),
    TE.flatMap((owner) =>
      owner._tag === 'Another'
        ? TE.left<MigrateError>({
            _tag: 'UnsuitableDatabase',
            reason:
              `DATABASE_URL names a database with other tables (${owner.tables.join(', ')}) and without the ` +
              'schema of triage-api; if it is to get one, set TRIAGE_DATABASE_URL or pass --database-url',
          })
        : TE.right(undefined),
    ),
  );

const upToDate = (databaseUrl: string): string => `${databaseName(databaseUrl)}: the schema is up to date`;

/** `triage-api db migrate`. */
export const migrateCommand = defineCommand({
  name: 'db migrate',
  description: 'prepare a PostgreSQL database: apply the migrations that are missing',
  options: migrateOptions,
  examples: [
    {
      does: 'create the schema, or bring it up to date',
      command: 'triage-api db migrate --database-url postgres://localhost/triage',
    },
    {
      does: 'fail if a migration is missing',
      command: 'triage-api db migrate --check --database-url postgres://localhost/triage',
    },
  ],
  conflicts: ({ settings: { check, roles, citus } }) => {
    const changing = check ? [...(roles ? ['--roles'] : []), ...(citus ? ['--citus'] : [])] : [];
    return changing.map((name) => `--check and ${name} cannot be used together: --check changes nothing`);
  },
  run: (settings, terminal, _argument, _version, _words, { origins }) =>
    migrateDatabase({ ...settings, isGeneric: origins.databaseUrl?.kind === 'common' }, terminal),
});
