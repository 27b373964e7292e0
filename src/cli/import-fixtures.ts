import * as E from 'fp-ts/lib/Either.js';
import { millisecondsOf } from '../codecs/timestamp.js';
import { importInto } from '../storage/postgres/import-tenants.js';
import { databaseName } from './database-name.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { fixtureProblemLines } from './fixture-problem-lines.js';
import type { ImportSettings } from './import-settings.js';
import { checkFixtures, hashPasswords, tenantRecords } from './prepare-import.js';
import { shortPath } from './short-path.js';
import { storageErrorText } from './storage-error-text.js';
import type { Terminal } from './terminal.js';

/**
 * `triage-api import`: loads a directory of fixtures into a database, all of them or none. The files are checked first, as
 * `check` does, and then read once more, one at a time.
 */
export const importFixtures = async (
  dir: string,
  { databaseUrl, now, replace }: ImportSettings,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { progress } = terminal;
  const directory = shortPath(dir);
  const refuse = (lines: readonly string[]): ExitCode => {
    progress('');
    for (const line of lines) terminal.err(line);
    return exitCode.failed;
  };

  const checked = await checkFixtures(directory, progress);
  if (E.isLeft(checked)) return refuse(fixtureProblemLines(checked.left));
  const { passwords, lines } = checked.right;
  const hashes = await hashPasswords(passwords, progress);
  const moment = now === undefined ? Date.now() : millisecondsOf(now);
  const imported = await importInto(databaseUrl, tenantRecords(directory, hashes, moment), {
    replace,
    onProgress: ({ user, rows }, count) => {
      const total = Object.values(rows).reduce((sum, { length }) => sum + length, 0);
      progress(`${user.email}: ${count} of ${total} rows`);
    },
  })();
  if (E.isLeft(imported)) {
    const { left } = imported;
    const reasons = left._tag === 'ImportRefused' ? left.reasons : [storageErrorText(left)];
    return refuse([
      ...reasons.map((reason) => `${databaseName(databaseUrl)}: ${reason}`),
      `nothing was imported${left._tag === 'ImportRefused' && left.hasConflicts && !replace ? ' (with --replace, tenants that are there give way)' : ''}`,
    ]);
  }
  progress('');
  for (const line of lines) terminal.out(line);
  terminal.out(
    `imported ${imported.right} tenant${imported.right === 1 ? '' : 's'} into ${databaseName(databaseUrl)}`,
  );
  return exitCode.done;
};
