import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { singleConnection } from '../../storage/postgres/connection.js';
import { withCurrentSchema } from '../../storage/postgres/current-schema.js';
import { recount, type TenantCounts, type WrongCount } from '../../storage/postgres/recount.js';
import { defineCommand } from '../define-command.js';
import { databaseName, formatStorageError } from '../output/database.js';
import { countOf } from '../output/fixtures.js';
import { databaseUrlOption } from '../settings/database-option.js';
import type { OptionTexts } from '../settings/options.js';
import { DatabaseUrl, Switch } from '../settings/setting-codecs.js';
import { settingsReader } from '../settings/settings-reader.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';

const RecountSettings = t.strict({ databaseUrl: DatabaseUrl, check: Switch }, 'RecountSettings');
type RecountSettings = t.TypeOf<typeof RecountSettings>;

export const recountOptions: OptionTexts<keyof RecountSettings> = {
  databaseUrl: databaseUrlOption,
  check: {
    flags: '--check',
    variable: 'TRIAGE_CHECK',
    notInFile: true,
    fallback: false,
    negatable: 'correct the counts that are wrong',
    description: 'only report wrong counts; the exit code is 1 if there are any',
  },
};

/** How many wrong counts of a tenant are printed at most. */
const maxShown = 10;

/** Compares counts with rows, corrects those that are wrong, and prints them. */
const recountDatabase = ({ databaseUrl, check }: RecountSettings, terminal: Terminal): Promise<ExitCode> => {
  let isInterrupted = false;
  let checked = 0;
  let wrongTenants = 0;
  void terminal.onSignal().then(() => {
    isInterrupted = true;
  });
  const name = databaseName(databaseUrl);
  const report = ({ tenant, wrong }: TenantCounts, done: number, total: number): void => {
    checked = done;
    if (wrong.length > 0) {
      wrongTenants += 1;
      terminal.progress('');
      for (const each of wrong.slice(0, maxShown)) terminal.out(`${tenant}: ${format(each)}`);
      if (wrong.length > maxShown) terminal.out(`${tenant}: … and ${wrong.length - maxShown} more`);
    }
    terminal.progress(`checked ${done} of ${total} tenants`);
  };
  return pipe(
    withCurrentSchema(databaseUrl, (client) =>
      recount(singleConnection(client), {
        correct: !check,
        onTenant: report,
        shouldStop: () => isInterrupted,
      }),
    ),
    TE.match(
      (error): ExitCode => {
        terminal.progress('');
        terminal.err(`${name}: ${error._tag === 'WrongSchema' ? error.reason : formatStorageError(error)}`);
        return exitCode.failed;
      },
      (): ExitCode => {
        terminal.progress('');
        const found =
          wrongTenants === 0 ? 'all counts are right' : `wrong for ${countOf(wrongTenants, 'tenant')}`;
        const corrected =
          wrongTenants === 0 ? '' : check ? '; run triage-api recount to correct them' : ', corrected';
        terminal.out(`${name}: checked ${countOf(checked, 'tenant')}: ${found}${corrected}`);
        if (isInterrupted) terminal.err('interrupted; run it again to check the rest');
        return isInterrupted || (check && wrongTenants > 0) ? exitCode.failed : exitCode.done;
      },
    ),
  )();
};

const format = ({ counted, list, repo_id: repo, status, told, there }: WrongCount): string =>
  `${counted} of ${list}${repo === '' ? '' : ` of repo ${repo}`}${status === '' ? '' : ` with status ${status}`}: ` +
  `${told} instead of ${there}`;

/** `triage-api recount`. */
export const recountCommand = defineCommand({
  name: 'recount',
  description: 'compare the counts in a database with its rows, and correct them',
  options: recountOptions,
  examples: [
    {
      does: 'fail if a count is wrong, and change nothing',
      command: 'triage-api recount --check --database-url postgres://localhost/triage',
    },
    { does: 'correct the counts', command: 'triage-api recount --database-url postgres://localhost/triage' },
  ],
  readSettings: settingsReader(RecountSettings, recountOptions),
  run: recountDatabase,
});
