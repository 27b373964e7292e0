import type { Context } from 'koa';
import type { RawCredentials } from '../accounts/secrets.js';
import { type CredentialKind, sessionCookieName } from '../contract/credential-kind.js';

/**
 * The credentials of a request, of the kinds that its endpoint accepts only: where just the cookie is
 * accepted, the `Authorization` header is not read (contract, section 5, rule 3).
 */
export const readCredentials = (ctx: Context, accepts: readonly CredentialKind[]): RawCredentials => ({
  sessionValue: accepts.includes('session') ? (ctx.cookies.get(sessionCookieName) ?? null) : null,
  bearerToken: accepts.includes('bearer') ? bearerToken(ctx.get('Authorization')) : null,
});

/** The token of `Bearer <token>`. The scheme is case-insensitive (RFC 9110, section 11.1). */
const bearerToken = (header: string): string | null => /^bearer +([^\s]+) *$/i.exec(header)?.[1] ?? null;

/**
 * The `WWW-Authenticate` header of a 401 (RFC 9110, section 11.6.1): the credentials that the endpoint
 * accepts.
 */
export const challenge = (accepts: readonly CredentialKind[]): string =>
  accepts
    .map((credential) =>
      credential === 'bearer'
        ? 'Bearer realm="triage-api"'
        : `Cookie realm="triage-api", cookie-name="${sessionCookieName}"`,
    )
    .join(', ');
