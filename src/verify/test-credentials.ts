import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { NamedSecret, RequestAuth } from '../client/api-request.js';
import { missing, type UnmetPrerequisite } from './unmet-prerequisite.js';

/**
 * The secrets of a run, by the names of their options. Those of a second tenant and expired ones are
 * optional.
 */
export type Secrets = Readonly<{
  session: string;
  token: string;
  otherSession: string | undefined;
  otherToken: string | undefined;
  expiredSession: string | undefined;
  expiredToken: string | undefined;
}>;

/** The name of a secret. The run has it from an option, or it is one that was never issued. */
export type SecretName = keyof Secrets | 'invalidSession' | 'invalidToken';

/** The secrets that requests can carry; null if the run has none of that name. */
export type TestCredentials = Readonly<Record<SecretName, NamedSecret | null>>;

/** Credentials that were never issued: every server must reject them. */
export const invalidSession: NamedSecret = { name: 'invalid session', value: 'triage-api-verify-no-session' };
export const invalidToken: NamedSecret = { name: 'invalid token', value: 'triage-api-verify-no-token' };

const namedSecret = (name: string, value: string | undefined): NamedSecret | null =>
  value === undefined ? null : { name, value };

export const testCredentials = (secrets: Secrets): TestCredentials => ({
  session: namedSecret('session', secrets.session),
  token: namedSecret('token', secrets.token),
  otherSession: namedSecret('other session', secrets.otherSession),
  otherToken: namedSecret('other token', secrets.otherToken),
  expiredSession: namedSecret('expired session', secrets.expiredSession),
  expiredToken: namedSecret('expired token', secrets.expiredToken),
  invalidSession,
  invalidToken,
});

/** The values that reports must not contain: those of all issued credentials. */
export const secretValues = (credentials: TestCredentials): readonly string[] =>
  Object.values(credentials)
    .filter((secret) => secret !== invalidSession && secret !== invalidToken)
    .flatMap((secret) => secret?.value ?? []);

/** What a run without one of the optional secrets lacks. */
const prerequisites: Readonly<Partial<Record<SecretName, string>>> = {
  otherSession: 'a second tenant (--other-session)',
  otherToken: 'a second tenant (--other-token)',
  expiredSession: 'an expired session (--expired-session)',
  expiredToken: 'an expired token (--expired-token)',
};

/** The credentials that a request carries, by name; `null` sends no cookie, or no `Authorization` header. */
export type Auth = Readonly<{ session: SecretName | null; bearer: SecretName | null }>;

export const noCredentials: Auth = { session: null, bearer: null };
export const bySession: Auth = { session: 'session', bearer: null };
export const byToken: Auth = { session: null, bearer: 'token' };

/** Looks up the secrets that `auth` names. */
export const requestAuth = (
  credentials: TestCredentials,
  auth: Auth,
): E.Either<UnmetPrerequisite, RequestAuth> => {
  const lookUp = (name: SecretName | null): E.Either<UnmetPrerequisite, NamedSecret | null> =>
    name === null
      ? E.right(null)
      : E.fromNullable(missing(prerequisites[name] ?? name, 'credentials'))(credentials[name]);
  return pipe(E.Do, E.apS('session', lookUp(auth.session)), E.apS('bearer', lookUp(auth.bearer)));
};
