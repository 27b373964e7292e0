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

type Kind = 'session' | 'token';

/** The name of a secret in reports: one from an option, one that was never issued, or one that is altered. */
type SecretName =
  | Kind
  | `${'other' | 'expired' | 'invalid'} ${Kind}`
  | `${Kind} ${'without its end' | 'with another character' | 'in other case'}`;

/** The secrets that requests can carry, as far as the run has them. */
export type TestCredentials = ReadonlyMap<SecretName, string>;

/** Credentials that were never issued: every server must reject them. */
export const invalidCredentials: readonly (readonly [SecretName, string])[] = [
  ['invalid session', 'triage-api-verify-no-session'],
  ['invalid token', 'triage-api-verify-no-token'],
];

/** Shorter values are not altered: a part of them would be too little to be recognised in a report. */
const minAltered = 8;

const withOtherCase = (value: string): string =>
  value.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

export const testCredentials = (secrets: Secrets): TestCredentials => {
  const credentials = new Map(invalidCredentials);
  const add = (name: SecretName, value: string | undefined): void => {
    if (value !== undefined) credentials.set(name, value);
  };
  add('session', secrets.session);
  add('token', secrets.token);
  add('other session', secrets.otherSession);
  add('other token', secrets.otherToken);
  add('expired session', secrets.expiredSession);
  add('expired token', secrets.expiredToken);
  for (const kind of ['session', 'token'] as const) {
    const value = secrets[kind];
    if (value.length < minAltered) continue;
    add(`${kind} without its end`, value.slice(0, Math.floor(value.length * 0.75)));
    add(`${kind} with another character`, `${value}x`);
    if (withOtherCase(value) !== value) add(`${kind} in other case`, withOtherCase(value));
  }
  return credentials;
};

/** The values that reports must not contain: those of all issued credentials, and of what resembles them. */
export const secretValues = (credentials: TestCredentials): readonly string[] =>
  Array.from(credentials).flatMap(([name, value]) => (name.startsWith('invalid ') ? [] : [value]));

/** What a run lacks that has no secret of this name. */
const prerequisiteOf = (name: SecretName): string => {
  const option = `(--${name.replace(' ', '-')})`;
  if (name.startsWith('other ')) return `a second tenant ${option}`;
  if (name.startsWith('expired ')) return `an ${name} ${option}`;
  const letters = name.endsWith('case') ? ', letters among them' : '';
  return `a ${name.split(' ')[0]} of at least ${minAltered} characters${letters}`;
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
export const authKind = ({ bearer }: Auth): Kind => (bearer === null ? 'session' : 'token');
export const partOf = ({ bearer }: Auth): string => (bearer === null ? '' : '-by-token');

/** Looks up the secrets that `auth` names. `left`: the run lacks one of them. */
export const requestAuth = (
  credentials: TestCredentials,
  { session, bearer, other }: Auth,
): E.Either<NotExercised, RequestAuth> => {
  const names = [session, bearer, other?.secret ?? null].filter((name) => name !== null);
  const missing = names.find((name) => !credentials.has(name));
  if (missing !== undefined) return E.left(new NotExercised(prerequisiteOf(missing), 'credentials'));
  const lookUp = (name: SecretName): NamedSecret => ({ name, value: credentials.get(name) ?? '' });
  return E.right({
    session: session && lookUp(session),
    bearer: bearer && lookUp(bearer),
    ...(other === undefined ? {} : { other: { ...other, secret: lookUp(other.secret) } }),
  });
};
