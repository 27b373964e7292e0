/** Who the tenant of a recording is to be: v1 does not show who asks. All of it is made up, or chosen. */
export type Seed = Readonly<{
  id: string;
  email: string;
  name: string;
  password: string;
  session: string;
  token: string;
}>;

/** The seed for a file of this name (without its ending): what is chosen, the rest after the name. */
export const seedFor = (
  stem: string,
  chosen: Readonly<{ [Key in keyof Seed]?: Seed[Key] | undefined }>,
): Seed => {
  const word = stem.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, longest) || 'tenant';
  return {
    id: chosen.id ?? `usr_${word}`,
    email: chosen.email ?? `${word}@recorded.test`,
    name: chosen.name ?? stem,
    password: chosen.password ?? `${word}-recorded-password`,
    session: chosen.session ?? `${word}-recorded-session`,
    token: chosen.token ?? `${word}-recorded-token`,
  };
};

/** So that an e-mail address made of it is none too long. */
const longest = 100;
