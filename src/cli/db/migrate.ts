import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { StorageError } from '../../storage/port.js';
import { type Asked, singleConnection, withConnection } from '../../storage/postgres/database.js';
import { defaultLockTimeout, type MigrateEvent, migrate } from '../../storage/postgres/migrate.js';
import { defaultRolePrefix, roleNames } from '../../storage/postgres/roles.js';
import { type UnsuitableDatabase, unsuitable, withCurrentSchema } from '../../storage/postgres/schema.js';
import { defineCommand } from '../define-command.js';
import { databaseName, formatStorageError } from '../output/text.js';
import { findTables } from '../serve/database-checks.js';
import { DatabaseTimeout, RolePrefix } from '../settings/codecs.js';
import { flag, type SettingsOf, valueOr } from '../settings/option.js';
import { databaseOptions } from '../settings/shared-options.js';
import { type ExitCode, exitCode, fail, type Terminal } from '../terminal/terminal.js';

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
const migrateDatabase = async (settings: MigrateSettings, terminal: Terminal): Promise<ExitCode> => {
  const name = databaseName(settings.databaseUrl);
  const done = await (settings.check ? schemaIsCurrent : applyMissing)(settings, terminal)();
  if (E.isLeft(done)) return fail(terminal, [`${name}: ${formatStorageError(done.left)}`]);
  terminal.progress('');
  for (const applied of done.right) terminal.out(`applied ${applied}`);
  terminal.out(`${name}: the schema is up to date`);
  if (!settings.check && settings.roles) {
    terminal.out('create a role for the server with, for example:');
    terminal.out(`  CREATE ROLE app LOGIN IN ROLE ${roleNames(settings.rolePrefix).serve};`);
    terminal.out('and set its password with \\password app in psql');
  }
  return exitCode.done;
};

type MigrateError = StorageError | UnsuitableDatabase;

const schemaIsCurrent = ({ databaseUrl }: MigrateSettings): TE.TaskEither<MigrateError, readonly string[]> =>
  withCurrentSchema(databaseUrl, () => TE.right([]));

const applyMissing = (
  { databaseUrl, roles, rolePrefix, citus, lockTimeout, isGeneric }: MigrateSettings,
  terminal: Terminal,
): TE.TaskEither<MigrateError, readonly string[]> => {
  const options = {
    lockTimeout,
    roles: roles ? roleNames(rolePrefix) : null,
    citus,
    onEvent: ({ _tag, text }: MigrateEvent): void => {
      if (_tag === 'Done') terminal.out(text);
      else terminal.err(_tag === 'Warning' ? `warning: ${text}` : text);
    },
  };
  terminal.progress(`applying migrations to ${databaseName(databaseUrl)}`);
  return withConnection(databaseUrl, (client) =>
    pipe(
      isGeneric ? refuseDatabaseOfAnother(singleConnection(client)) : TE.right(undefined),
      TE.flatMap(() => migrate(client, options)),
    ),
  );
};

/** `DATABASE_URL` may be that of another program, whose database must not get our schema by mistake. */
const refuseDatabaseOfAnother = (database: Asked): TE.TaskEither<MigrateError, void> =>
  pipe(
    findTables(database),
    TE.flatMap(({ isOurs, tables }) =>
      !isOurs && tables.length > 0
        ? unsuitable(
            `DATABASE_URL names a database with other tables (${tables.join(', ')}) and without the ` +
              'schema of triage-api; if it is to get one, set TRIAGE_DATABASE_URL or pass --database-url',
          )
        : TE.right(undefined),
    ),
  );

/** `triage-api db migrate`. */
export const migrateCommand = defineCommand({
  name: 'db migrate',
  description: 'prepare a PostgreSQL database: apply the migrations that are missing',
  options: migrateOptions,
  examples: {
    'create the schema, or bring it up to date':
      'triage-api db migrate --database-url postgres://localhost/triage',
    'fail if a migration is missing':
      'triage-api db migrate --check --database-url postgres://localhost/triage',
  },
  conflicts: ({ settings: { check, roles, citus } }) => {
    const changing = check ? [...(roles ? ['--roles'] : []), ...(citus ? ['--citus'] : [])] : [];
    return changing.map((name) => `--check and ${name} cannot be used together: --check changes nothing`);
  },
  run: (settings, terminal, _call, { origins }) =>
    migrateDatabase({ ...settings, isGeneric: origins.databaseUrl?.kind === 'common' }, terminal),
});
