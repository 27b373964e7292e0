import type { NamedSecret } from '../client/api-request.js';

/** What a run is given to ask with; the second tenant and what has expired only where somebody has them. */
export type TestCredentials = Readonly<{
  session: NamedSecret;
  token: NamedSecret;
  otherSession: NamedSecret | null;
  otherToken: NamedSecret | null;
  expiredSession: NamedSecret | null;
  expiredToken: NamedSecret | null;
}>;

/** The secrets of a run by the names of their options. */
export type Secrets = Readonly<Record<keyof TestCredentials, string | undefined>> &
  Readonly<{ session: string; token: string }>;

const credential = (name: string, value: string | undefined): NamedSecret | null =>
  value === undefined ? null : { name, value };

export const credentialsOf = (secrets: Secrets): TestCredentials => ({
  session: { name: 'session', value: secrets.session },
  token: { name: 'token', value: secrets.token },
  otherSession: credential('other session', secrets.otherSession),
  otherToken: credential('other token', secrets.otherToken),
  expiredSession: credential('expired session', secrets.expiredSession),
  expiredToken: credential('expired token', secrets.expiredToken),
});

/** What nobody was ever given: the server must refuse it. */
export const invalidSession: NamedSecret = { name: 'invalid session', value: 'triage-api-verify-no-session' };
export const invalidToken: NamedSecret = { name: 'invalid token', value: 'triage-api-verify-no-token' };
