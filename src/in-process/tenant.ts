import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { SampleCredentials } from '../live-fixtures/sample-credentials.js';
import type { MadeCredentials } from './made-credentials.js';

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

/**
 * The tenants of these users, with the valid credentials of their fixtures. Missing credentials are created.
 * `left`: which tenant got none, and why.
 */
export const tenantsWithCredentials = (
  made: MadeCredentials,
  userIds: readonly string[],
  samples: readonly SampleCredentials[],
): TE.TaskEither<string, readonly Tenant[]> =>
  TE.traverseSeqArray(({ userId, sample }: Readonly<{ userId: string; sample: SampleCredentials }>) =>
    withCredentials(made, userId, sample),
  )(samples.map((sample, i) => ({ userId: userIds[i] ?? '', sample })));

const withCredentials = (
  made: MadeCredentials,
  userId: string,
  { name, session, token }: SampleCredentials,
): TE.TaskEither<string, Tenant> =>
  pipe(
    TE.Do,
    TE.bind('session', () => (session === null ? made.session(userId) : TE.right(session))),
    TE.bind('token', () => (token === null ? made.token(userId) : TE.right(token))),
    TE.map((credentials) => ({ name, ...credentials })),
    TE.mapLeft(({ _tag }) => `${name}: cannot create credentials (${_tag})`),
  );
