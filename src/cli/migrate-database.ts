import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { withConnection } from '../storage/postgres/connection.js';
import { migrate } from '../storage/postgres/migrate.js';
import { databaseName } from './database-name.js';
import { databaseUrl } from './database-option.js';
import { type ExitCode, exitCode } from './exit-code.js';
import type { OptionTexts } from './options.js';
import { DatabaseUrl } from './setting-codecs.js';
import { storageErrorText } from './storage-error-text.js';
import type { Terminal } from './terminal.js';

/** The settings of `migrate`. */
export const MigrateSettings = t.strict({ databaseUrl: DatabaseUrl }, 'MigrateSettings');
export type MigrateSettings = t.TypeOf<typeof MigrateSettings>;

/** How they are given. */
export const migrateOptions: OptionTexts<keyof MigrateSettings> = { databaseUrl };

/** `triage-api migrate`: brings the schema of a database to that of this version, or says why not. */
export const migrateDatabase = (
  { databaseUrl: url }: MigrateSettings,
  terminal: Terminal,
): Promise<ExitCode> =>
  pipe(
    withConnection(url, migrate),
    TE.match(
      (error): ExitCode => {
        const reason = error._tag === 'UnsuitableDatabase' ? error.reason : storageErrorText(error);
        terminal.err(`${databaseName(url)}: ${reason}`);
        return exitCode.failed;
      },
      (applied): ExitCode => {
        for (const name of applied) terminal.out(`applied ${name}`);
        terminal.out(`${databaseName(url)}: the schema is up to date`);
        return exitCode.done;
      },
    ),
  )();
