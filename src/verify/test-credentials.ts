import * as E from 'fp-ts/lib/Either.js';
import type { RequestAuth } from '../client/api-request.js';
import type { NamedSecret } from '../client/named-secret.js';
import { missing, type UnmetPrerequisite } from './unmet-prerequisite.js';

/** The credentials of a run. Those of a second tenant and expired ones are optional. */
export type TestCredentials = Readonly<{
  session: NamedSecret;
  token: NamedSecret;
  otherSession: NamedSecret | null;
  otherToken: NamedSecret | null;
  expiredSession: NamedSecret | null;
  expiredToken: NamedSecret | null;
}>;

/** The secrets of a run, by the names of their options. */
export type Secrets = Readonly<Record<keyof TestCredentials, string | undefined>> &
  Readonly<{ session: string; token: string }>;

const namedSecret = (name: string, value: string | undefined): NamedSecret | null =>
  value === undefined ? null : { name, value };

export const testCredentials = (secrets: Secrets): TestCredentials => ({
  session: { name: 'session', value: secrets.session },
  token: { name: 'token', value: secrets.token },
  otherSession: namedSecret('other session', secrets.otherSession),
  otherToken: namedSecret('other token', secrets.otherToken),
  expiredSession: namedSecret('expired session', secrets.expiredSession),
  expiredToken: namedSecret('expired token', secrets.expiredToken),
});

/** Credentials that were never issued: every server must reject them. */
export const invalidSession: NamedSecret = { name: 'invalid session', value: 'triage-api-verify-no-session' };
export const invalidToken: NamedSecret = { name: 'invalid token', value: 'triage-api-verify-no-token' };

type SecretName = keyof TestCredentials | 'invalidSession' | 'invalidToken';

/** The credentials that a request carries, by name; `null` sends no cookie, or no `Authorization` header. */
export type Auth = Readonly<{ session: SecretName | null; bearer: SecretName | null }>;

export const noCredentials: Auth = { session: null, bearer: null };
export const bySession: Auth = { session: 'session', bearer: null };
export const byToken: Auth = { session: null, bearer: 'token' };

/** What a run lacks if an optional credential was not given. */
const prerequisites: Readonly<Record<Exclude<SecretName, 'invalidSession' | 'invalidToken'>, string>> = {
  session: 'a session (--session)',
  token: 'a token (--token)',
  otherSession: 'a second tenant (--other-session)',
  otherToken: 'a second tenant (--other-token)',
  expiredSession: 'an expired session (--expired-session)',
  expiredToken: 'an expired token (--expired-token)',
};

const secretOf = (
  credentials: TestCredentials,
  name: SecretName | null,
): E.Either<UnmetPrerequisite, NamedSecret | null> => {
  if (name === null) return E.right(null);
  if (name === 'invalidSession') return E.right(invalidSession);
  if (name === 'invalidToken') return E.right(invalidToken);
  return E.fromNullable(missing(prerequisites[name]))(credentials[name]);
};

/** Looks up the secrets that `auth` names. */
export const requestAuth = (
  credentials: TestCredentials,
  auth: Auth,
): E.Either<UnmetPrerequisite, RequestAuth> => {
  const session = secretOf(credentials, auth.session);
  if (E.isLeft(session)) return session;
  const bearer = secretOf(credentials, auth.bearer);
  if (E.isLeft(bearer)) return bearer;
  return E.right({ session: session.right, bearer: bearer.right });
};
