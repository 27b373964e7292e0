import type { RawCredentials } from '../accounts/sessions-and-tokens.js';
import { type CredentialKind, sessionCookieName } from '../contract/operations.js';
import type { RequestHeaders } from './request.js';

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
