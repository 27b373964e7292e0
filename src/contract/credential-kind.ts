/**
 * The kinds of credentials that an operation accepts: the session cookie, or a bearer token (contract,
 * section 5).
 */
export type CredentialKind = 'session' | 'bearer';

/** The name of the session cookie. */
export const sessionCookieName = 'session';

/** The documentation of each kind. */
export const credentialDocs: Readonly<
  Record<CredentialKind, Readonly<{ description: string; decision: string }>>
> = {
  session: {
    description: 'The cookie that login and sign-up set (`/login`, `/signup`).',
    decision: `It is called \`${sessionCookieName}\` and expires seven days after the login.`,
  },
  bearer: {
    description:
      'An API token, minted by its user at `/settings/api-tokens`: `Authorization: Bearer <token>`.',
    decision:
      'It is valid until it is revoked or expires, if an expiry was chosen. When a request has a cookie as well, a valid token takes precedence over it.',
  },
};
