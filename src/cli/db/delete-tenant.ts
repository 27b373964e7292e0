import * as E from '#fp-ts/Either';
import type * as TE from '#fp-ts/TaskEither';
import { escapeControlCharacters } from '../../common/messages.js';
import type { StorageError } from '../../storage/port.js';
import { singleConnection } from '../../storage/postgres/database.js';
import { type UnsuitableDatabase, withCurrentSchema } from '../../storage/postgres/schema.js';
import {
  countRecords,
  deleteTenant,
  findTenant,
  type Tenant,
  type TenantNotFound,
} from '../../storage/postgres/tenants.js';
import { type Call, defineCommand } from '../define-command.js';
import { countOf, countsText, databaseName, formatStorageError } from '../output/text.js';
import { flag, type SettingsOf } from '../settings/option.js';
import { databaseOptions } from '../settings/shared-options.js';
import { type ExitCode, exitCode, fail, interruption, type Terminal } from '../terminal/terminal.js';

const deleteTenantOptions = {
  ...databaseOptions,
  yes: flag('--yes', 'delete the tenant, instead of printing what would be deleted', { notInFile: true }),
};
type DeleteTenantSettings = SettingsOf<typeof deleteTenantOptions>;

/** Prints what belongs to a tenant, and with `--yes` deletes it. */
const deleteTenantOf = async (
  { databaseUrl, yes }: DeleteTenantSettings,
  terminal: Terminal,
  { argument }: Call,
): Promise<ExitCode> => {
  const done = await withCurrentSchema(
    databaseUrl,
    (client): TE.TaskEither<StorageError | TenantNotFound, ExitCode> =>
      async () => {
        const database = singleConnection(client);
        const found = await findTenant(database, argument)();
        if (E.isLeft(found)) return found;
        const tenant = found.right;
        const counted = await countRecords(database, tenant)();
        if (E.isLeft(counted)) return counted;
        terminal.out(`${describe(tenant)}: ${countsText(counted.right)}`);
        if (!yes) {
          terminal.out(
            'nothing was deleted; pass --yes to delete the tenant and everything that belongs to it',
          );
          return E.right(exitCode.done);
        }
        const { repos, scans, fixDrafts, pullRequests } = counted.right;
        const total = repos + scans + fixDrafts + pullRequests;
        const deleted = await deleteTenant(database, tenant, {
          onProgress: (rows) => terminal.progress(`deleted ${rows} of ${total} rows`),
          shouldStop: interruption(terminal),
        })();
        if (E.isLeft(deleted)) return deleted;
        const rows = countOf(deleted.right.rows, 'row');
        if (!deleted.right.isGone)
          return E.right(
            fail(terminal, [
              `interrupted after ${rows}: the tenant is locked out; to delete the rest, run: triage-api db purge`,
            ]),
          );
        terminal.progress('');
        terminal.out(`deleted ${describe(tenant)} and ${rows} from ${databaseName(databaseUrl)}`);
        return E.right(exitCode.done);
      },
  )();
  return E.isRight(done)
    ? done.right
    : fail(terminal, [`${databaseName(databaseUrl)}: ${formatError(done.left, argument)}`]);
};

const describe = ({ id, email, isDeleted }: Tenant): string =>
  escapeControlCharacters(isDeleted ? `${id} (its deletion was not finished)` : `${email} (${id})`);

const formatError = (error: StorageError | UnsuitableDatabase | TenantNotFound, argument: string): string => {
  switch (error._tag) {
    case 'UnknownTenant': {
      const hint = error.nearest === null ? '' : `; did you mean ${JSON.stringify(error.nearest)}?`;
      return `there is no tenant with the id or address ${JSON.stringify(argument)}${hint}`;
    }
    case 'AmbiguousTenant':
      return (
        `${JSON.stringify(argument)} is the id of one tenant and the address of another; ` +
        `use the other identifier of the one to delete (ids: ${error.ids.join(', ')})`
      );
    default:
      return formatStorageError(error);
  }
};

/** `triage-api db delete-tenant`. */
export const deleteTenantCommand = defineCommand({
  name: 'db delete-tenant',
  description: 'delete a tenant with everything that belongs to it from a database',
  argument: ['<tenant>', 'id or e-mail address of the tenant'],
  options: deleteTenantOptions,
  examples: {
    'show what would be deleted':
      'triage-api db delete-tenant kim@team.test \\\n      --database-url postgres://localhost/triage',
    'delete it':
      'triage-api db delete-tenant kim@team.test --yes \\\n      --database-url postgres://localhost/triage',
  },
  run: deleteTenantOf,
});
