/**
 * The user of a fixture file with their credentials. The API does not show who the caller is, so all of it is
 * invented.
 */
export type FixtureUser = Readonly<{
  id: string;
  email: string;
  name: string;
  password: string;
  session: string;
  token: string;
}>;

/**
 * The user for a file of this name (without its extension). A name and an address that are not chosen are
 * derived from it. Credentials are not: others could guess them.
 */
export const fixtureUserFor = (
  fileName: string,
  chosen: Readonly<{ email: string | undefined; name: string | undefined }>,
  credentials: Pick<FixtureUser, 'password' | 'session' | 'token'>,
): FixtureUser => {
  const slug = fileName.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, maxSlugLength) || 'tenant';
  return {
    id: `usr_${slug}`,
    email: chosen.email ?? `${slug}@recorded.test`,
    name: chosen.name ?? fileName,
    ...credentials,
  };
};

/** Keeps the e-mail address within its own limit. */
const maxSlugLength = 100;
