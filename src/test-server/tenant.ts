import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { mintApiToken } from '../accounts/api-tokens.js';
import { nonePublished } from '../accounts/published-accounts.js';
import { newSession } from '../accounts/session.js';
import type { Clock } from '../common/clock.js';
import type { SampleCredentials } from '../server/sample-credentials.js';
import type { Storage } from '../storage/port.js';

/** A tenant and its credentials, which are valid when the server starts. */
export type Tenant = Readonly<{
  /**
   * The name of the fixture file without its extension or, for a tenant that was passed as a value, the id of
   * its user.
   */
  name: string;
  /** The value of the cookie `session`. */
  session: string;
  /** The bearer token, for the `Authorization` header. */
  token: string;
}>;

type Dependencies = Readonly<{ storage: Storage; clock: Clock }>;

/**
 * The tenants of these users, with the valid credentials of their fixtures. Missing credentials are created.
 * `left`: which tenant got none, and why.
 */
export const tenantsWithCredentials = (
  dependencies: Dependencies,
  userIds: readonly string[],
  samples: readonly SampleCredentials[],
): TE.TaskEither<string, readonly Tenant[]> =>
  TE.traverseSeqArray(({ userId, sample }: Readonly<{ userId: string; sample: SampleCredentials }>) =>
    withCredentials(dependencies, userId, sample),
  )(samples.map((sample, i) => ({ userId: userIds[i] ?? '', sample })));

const withCredentials = (
  dependencies: Dependencies,
  userId: string,
  { name, session, token }: SampleCredentials,
): TE.TaskEither<string, Tenant> =>
  pipe(
    TE.Do,
    TE.bind('session', () => (session === null ? createSession(dependencies, userId) : TE.right(session))),
    TE.bind('token', () => (token === null ? createToken(dependencies, userId) : TE.right(token))),
    TE.map((credentials) => ({ name, ...credentials })),
    TE.mapLeft(({ _tag }) => `${name}: cannot create credentials (${_tag})`),
  );

const createSession = ({ storage, clock }: Dependencies, userId: string) => {
  const { value, record } = newSession(userId, clock(), null);
  return pipe(
    storage.startSession(record, null),
    TE.map(() => value),
  );
};

const createToken = (dependencies: Dependencies, userId: string) =>
  pipe(
    mintApiToken({ ...dependencies, ...nonePublished })(
      { userId },
      { name: 'created for tests' },
      { report: () => {} },
    ),
    TE.map(({ token }) => token),
  );
