import type { RawCredentials } from '../accounts/sessions-and-tokens.js';
import { type CredentialKind, sessionCookieName } from '../contract/operations.js';
import type { RequestHeaders } from './request.js';

/**
 * The credentials of a request, of the kinds that its endpoint accepts only: where just the cookie is
 * accepted, the `Authorization` header is not read (contract, section 5, rule 3).
 */
export const readCredentials = (
  { cookie, authorization }: RequestHeaders,
  accepts: readonly CredentialKind[],
): RawCredentials => ({
  sessionValue: cookie !== undefined && accepts.includes('session') ? sessionValue(cookie) : null,
  bearerToken: authorization !== undefined && accepts.includes('bearer') ? bearerToken(authorization) : null,
});

/** Finds the cookie `sessionCookieName` as the package `cookies` does, which sets it. */
const sessionCookie = /(?:^|;) *session=([^;]*)/;

/** The value of the session cookie, which may be in quotes (RFC 6265, section 4.1.1). */
const sessionValue = (cookies: string): string | null => {
  const value = sessionCookie.exec(cookies)?.[1];
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
