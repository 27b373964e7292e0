import * as E from '#fp-ts/Either';
import { hashPassword } from '../../accounts/passwords.js';
import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import { type FixtureProblems, type FixtureSources, readFixtureFiles } from '../../fixtures/read-fixtures.js';
import type { PasswordHash } from '../../records/account-records.js';
import type { TenantRecords } from '../../records/dataset.js';
import { fixtureRecords } from '../../storage/memory/fixture-records.js';
import { importInto } from '../../storage/postgres/tenants.js';
import { checkFixtures } from '../check.js';
import { type Call, defineCommand } from '../define-command.js';
import {
  countOf,
  countsOf,
  databaseName,
  displayPath,
  fixtureSummary,
  formatStorageError,
} from '../output/text.js';
import { Moment } from '../settings/codecs.js';
import { flag, type SettingsOf, value } from '../settings/option.js';
import { databaseOptions } from '../settings/shared-options.js';
import { type ExitCode, exitCode, fail, type Terminal } from '../terminal/terminal.js';

const importOptions = {
  ...databaseOptions,
  now: value('--now <time>', Moment, 'move the dates of the data to this time, instead of now'),
  replace: flag('--replace', 'replace tenants with the same id or address, with all their data', {
    notInFile: true,
  }),
};
type ImportSettings = SettingsOf<typeof importOptions>;

/** How many passwords are hashed in parallel: Node has four threads for it by default. */
const concurrency = 4;

/** The hashes of passwords by user id. Hashing is slow on purpose. */
const hashPasswords = async (
  passwords: readonly Readonly<{ userId: string; password: string }>[],
  onProgress: (text: string) => void,
): Promise<ReadonlyMap<string, PasswordHash>> => {
  const hashes = new Map<string, PasswordHash>();
  const waiting = passwords.values();
  const work = async (): Promise<void> => {
    for (const { userId, password } of waiting) {
      hashes.set(userId, await hashPassword(password));
      onProgress(`hashed ${hashes.size} of ${passwords.length} passwords`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return hashes;
};

/** The records of each tenant, one file at a time, with their dates moved to a moment in milliseconds. */
async function* tenantRecords(
  sources: FixtureSources,
  hashes: ReadonlyMap<string, PasswordHash>,
  moment: number,
): AsyncGenerator<E.Either<FixtureProblems, TenantRecords>> {
  for await (const file of readFixtureFiles(sources)) {
    if (E.isLeft(file)) yield file;
    else {
      const { user, password, ...records } = fixtureRecords(file.right.dataset, moment);
      const passwordHash = hashes.get(user.id) ?? (await hashPassword(password));
      yield E.right({ ...records, user: { ...user, passwordHash } });
    }
  }
}

/**
 * Loads fixtures into a database, all of them or none. The files are read twice: first to
 * check all of them, as `check` does, then one at a time to load them, so that they need not fit into memory
 * together.
 */
const importFixtures = async (
  { databaseUrl, now, replace }: ImportSettings,
  terminal: Terminal,
  { words }: Call,
): Promise<ExitCode> => {
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
  })();
  if (E.isLeft(imported)) {
    const { left } = imported;
    const reasons = left._tag === 'ImportRefused' ? left.reasons : [formatStorageError(left)];
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
};

/** `triage-api db import`. */
export const importCommand = defineCommand({
  name: 'db import',
  description: 'load fixtures into a database, all of them or none',
  argument: ['<path...>', 'directories of fixture files, one per tenant, or files'],
  options: importOptions,
  examples: {
    'load a directory of fixtures':
      'triage-api db import fixtures --database-url postgres://localhost/triage',
    'load one file, and replace the tenant if it exists':
      'triage-api db import fixtures/team.json --replace \\\n      --database-url postgres://localhost/triage',
  },
  run: importFixtures,
});
