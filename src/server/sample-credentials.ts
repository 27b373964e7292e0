import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { hashCredentials } from '../accounts/hash-credentials.js';
import type { Clock } from '../common/clock.js';
import type { FixDraftRecord } from '../records/fix-draft.js';
import { compareFixDrafts } from '../records/row-order.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import type { Storage } from '../storage/port.js';

/** What of a tenant can be shown to somebody who wants to try it: credentials that work now, in clear text. */
export type SampleCredentials = Readonly<{
  name: string;
  session: string | null;
  token: string | null;
  findingId: string | null;
}>;

/** The first session and token of each tenant that the storage accepts, and the finding that its list shows first. */
export const sampleCredentials = async (
  { storage, clock }: Readonly<{ storage: Storage; clock: Clock }>,
  fixtures: readonly Fixture[],
): Promise<readonly SampleCredentials[]> => {
  const firstThatWorks = async (
    secrets: readonly string[],
    as: 'sessionValue' | 'bearerToken',
  ): Promise<string | null> => {
    for (const secret of secrets) {
      const caller = await pipe(
        TE.fromEither(hashCredentials({ sessionValue: null, bearerToken: null, [as]: secret }, clock())),
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
      session: await firstThatWorks(
        dataset.sessions.map(({ value }) => value),
        'sessionValue',
      ),
      token: await firstThatWorks(
        dataset.apiTokens.map(({ token }) => token),
        'bearerToken',
      ),
      findingId: firstFinding(dataset.fixDrafts)?.id ?? null,
    });
  }
  return samples;
};

/** The one that the list of findings begins with. */
const firstFinding = (drafts: readonly FixDraftRecord[]): FixDraftRecord | undefined =>
  drafts.reduce<FixDraftRecord | undefined>(
    (first, draft) => (first === undefined || compareFixDrafts(draft, first) < 0 ? draft : first),
    undefined,
  );
