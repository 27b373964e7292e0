import * as E from '#fp-ts/Either';
import type { PasswordHash, TenantRecords } from '../accounts/account-records.js';
import { hashPassword } from '../accounts/passwords.js';
import type { StorageError } from '../api/storage-port.js';
import { limitConcurrency } from '../common/concurrency.js';
import { millisecondsOf, timestampAt, UtcTime } from '../contract/codecs/timestamp.js';
import { formatFileProblem } from '../fixtures/file-problem.js';
import { fixtureRecords } from '../fixtures/fixture-records.js';
import { type FixtureSources, readFixtureFiles } from '../fixtures/read-fixtures.js';
import { hasCode, singleConnection, withConnection } from '../postgres/database.js';
import { defaultLockTimeout, defaultRolePrefix, migrate } from '../postgres/migrate.js';
import { type UnsuitableDatabase, withCurrentSchema } from '../postgres/schema.js';
import {
  countRecords,
  deleteTenant,
  findTenant,
  importInto,
  type Purged,
  purge,
  type Tenant,
  type TenantNotFound,
} from '../postgres/tenants.js';
import { checkFixtures } from './check.js';
import { defineCommand } from './define-command.js';
import {
  countOf,
  countsOf,
  countsText,
  databaseName,
  displayPath,
  fixtureSummary,
  formatStorageError,
  messageOf,
} from './output/text.js';
import { DatabaseTimeout, RolePrefix } from './settings/codecs.js';
import { flag, value, valueOr } from './settings/option.js';
import { databaseOptions } from './settings/shared-options.js';
import { type ExitCode, exitCode, fail, interruption } from './terminal/terminal.js';

/** Why a command failed, and which role it needs if it has the wrong one. */
const formatDatabaseError = (error: StorageError | UnsuitableDatabase): string =>
  error._tag === 'StorageFailed' && hasCode(error.cause, '42501')
    ? `${formatStorageError(error)}; connect as a member of the role that owns the schema, such as ${defaultRolePrefix}_owner`
    : formatStorageError(error);

// Migrations

/** `triage-api db migrate`: applies the missing migrations; with `--check` only says which are missing. */
export const migrateCommand = defineCommand({
  name: 'db migrate',
  description: 'prepare a PostgreSQL database: apply the migrations that are missing',
  options: {
    ...databaseOptions,
    check: flag('--check', 'change nothing; exit code 1 if a migration is missing', { notInFile: true }),
    roles: flag('--roles', 'set up roles that own, serve, write and read, and do nothing else'),
    rolePrefix: valueOr(
      '--role-prefix <prefix>',
      RolePrefix,
      defaultRolePrefix,
      'the beginning of the names of the roles',
    ),
    citus: flag('--citus', 'distribute tenants to the workers of Citus; there is no way back'),
    lockTimeout: valueOr(
      '--lock-timeout <ms>',
      DatabaseTimeout,
      String(defaultLockTimeout),
      'how long the migration, and requests behind it, may wait for a lock',
    ),
  },
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
  run: async ({ settings, terminal }) => {
    const { databaseUrl, check, citus, lockTimeout } = settings;
    const name = databaseName(databaseUrl);
    const roles = settings.roles ? settings.rolePrefix : null;
    if (!check) terminal.progress(`applying migrations to ${name}`);
    const options: Parameters<typeof migrate>[1] = {
      lockTimeout,
      roles,
      citus,
      onEvent: ({ _tag, text }) => {
        if (_tag === 'Done') terminal.out(text);
        else terminal.err(_tag === 'Warning' ? `warning: ${text}` : text);
      },
    };
    const done = await (check
      ? withCurrentSchema(databaseUrl, async () => E.right<never, readonly string[]>([]))
      : withConnection(databaseUrl, (client) => migrate(client, options)));
    if (E.isLeft(done)) return fail(terminal, [`${name}: ${formatDatabaseError(done.left)}`]);
    terminal.progress('');
    for (const applied of done.right) terminal.out(`applied ${applied}`);
    terminal.out(`${name}: the schema is up to date`);
    if (roles !== null) {
      terminal.out('create a role for the server with, for example:');
      terminal.out(`  CREATE ROLE app LOGIN IN ROLE ${roles}_serve;`);
      terminal.out('and set its password with \\password app in psql');
    }
    return exitCode.done;
  },
});

// Importing fixtures

/**
 * `triage-api db import`: loads fixtures, all of them or none. The files are read twice: first to check all
 * of them, as `check` does, then one at a time to load them, so that they need not fit into memory together.
 */
