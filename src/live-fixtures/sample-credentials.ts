import * as E from '#fp-ts/Either';
import { hashCredentials } from '../accounts/secrets.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { Clock } from '../common/clock.js';
import { compareFixDrafts } from '../records/row-order.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { firstOf } from '../storage/fixtures/tenant-index.js';
import type { Storage } from '../storage/port.js';

/**
 * Credentials of a tenant that work now, in clear text, for people to try; null where the tenant has none.
 */
export type SampleCredentials = Readonly<{
  name: string;
  email: string;
  /** Null if it must not be shown. */
  password: string | null;
  session: string | null;
  token: string | null;
  /** The first finding of its list. */
  findingId: string | null;
}>;

/**
 * The samples of each tenant: the first session and token that the storage accepts, and the first finding.
 */
export const sampleCredentials = async (
  { storage, clock }: Readonly<{ storage: Storage; clock: Clock }>,
  fixtures: readonly Fixture[],
  showPasswords: boolean,
): Promise<readonly SampleCredentials[]> => {
  const isAccepted = async (secrets: Parameters<typeof hashCredentials>[0]): Promise<boolean> => {
    const hashed = hashCredentials(secrets, timestampAt(clock()));
    return E.isRight(hashed) && E.isRight(await storage.caller(hashed.right)());
  };
  const samples: SampleCredentials[] = [];
  for (const { name, dataset } of fixtures) {
    const { user, sessions, apiTokens, fixDrafts } = dataset;
    const session = await firstThat(sessions, ({ value }) =>
      isAccepted({ sessionValue: value, bearerToken: null }),
    );
    const apiToken = await firstThat(apiTokens, ({ token }) =>
      isAccepted({ sessionValue: null, bearerToken: token }),
    );
    samples.push({
      name,
      email: user.email,
      password: showPasswords ? user.password : null,
      session: session?.value ?? null,
      token: apiToken?.token ?? null,
      findingId: firstOf(fixDrafts, compareFixDrafts)?.id ?? null,
    });
  }
  return samples;
};

const firstThat = async <A>(
  all: readonly A[],
  holds: (one: A) => Promise<boolean>,
): Promise<A | undefined> => {
  for (const one of all) if (await holds(one)) return one;
  return undefined;
};
