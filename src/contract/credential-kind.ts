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
    description:
      'The cookie that login and sign-up set (`/login`, `/signup`). Changes of authentication are announced in the changelog before they take effect.',
    decision: `It is called \`${sessionCookieName}\` and is valid for seven days from the login, to the millisecond.`,
  },
  bearer: {
    description:
      'An API token, minted by its user at `/settings/api-tokens`: `Authorization: Bearer <token>`. There is no separate token endpoint and no other kind of API key. Changes of authentication are announced in the changelog before they take effect.',
    decision:
      'It is valid until it is revoked or expires, if an expiry was chosen, to the millisecond. `Bearer` is not case-sensitive. When a request has a cookie as well, a valid token takes precedence over it.',
  },
};