export const importCommand = defineCommand({
  name: 'db import',
  description: 'load fixtures into a database, all of them or none',
  argument: ['<path...>', 'directories of fixture files, one per tenant, or files'],
  options: {
    ...databaseOptions,
    now: value('--now <time>', UtcTime, 'move the dates of the data to this time, instead of now'),
    replace: flag('--replace', 'replace tenants with the same id or address, with all their data', {
      notInFile: true,
    }),
  },
  examples: {
    'load a directory of fixtures':
      'triage-api db import fixtures --database-url postgres://localhost/triage',
    'load one file, and replace the tenant if it exists':
      'triage-api db import fixtures/team.json --replace \\\n      --database-url postgres://localhost/triage',
  },
  run: async ({ settings: { databaseUrl, now, replace }, terminal, words }) => {
    const paths = words.map(displayPath);
    const checked = await checkFixtures(paths, terminal, ({ file, dataset }) => ({
      userId: dataset.user.id,
      password: dataset.user.password,
      summary: fixtureSummary(file, dataset, countsOf(dataset)),
    }));
    if (checked === null) return exitCode.failed;
    const hashes = await hashPasswords(checked, terminal.progress);
    const moment = now === undefined ? Date.now() : millisecondsOf(now);
    const imported = await importInto(databaseUrl, tenantRecords(paths, hashes, moment), {
      replace,
      onProgress: ({ user, rows }, count) => {
        const total = Object.values(rows).reduce((sum, { length }) => sum + length, 0);
        terminal.progress(`${user.email}: ${count} of ${total} rows`);
      },
    });
    if (E.isLeft(imported)) {
      const { left } = imported;
      if (left._tag === 'OutcomeUnknown')
        return fail(terminal, [
          `${databaseName(databaseUrl)}: the connection was lost during the commit: ${messageOf(left.cause)}`,
          'it is not known whether the tenants were imported; look with: triage-api db delete-tenant <tenant>, ' +
            'which deletes nothing without --yes; or repeat the import with --replace',
        ]);
      const reasons = left._tag === 'ImportRefused' ? left.reasons : [formatDatabaseError(left)];
      const canReplace = left._tag === 'ImportRefused' && left.hasConflicts && !replace;
      return fail(terminal, [
        ...reasons.map((reason) => `${databaseName(databaseUrl)}: ${reason}`),
        `nothing was imported${canReplace ? '; pass --replace to replace existing tenants' : ''}`,
      ]);
    }
    terminal.progress('');
    for (const { summary } of checked) terminal.out(summary);
    terminal.out(`imported ${countOf(imported.right, 'tenant')} into ${databaseName(databaseUrl)}`);
    return exitCode.done;
  },
});

/** How many passwords are hashed in parallel: Node has four threads for it by default. */
const concurrency = 4;

/** The hashes of passwords by user id. Hashing is slow on purpose. */
const hashPasswords = async (
  passwords: readonly Readonly<{ userId: string; password: string }>[],
  onProgress: (text: string) => void,
): Promise<ReadonlyMap<string, PasswordHash>> => {
  const hashes = new Map<string, PasswordHash>();
  const limited = limitConcurrency(concurrency);
  const hashOne = async ({ userId, password }: (typeof passwords)[number]): Promise<void> => {
    hashes.set(userId, await hashPassword(password));
    onProgress(`hashed ${hashes.size} of ${passwords.length} passwords`);
  };
  await Promise.all(passwords.map((each) => limited(() => hashOne(each))));
  return hashes;
};

/** The records of each tenant, one file at a time, with their dates moved to a moment in milliseconds. */
async function* tenantRecords(
  sources: FixtureSources,
  hashes: ReadonlyMap<string, PasswordHash>,
  moment: number,
): AsyncGenerator<E.Either<readonly string[], TenantRecords>> {
  for await (const file of readFixtureFiles(sources)) {
    if (E.isLeft(file)) yield E.left(file.left.map(formatFileProblem));
    else {
      const { user, password, ...records } = fixtureRecords(file.right.dataset, moment);
      const passwordHash = hashes.get(user.id) ?? (await hashPassword(password));
      yield E.right({ ...records, user: { ...user, passwordHash } });
    }
  }
}

// Deleting

