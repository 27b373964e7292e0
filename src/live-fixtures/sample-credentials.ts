import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { hashCredentials } from '../accounts/secrets.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { Clock } from '../common/clock.js';
import type { FixDraftRecord } from '../records/fix-draft.js';
import { compareFixDrafts } from '../records/row-order.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
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
  const firstAccepted = async (
    secrets: readonly string[],
    as: 'sessionValue' | 'bearerToken',
  ): Promise<string | null> => {
    for (const secret of secrets) {
      const caller = await pipe(
        TE.fromEither(
          hashCredentials({ sessionValue: null, bearerToken: null, [as]: secret }, timestampAt(clock())),
        ),
        TE.flatMap(storage.caller),
      )();
      if (E.isRight(caller)) return secret;
    }
    return null;
  };
  const samples = [];
  for (const { name, dataset } of fixtures) {
    samples.push({
      name,
      email: dataset.user.email,
      password: showPasswords ? dataset.user.password : null,
      session: await firstAccepted(
        dataset.sessions.map(({ value }) => value),
        'sessionValue',
      ),
      token: await firstAccepted(
        dataset.apiTokens.map(({ token }) => token),
        'bearerToken',
      ),
      findingId: firstFinding(dataset.fixDrafts)?.id ?? null,
    });
  }
  return samples;
};

/** The finding that comes first in the list of findings. */
const firstFinding = (drafts: readonly FixDraftRecord[]): FixDraftRecord | undefined =>
  drafts.reduce<FixDraftRecord | undefined>(
    (first, draft) => (first === undefined || compareFixDrafts(draft, first) < 0 ? draft : first),
    undefined,
  );
