/** What an operation accepts to say who is asking: the session cookie, or a bearer token (contract, section 5). */
export type CredentialKind = 'session' | 'bearer';

/** The name of the session cookie. */
export const sessionCookieName = 'session';

/** What there is to say of each kind. */
export const credentialDocs: Readonly<
  Record<CredentialKind, Readonly<{ description: string; decision: string }>>
> = {
  session: {
    description: 'The cookie that login and sign-up set (`/login`, `/signup`).',
    decision: `It is called \`${sessionCookieName}\`, and holds for seven days from the login.`,
  },
  bearer: {
    description:
      'An API token, minted by its user at `/settings/api-tokens`: `Authorization: Bearer <token>`.',
    decision:
      'It holds until it is revoked, or until the expiry that was chosen for it. Beside a cookie, a valid token decides; else a valid cookie does.',
  },
};
