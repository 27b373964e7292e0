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

/** The user for a file of this name (without its extension). What is not chosen is derived from the name. */
export const fixtureUserFor = (
  fileName: string,
  chosen: Readonly<{ [Key in keyof FixtureUser]?: FixtureUser[Key] | undefined }>,
): FixtureUser => {
  const slug = fileName.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, maxSlugLength) || 'tenant';
  return {
    id: chosen.id ?? `usr_${slug}`,
    email: chosen.email ?? `${slug}@recorded.test`,
    name: chosen.name ?? fileName,
    password: chosen.password ?? `${slug}-recorded-password`,
    session: chosen.session ?? `${slug}-recorded-session`,
    token: chosen.token ?? `${slug}-recorded-token`,
  };
};

/** Keeps the e-mail address within its own limit. */
const maxSlugLength = 100;
