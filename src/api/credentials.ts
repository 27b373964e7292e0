import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { sha256Hex } from '#platform';
import { branded } from '../contract/codecs/text-and-numbers.js';
import type { Timestamp } from '../contract/codecs/timestamp.js';
import { type CredentialKind, sessionCookieName } from '../contract/operations.js';
import type { RequestHeaders } from './request.js';
import type { PresentedCredentials, Unauthorized } from './storage-port.js';

/** The SHA-256 of a session value or API token. Storages hold nothing else of a secret. */
export const SecretHash = branded<'SecretHash'>('SHA-256 in hexadecimal', { pattern: /^[0-9a-f]{64}$/ });
export type SecretHash = t.Branded<string, 'SecretHash'>;

/** The user whose credentials a request presents, and who owns all it reads (contract, section 5, rule 6). */
export type Caller = Readonly<{ userId: string }>;

/** A caller, and when the session ends that showed who it is; null: an API token did. */
export type ResolvedCaller = Caller & Readonly<{ sessionExpiresAt: Timestamp | null }>;

/** The lifetime of a session in milliseconds: seven days from its start, whether it is used or not. */
export const sessionLifetime = 7 * 24 * 60 * 60 * 1000;

/** The SHA-256 of a random secret. Passwords, which can be guessed, need the slow `hashPassword`. */
export const hashSecret = (secret: string): SecretHash => {
  const hash = sha256Hex(secret);
  if (!isSecretHash(hash)) throw new TypeError('SHA-256 produced an invalid hash');
  return hash;
};

/** Tells the compiler what the codec would find out in a twentieth of the time of a request. */
const isSecretHash = (hash: string): hash is SecretHash => hash.length === 64;

/** The credentials of a request, as far as its endpoint accepts them; `null`: there are none. */
export type RawCredentials = Readonly<{ sessionValue: string | null; bearerToken: string | null }>;

/** Hashes the credentials of a request, as no storage sees a secret. Without any, it is unauthorized. */
export const hashCredentials = (
  { sessionValue, bearerToken }: RawCredentials,
  at: Timestamp,
): E.Either<Unauthorized, PresentedCredentials> =>
  sessionValue === null && bearerToken === null
    ? E.left({ _tag: 'Unauthorized' })
    : E.right({
        session: sessionValue === null ? null : hashSecret(sessionValue),
        apiToken: bearerToken === null ? null : hashSecret(bearerToken),
        at,
      });

/**
 * The credentials of a request, of the kinds that its endpoint accepts only: where just the cookie is
 * accepted, the `Authorization` header is not read (contract, section 5, rule 3).
 */
export const readCredentials = (
  headers: Pick<RequestHeaders, 'cookie' | 'authorization'>,
  accepts: readonly CredentialKind[],
): RawCredentials => {
  const { authorization } = headers;
  return {
    sessionValue: accepts.includes('session') ? sessionIn(headers.cookie) : null,
    bearerToken:
      authorization !== undefined && accepts.includes('bearer') ? bearerToken(authorization) : null,
  };
};

/** The value of the session cookie, perhaps in quotes (RFC 6265, section 4.1.1); null: it was not sent. */
const sessionIn = (cookie = ''): string | null => {
  const value = /(?:^|;) *session=([^;]*)/.exec(cookie)?.[1];
  if (value === undefined) return null;
  return value.startsWith('"') ? value.slice(1, -1) : value;
};

/** The token of `Bearer <token>`. The scheme is case-insensitive (RFC 9110, section 11.1). */
const bearerToken = (header: string): string | null => /^bearer +([^\s]+) *$/i.exec(header)?.[1] ?? null;

/** The `WWW-Authenticate` header of a 401 (RFC 9110, section 11.6.1). */
export const challenge = (accepts: readonly CredentialKind[]): string =>
  accepts
    .map((credential) =>
      credential === 'bearer'
        ? 'Bearer realm="triage-api"'
        : `Cookie realm="triage-api", cookie-name="${sessionCookieName}"`,
    )
    .join(', ');

/** Whose a session or an API token is, and until when it is valid; null: for ever, or not revoked. */
type SessionValidity = Readonly<{ userId: string; expiresAt: Timestamp }>;
type ApiTokenValidity = Readonly<{
  userId: string;
  expiresAt: Timestamp | null;
  revokedAt: Timestamp | null;
}>;

/** Whether a token is neither expired nor revoked, to the millisecond. */
export const isApiTokenValid = (
  { expiresAt, revokedAt }: Omit<ApiTokenValidity, 'userId'>,
  at: Timestamp,
): boolean => (expiresAt === null || expiresAt > at) && (revokedAt === null || revokedAt > at);

export const isSessionValid = ({ expiresAt }: Omit<SessionValidity, 'userId'>, at: Timestamp): boolean =>
  expiresAt > at;

/**
 * The user that credentials belong to (contract, section 5); null if none are valid. A valid token takes
 * precedence over a valid session. An invalid token is ignored if the session is valid.
 */
export const resolveCaller = (
  session: SessionValidity | null,
  apiToken: ApiTokenValidity | null,
  at: Timestamp,
): ResolvedCaller | null => {
  if (apiToken !== null && isApiTokenValid(apiToken, at))
    return { userId: apiToken.userId, sessionExpiresAt: null };
  if (session === null || !isSessionValid(session, at)) return null;
  return { userId: session.userId, sessionExpiresAt: session.expiresAt };
};