/** `triage-api db delete-tenant`: prints what belongs to a tenant, and with `--yes` deletes it. */
export const deleteTenantCommand = defineCommand({
  name: 'db delete-tenant',
  description: 'delete a tenant with everything that belongs to it from a database',
  argument: ['<tenant>', 'id or e-mail address of the tenant'],
  options: {
    ...databaseOptions,
    yes: flag('--yes', 'delete the tenant, instead of printing what would be deleted', { notInFile: true }),
  },
  examples: {
    'show what would be deleted':
      'triage-api db delete-tenant kim@team.test \\\n      --database-url postgres://localhost/triage',
    'delete it':
      'triage-api db delete-tenant kim@team.test --yes \\\n      --database-url postgres://localhost/triage',
  },
  run: async ({ settings: { databaseUrl, yes }, terminal, words: [wanted = ''] }) => {
    const name = databaseName(databaseUrl);
    const done = await withCurrentSchema(
      databaseUrl,
      async (client): Promise<E.Either<StorageError | TenantNotFound, ExitCode>> => {
        const database = singleConnection(client);
        const found = await findTenant(database, wanted);
        if (E.isLeft(found)) return found;
        const tenant = found.right;
        const counts = await countRecords(database, tenant);
        if (E.isLeft(counts)) return counts;
        terminal.out(`${describe(tenant)}: ${countsText(counts.right)}`);
        if (!yes) {
          terminal.out(
            'nothing was deleted; pass --yes to delete the tenant and everything that belongs to it',
          );
          return E.right(exitCode.done);
        }
        const { repos, scans, fixDrafts, pullRequests } = counts.right;
        const total = repos + scans + fixDrafts + pullRequests;
        const deleted = await deleteTenant(database, tenant, {
          onProgress: (rows) => terminal.progress(`deleted ${rows} of ${total} rows`),
          shouldStop: interruption(terminal),
        });
        if (E.isLeft(deleted)) return deleted;
        const rows = countOf(deleted.right.rows, 'row');
        if (!deleted.right.isGone) {
          const rest = 'the tenant is locked out; to delete the rest, run: triage-api db purge';
          return E.right(fail(terminal, [`interrupted after ${rows}: ${rest}`]));
        }
        terminal.progress('');
        terminal.out(`deleted ${describe(tenant)} and ${rows} from ${name}`);
        return E.right(exitCode.done);
      },
    );
    return E.isRight(done)
      ? done.right
      : fail(terminal, [`${name}: ${formatTenantError(done.left, wanted)}`]);
  },
});

const describe = ({ id, email, isDeleted }: Tenant): string =>
  isDeleted ? `${id} (its deletion was not finished)` : `${email} (${id})`;

const formatTenantError = (
  error: StorageError | UnsuitableDatabase | TenantNotFound,
  wanted: string,
): string => {
  switch (error._tag) {
    case 'UnknownTenant': {
      const hint = error.nearest === null ? '' : `; did you mean ${JSON.stringify(error.nearest)}?`;
      return `there is no tenant with the id or address ${JSON.stringify(wanted)}${hint}`;
    }
    case 'AmbiguousTenant':
      return (
        `${JSON.stringify(wanted)} is the id of one tenant and the address of another; ` +
        `use the other identifier of the one to delete (ids: ${error.ids.join(', ')})`
      );
    default:
      return formatDatabaseError(error);
  }
};

/** `triage-api db purge`: deletes what is no longer needed, and prints how much it was. */
export const purgeCommand = defineCommand({
  name: 'db purge',
  description: 'delete expired sessions from a database, and finish interrupted deletions of tenants',
  options: databaseOptions,
  examples: {
    'delete what has expired': 'triage-api db purge --database-url postgres://localhost/triage',
    'the same, with the URL of the database in a file':
      'TRIAGE_DATABASE_URL_FILE=database-url triage-api db purge',
  },
  run: async ({ settings: { databaseUrl }, terminal }) => {
    const name = databaseName(databaseUrl);
    const isInterrupted = interruption(terminal);
    const purged = await withCurrentSchema(databaseUrl, (client) =>
      purge(singleConnection(client), {
        at: timestampAt(Date.now()),
        onProgress: (soFar) => terminal.progress(purgedText(soFar)),
        shouldStop: isInterrupted,
      }),
    );
    if (E.isLeft(purged)) return fail(terminal, [`${name}: ${formatDatabaseError(purged.left)}`]);
    terminal.progress('');
    terminal.out(`${name}: ${purgedText(purged.right)}`);
    return isInterrupted() ? fail(terminal, ['interrupted; run it again to delete the rest']) : exitCode.done;
  },
});

const purgedText = ({ sessions, tenants, rows }: Purged): string =>
  `deleted ${countOf(sessions, 'expired session')}, and ${countOf(rows, 'row')} of deleted tenants ` +
  `(${countOf(tenants, 'tenant')} finished)`;
