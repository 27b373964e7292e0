import * as E from 'fp-ts/lib/Either.js';
import { hashPassword } from '../accounts/hash-password.js';
import { hashSecret } from '../accounts/secrets.js';
import { escapeControlCharacters } from '../common/escape-control-characters.js';
import type { PasswordHash } from '../records/password-hash.js';
import type { TenantRecords } from '../records/tenant-records.js';
import { fixtureRecords } from '../storage/fixtures/fixture-records.js';
import { type FixtureProblems, readFixtureFiles } from '../storage/fixtures/read-fixtures.js';
import { fixtureCounts } from './fixture-counts.js';

/** What is known of fixtures once all of them have been checked, before any is loaded. */
export type CheckedFixtures = Readonly<{
  /** By the ids of their users, the passwords, in clear text as fixtures have them. */
  passwords: ReadonlyMap<string, string>;
  /** What each tenant has, a line each. */
  lines: readonly string[];
}>;

/** Checks a directory, file by file; of a good file nothing is kept but what its tenant is known by. */
export const checkFixtures = async (
  directory: string,
  progress: (text: string) => void,
): Promise<E.Either<FixtureProblems, CheckedFixtures>> => {
  const problems: string[] = [];
  const passwords = new Map<string, string>();
  const lines: string[] = [];
  for await (const file of readFixtureFiles(directory)) {
    if (E.isLeft(file)) problems.push(...file.left);
    else {
      const { user } = file.right.dataset;
      passwords.set(user.id, user.password);
      lines.push(
        escapeControlCharacters(`${file.right.file}: ${user.email}: ${fixtureCounts(file.right.dataset)}`),
      );
    }
    progress(`checked ${lines.length} files`);
  }
  return problems.length > 0 ? E.left(problems) : E.right({ passwords, lines });
};

/** How many passwords are hashed at a time: as many as Node has threads for it. */
const atOnce = 4;

/** The hashes of passwords. It takes a while, on purpose. */
export const hashPasswords = async (
  passwords: ReadonlyMap<string, string>,
  progress: (text: string) => void,
): Promise<ReadonlyMap<string, PasswordHash>> => {
  const hashes = new Map<string, PasswordHash>();
  const waiting = passwords.entries();
  const work = async (): Promise<void> => {
    for (const [userId, password] of waiting) {
      hashes.set(userId, await hashPassword(password));
      progress(`hashed ${hashes.size} of ${passwords.size} passwords`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return hashes;
};

/** The tenants of a directory as they are kept, one after the other, looking as they do at a moment. */
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
