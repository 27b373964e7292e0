import * as E from '#fp-ts/Either';
import type { NamedSecret, RequestAuth, SecretHeader } from '../client/outgoing-request.js';
import { NotExercised } from './not-exercised.js';

/** The secrets of a run, by the names of their options. */
export type Secrets = Readonly<{
  session: string;
  token: string;
  otherSession: string | undefined;
  otherToken: string | undefined;
  expiredSession: string | undefined;
  expiredToken: string | undefined;
}>;

/** The name of a secret. The run has it from an option, or it is one that was never issued. */
type SecretName = keyof Secrets | 'invalidSession' | 'invalidToken' | AlteredName;

/** An issued value, altered. */
type AlteredName = `${keyof typeof alterations}${'Session' | 'Token'}`;

/** The secrets that requests can carry; null if the run has none of that name. */
export type TestCredentials = Readonly<Record<SecretName, NamedSecret | null>>;

/** Credentials that were never issued: every server must reject them. */
export const invalidSession: NamedSecret = { name: 'invalid session', value: 'triage-api-verify-no-session' };
export const invalidToken: NamedSecret = { name: 'invalid token', value: 'triage-api-verify-no-token' };

/** Shorter values are not altered: a part of them would be too little to be recognised in a report. */
const minAltered = 8;

/** How a value is altered: the first three quarters, with one more character, in other letter case. */
const alterations = {
  shortened: ['without its end', (value: string) => value.slice(0, Math.floor(value.length * 0.75))],
  lengthened: ['with another character', (value: string) => `${value}x`],
  recased: [
    'in other case',
    (value: string) =>
      value.replaceAll(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      ),
  ],
} as const;

export const testCredentials = (secrets: Secrets): TestCredentials => {
  const issued = (name: string, value: string | undefined): NamedSecret | null =>
    value === undefined ? null : { name, value };
  const altered = (alteration: keyof typeof alterations, name: 'session' | 'token'): NamedSecret | null => {
    const [words, alter] = alterations[alteration];
    const value = alter(secrets[name]);
    const isAltered = value !== secrets[name] && secrets[name].length >= minAltered;
    return isAltered ? { name: `${name} ${words}`, value } : null;
  };
  return {
    session: issued('session', secrets.session),
    token: issued('token', secrets.token),
    otherSession: issued('other session', secrets.otherSession),
    otherToken: issued('other token', secrets.otherToken),
    expiredSession: issued('expired session', secrets.expiredSession),
    expiredToken: issued('expired token', secrets.expiredToken),
    invalidSession,
    invalidToken,
    shortenedSession: altered('shortened', 'session'),
    lengthenedSession: altered('lengthened', 'session'),
    recasedSession: altered('recased', 'session'),
    shortenedToken: altered('shortened', 'token'),
    lengthenedToken: altered('lengthened', 'token'),
    recasedToken: altered('recased', 'token'),
  };
};

/** The values that reports must not contain: those of all issued credentials, and of what resembles them. */
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

const prerequisiteOf = (name: SecretName): string => {
  const kind = name.endsWith('Token') ? 'token' : 'session';
  const letters = name.startsWith('recased') ? ', letters among them' : '';
  return prerequisites[name] ?? `a ${kind} of at least ${minAltered} characters${letters}`;
};

/**
 * The credentials that a request carries, by name; `null` sends no cookie, or no `Authorization` header.
 * `other` is a header in which the API reads none.
 */
export type Auth = Readonly<{
  session: SecretName | null;
  bearer: SecretName | null;
  other?: SecretHeader<SecretName>;
}>;

export const noCredentials: Auth = { session: null, bearer: null };
export const bySession: Auth = { session: 'session', bearer: null };
export const byToken: Auth = { session: null, bearer: 'token' };

/** Which credential is meant, in statements and in the ids of checks. */
export const authKind = ({ bearer }: Auth): 'session' | 'token' => (bearer === null ? 'session' : 'token');
export const partOf = ({ bearer }: Auth): string => (bearer === null ? '' : '-by-token');

/** Looks up the secrets that `auth` names. `left`: the run lacks one of them. */
export const requestAuth = (
  credentials: Partial<TestCredentials>,
  { session, bearer, other }: Auth,
): E.Either<NotExercised, RequestAuth> => {
  const missing = [session, bearer, other?.secret ?? null].find(
    (name) => name !== null && !credentials[name],
  );
  if (missing) return E.left(new NotExercised(prerequisiteOf(missing), 'credentials'));
  const lookUp = (name: SecretName | null) => (name === null ? null : (credentials[name] ?? null));
  const secret = lookUp(other?.secret ?? null);
  return E.right({
    session: lookUp(session),
    bearer: lookUp(bearer),
    ...(other === undefined || secret === null ? {} : { other: { ...other, secret } }),
  });
};
