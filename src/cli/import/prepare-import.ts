import * as E from 'fp-ts/lib/Either.js';
import { hashPassword } from '../../accounts/hash-password.js';
import { hashSecret } from '../../accounts/secrets.js';
import type { PasswordHash } from '../../records/password-hash.js';
import type { TenantRecords } from '../../records/tenant-records.js';
import { fixtureRecords } from '../../storage/fixtures/fixture-records.js';
import { type FixtureProblems, readFixtureFiles } from '../../storage/fixtures/read-fixtures.js';
import { fixtureSummary } from '../output/fixtures.js';

/** What is kept of a directory of valid fixtures before any of them is loaded. */
export type CheckedFixtures = Readonly<{
  /** The passwords by user id, in clear text as in the fixtures. */
  passwords: ReadonlyMap<string, string>;
  /** One line for each file. */
  summaries: readonly string[];
}>;

/** Checks a directory file by file. The rows of a valid file are not kept. */
export const checkFixtures = async (
  directory: string,
  onProgress: (text: string) => void,
): Promise<E.Either<FixtureProblems, CheckedFixtures>> => {
  const problems: string[] = [];
  const passwords = new Map<string, string>();
  const summaries: string[] = [];
  for await (const file of readFixtureFiles(directory)) {
    if (E.isLeft(file)) problems.push(...file.left);
    else {
      const { user } = file.right.dataset;
      passwords.set(user.id, user.password);
      summaries.push(fixtureSummary(file.right.file, file.right.dataset));
    }
    onProgress(`checked ${summaries.length} files`);
  }
  return problems.length > 0 ? E.left(problems) : E.right({ passwords, summaries });
};

/** How many passwords are hashed in parallel: Node has four threads for it by default. */
const concurrency = 4;

/** Hashes passwords, which is slow on purpose. */
export const hashPasswords = async (
  passwords: ReadonlyMap<string, string>,
  onProgress: (text: string) => void,
): Promise<ReadonlyMap<string, PasswordHash>> => {
  const hashes = new Map<string, PasswordHash>();
  const waiting = passwords.entries();
  const work = async (): Promise<void> => {
    for (const [userId, password] of waiting) {
      hashes.set(userId, await hashPassword(password));
      onProgress(`hashed ${hashes.size} of ${passwords.size} passwords`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return hashes;
};

/**
 * The records of each tenant of a directory, one file at a time, with their dates moved to a moment in
 * milliseconds.
 */
export async function* tenantRecords(
  directory: string,
  hashes: ReadonlyMap<string, PasswordHash>,
  moment: number,
): AsyncGenerator<E.Either<FixtureProblems, TenantRecords>> {
  for await (const file of readFixtureFiles(directory)) {
    if (E.isLeft(file)) yield file;
    else {
      const { user, password, ...records } = fixtureRecords(file.right.dataset, hashSecret, moment);
      const passwordHash = hashes.get(user.id) ?? (await hashPassword(password));
      yield E.right({ ...records, user: { ...user, passwordHash } });
    }
  }
}
