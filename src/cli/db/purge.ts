import * as E from '#fp-ts/Either';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { singleConnection } from '../../storage/postgres/database.js';
import { withCurrentSchema } from '../../storage/postgres/schema.js';
import { type Purged, purge } from '../../storage/postgres/tenants.js';
import { defineCommand } from '../define-command.js';
import { countOf, databaseName, formatStorageError } from '../output/text.js';
import type { SettingsOf } from '../settings/option.js';
import { databaseOptions } from '../settings/shared-options.js';
import { type ExitCode, exitCode, fail, interruption, type Terminal } from '../terminal/terminal.js';

/** Deletes what is no longer needed, and prints how much it was. */
const purgeDatabase = async (
  { databaseUrl }: SettingsOf<typeof databaseOptions>,
  terminal: Terminal,
): Promise<ExitCode> => {
  const name = databaseName(databaseUrl);
  const isInterrupted = interruption(terminal);
  const purged = await withCurrentSchema(databaseUrl, (client) =>
    purge(singleConnection(client), {
      at: timestampAt(Date.now()),
      onProgress: (soFar) => terminal.progress(format(soFar)),
      shouldStop: isInterrupted,
    }),
  )();
  if (E.isLeft(purged)) return fail(terminal, [`${name}: ${formatStorageError(purged.left)}`]);
  terminal.progress('');
  terminal.out(`${name}: ${format(purged.right)}`);
  return isInterrupted() ? fail(terminal, ['interrupted; run it again to delete the rest']) : exitCode.done;
};

const format = ({ sessions, tenants, rows }: Purged): string =>
  `deleted ${countOf(sessions, 'expired session')}, and ${countOf(rows, 'row')} of deleted tenants ` +
  `(${countOf(tenants, 'tenant')} finished)`;

/** `triage-api db purge`. */
export const purgeCommand = defineCommand({
  name: 'db purge',
  description: 'delete expired sessions from a database, and finish interrupted deletions of tenants',
  options: databaseOptions,
  examples: {
    'delete what has expired': 'triage-api db purge --database-url postgres://localhost/triage',
    'the same, with the URL of the database in a file': 'DATABASE_URL_FILE=database-url triage-api db purge',
  },
  run: purgeDatabase,
});
