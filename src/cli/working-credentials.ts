import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { resolveCaller } from '../accounts/resolve-caller.js';
import type { Fixture } from '../storage/fixtures/read-directory.js';
import type { Storage } from '../storage/port.js';
import type { Clock } from '../vocabulary/clock.js';

/** What of a tenant can be shown to somebody who wants to try it: credentials that work now, in clear text. */
export type TenantSample = Readonly<{
  name: string;
  session: string | null;
  token: string | null;
  findingId: string | null;
}>;

/** The first session and token of each tenant that the storage accepts, and the finding that its list shows first. */
export const tenantSamples = async (
  dependencies: Readonly<{ storage: Storage; clock: Clock }>,
  fixtures: readonly Fixture[],
): Promise<readonly TenantSample[]> => {
  // Trying a token here is no use of it.
  const storage: Storage = { ...dependencies.storage, noteApiTokenUse: () => TE.right(undefined) };
  const resolve = resolveCaller({ ...dependencies, storage });
  const firstThatWorks = async (
    secrets: readonly string[],
    as: 'sessionValue' | 'bearerToken',
  ): Promise<string | null> => {
    for (const secret of secrets) {
      const caller = await resolve({ sessionValue: null, bearerToken: null, [as]: secret })();
      if (E.isRight(caller)) return secret;
    }
    return null;
  };
  const samples = [];
  for (const { name, dataset } of fixtures) {
    const first = await dependencies.storage.findings(
      { userId: dataset.user.id },
      { repoId: undefined, offset: 0, limit: 1 },
    )();
    samples.push({
      name,
      session: await firstThatWorks(
        dataset.sessions.map(({ value }) => value),
        'sessionValue',
      ),
      token: await firstThatWorks(
        dataset.apiTokens.map(({ token }) => token),
        'bearerToken',
      ),
      findingId: E.isRight(first) ? (first.right.rows[0]?.id ?? null) : null,
    });
  }
  return samples;
};
