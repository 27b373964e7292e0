import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { escapeControlCharacters } from '../../common/messages.js';
import type { RecordCounts } from '../../records/dataset.js';
import type { StorageError } from '../../storage/port.js';
import { singleConnection } from '../../storage/postgres/database.js';
import { type WrongSchema, withCurrentSchema } from '../../storage/postgres/schema.js';
import {
  countRecords,
  type Deletion,
  deleteTenant,
  findTenant,
  type Tenant,
  type TenantNotFound,
} from '../../storage/postgres/tenants.js';
import { defineCommand } from '../define-command.js';
import { countOf, databaseName, formatStorageError } from '../output/text.js';
import { flag, type SettingsOf } from '../settings/option.js';
import { databaseOptions } from '../settings/shared-options.js';
import { type ExitCode, exitCode, type Terminal } from '../terminal/terminal.js';

const deleteTenantOptions = {
  ...databaseOptions,
  yes: flag('--yes', 'delete the tenant, instead of printing what would be deleted', { notInFile: true }),
};
type DeleteTenantSettings = SettingsOf<typeof deleteTenantOptions>;

/** What is printed on success or failure. */
type Outcome = Readonly<{ code: ExitCode; lines: readonly string[] }>;

type TenantWithCounts = Readonly<{ tenant: Tenant; counts: RecordCounts }>;

/** Prints what belongs to a tenant, and with `--yes` deletes it. */
const deleteTenantOf = (
  { databaseUrl, yes }: DeleteTenantSettings,
  terminal: Terminal,
  argument: string,
): Promise<ExitCode> =>
  pipe(
    withCurrentSchema(databaseUrl, (client) => {
      const database = singleConnection(client);
      return pipe(
        findTenant(database, argument),
        TE.flatMap(
          (tenant): TE.TaskEither<StorageError | TenantNotFound, TenantWithCounts> =>
            pipe(
              countRecords(database, tenant),
              TE.map((counts) => ({ tenant, counts })),
            ),
        ),
        TE.flatMap(({ tenant, counts }): TE.TaskEither<StorageError | TenantNotFound, Outcome> => {
          terminal.out(`${describe(tenant)}: ${formatCounts(counts)}`);
          if (!yes) return TE.right(dryRun);
          const total = rowsOf(counts);
          let isInterrupted = false;
          void terminal.onSignal().then(() => {
            isInterrupted = true;
          });
          return pipe(
            deleteTenant(database, tenant, {
              onProgress: (rows) => terminal.progress(`deleted ${rows} of ${total} rows`),
              shouldStop: () => isInterrupted,
            }),
            TE.map(outcomeOf(tenant, databaseName(databaseUrl))),
          );
        }),
      );
    }),
    TE.match(
      (error): ExitCode => {
        terminal.progress('');
        terminal.err(`${databaseName(databaseUrl)}: ${formatError(error, argument)}`);
        return exitCode.failed;
      },
      ({ code, lines }): ExitCode => {
        terminal.progress('');
        for (const line of lines) (code === exitCode.done ? terminal.out : terminal.err)(line);
        return code;
      },
    ),
  )();

const describe = ({ id, email, isDeleted }: Tenant): string =>
  escapeControlCharacters(isDeleted ? `${id} (its deletion was not finished)` : `${email} (${id})`);

const formatCounts = (counts: RecordCounts): string =>
  [
    countOf(counts.repos, 'repo'),
    countOf(counts.scans, 'scan'),
    countOf(counts.fixDrafts, 'fix draft'),
    countOf(counts.pullRequests, 'pull request'),
    countOf(counts.sessions, 'session'),
    countOf(counts.apiTokens, 'API token'),
  ].join(', ');

const rowsOf = ({ repos, scans, fixDrafts, pullRequests }: RecordCounts): number =>
  repos + scans + fixDrafts + pullRequests;

const dryRun: Outcome = {
  code: exitCode.done,
  lines: ['nothing was deleted; pass --yes to delete the tenant and everything that belongs to it'],
};

const outcomeOf =
  (tenant: Tenant, database: string) =>
  ({ rows, isGone }: Deletion): Outcome =>
    isGone
      ? {
          code: exitCode.done,
          lines: [`deleted ${describe(tenant)} and ${countOf(rows, 'row')} from ${database}`],
        }
      : {
          code: exitCode.failed,
          lines: [
            `interrupted after ${countOf(rows, 'row')}: the tenant is locked out; to delete the rest, run: triage-api db purge`,
          ],
        };

const formatError = (error: StorageError | WrongSchema | TenantNotFound, argument: string): string => {
  switch (error._tag) {
    case 'WrongSchema':
      return error.reason;
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
  argument: { syntax: '<tenant>', description: 'id or e-mail address of the tenant' },
  options: deleteTenantOptions,
  examples: [
    {
      does: 'show what would be deleted',
      command:
        'triage-api db delete-tenant kim@team.test \\\n      --database-url postgres://localhost/triage',
    },
    {
      does: 'delete it',
      command:
        'triage-api db delete-tenant kim@team.test --yes \\\n      --database-url postgres://localhost/triage',
    },
  ],
  run: deleteTenantOf,
});
