import type { Context } from 'koa';
import type { RawCredentials } from '../accounts/hash-credentials.js';
import { type CredentialKind, sessionCookieName } from '../contract/credential-kind.js';

/**
 * What a request brings along to say who is asking, of the kinds that its endpoint accepts and of no other: where only the
 * cookie is accepted, the `Authorization` header is not read (contract, section 5, rule 3).
 */
export const readCredentials = (ctx: Context, accepts: readonly CredentialKind[]): RawCredentials => ({
  sessionValue: accepts.includes('session') ? (ctx.cookies.get(sessionCookieName) ?? null) : null,
  bearerToken: accepts.includes('bearer') ? bearerToken(ctx.get('Authorization')) : null,
});

/** The token of `Bearer <token>`; the scheme's letter case does not matter (RFC 9110, section 11.1). */
const bearerToken = (header: string): string | null => /^bearer +([^\s]+) *$/i.exec(header)?.[1] ?? null;

/** The `WWW-Authenticate` of a 401 (RFC 9110, section 11.6.1): what the endpoint would have accepted. */
export const challenge = (accepts: readonly CredentialKind[]): string =>
  accepts
    .map((credential) =>
      credential === 'bearer'
        ? 'Bearer realm="triage-api"'
        : `Cookie realm="triage-api", cookie-name="${sessionCookieName}"`,
    )
    .join(', ');
