import * as E from '#fp-ts/Either';
import { hashPassword } from '../../accounts/passwords.js';
import { hashSecret } from '../../accounts/sessions-and-tokens.js';
import { type FixtureProblems, type FixtureSources, readFixtureFiles } from '../../fixtures/read-fixtures.js';
import type { PasswordHash } from '../../records/account-records.js';
import type { TenantRecords } from '../../records/dataset.js';
import { fixtureRecords } from '../../storage/memory/fixture-records.js';

/** A user's password, in clear text as in the fixtures. */
export type Password = Readonly<{ userId: string; password: string }>;

/** How many passwords are hashed in parallel: Node has four threads for it by default. */
const concurrency = 4;

/** The hashes of passwords by user id. Hashing is slow on purpose. */
export const hashPasswords = async (
  passwords: readonly Password[],
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
export async function* tenantRecords(
  sources: FixtureSources,
  hashes: ReadonlyMap<string, PasswordHash>,
  moment: number,
): AsyncGenerator<E.Either<FixtureProblems, TenantRecords>> {
  for await (const file of readFixtureFiles(sources)) {
    if (E.isLeft(file)) yield file;
    else {
      const { user, password, ...records } = fixtureRecords(file.right.dataset, hashSecret, moment);
      const passwordHash = hashes.get(user.id) ?? (await hashPassword(password));
      yield E.right({ ...records, user: { ...user, passwordHash } });
    }
  }
}
