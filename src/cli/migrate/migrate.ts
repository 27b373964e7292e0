import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { withConnection } from '../../storage/postgres/connection.js';
import { migrate } from '../../storage/postgres/migrate.js';
import { defineCommand } from '../define-command.js';
import { databaseName, formatStorageError } from '../output/database.js';
import { databaseUrlOption } from '../settings/database-option.js';
import { type OptionTexts, settingsReader } from '../settings/options.js';
import { DatabaseUrl } from '../settings/setting-codecs.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';

const MigrateSettings = t.strict({ databaseUrl: DatabaseUrl }, 'MigrateSettings');
type MigrateSettings = t.TypeOf<typeof MigrateSettings>;

export const migrateOptions: OptionTexts<keyof MigrateSettings> = { databaseUrl: databaseUrlOption };

/** Applies the missing migrations, and prints their names. */
const migrateDatabase = ({ databaseUrl }: MigrateSettings, terminal: Terminal): Promise<ExitCode> =>
  pipe(
    withConnection(databaseUrl, migrate),
    TE.match(
      (error): ExitCode => {
        const reason = error._tag === 'UnsuitableDatabase' ? error.reason : formatStorageError(error);
        terminal.err(`${databaseName(databaseUrl)}: ${reason}`);
        return exitCode.failed;
      },
      (applied): ExitCode => {
        for (const name of applied) terminal.out(`applied ${name}`);
        terminal.out(`${databaseName(databaseUrl)}: the schema is up to date`);
        return exitCode.done;
      },
    ),
  )();

/** `triage-api migrate`. */
export const migrateCommand = defineCommand({
  name: 'migrate',
  description: 'prepare a PostgreSQL database: apply the migrations that are missing',
  options: migrateOptions,
  readSettings: settingsReader(MigrateSettings, migrateOptions),
  run: migrateDatabase,
});
