import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { mintApiToken } from '../accounts/api-tokens.js';
import { newSession } from '../accounts/session.js';
import type { Clock } from '../common/clock.js';
import type { SampleCredentials } from '../server/sample-credentials.js';
import type { Storage } from '../storage/port.js';

/** A tenant, and credentials of it that hold. */
export type Tenant = Readonly<{
  /** The name of its fixture file without the ending; of a tenant that was given as a value, the id of its user. */
  name: string;
  /** What the cookie `session` is to hold. */
  session: string;
  /** What is to follow `Authorization: Bearer`. */
  token: string;
}>;

type Dependencies = Readonly<{ storage: Storage; clock: Clock }>;

/** The tenants of these users with the credentials that fixtures have for them; where none holds, with ones that are made. */
export const tenantsOf = (
  dependencies: Dependencies,
  userIds: readonly string[],
  samples: readonly SampleCredentials[],
): TE.TaskEither<string, readonly Tenant[]> =>
  TE.traverseSeqArray(({ userId, sample }: Readonly<{ userId: string; sample: SampleCredentials }>) =>
    tenantOf(dependencies, userId, sample),
  )(samples.map((sample, i) => ({ userId: userIds[i] ?? '', sample })));

const tenantOf = (
  dependencies: Dependencies,
  userId: string,
  { name, session, token }: SampleCredentials,
): TE.TaskEither<string, Tenant> =>
  pipe(
    TE.Do,
    TE.bind('session', () => (session === null ? madeSession(dependencies, userId) : TE.right(session))),
    TE.bind('token', () => (token === null ? madeToken(dependencies, userId) : TE.right(token))),
    TE.map((credentials) => ({ name, ...credentials })),
    TE.mapLeft(({ _tag }) => `${name}: no credentials could be made for it (${_tag})`),
  );

const madeSession = ({ storage, clock }: Dependencies, userId: string) => {
  const { value, record } = newSession(userId, clock());
  return pipe(
    storage.startSession(record, null),
    TE.map(() => value),
  );
};

const madeToken = (dependencies: Dependencies, userId: string) =>
  pipe(
    mintApiToken(dependencies)({ userId }, { name: 'made for a test' }),
    TE.map(({ token }) => token),
  );
