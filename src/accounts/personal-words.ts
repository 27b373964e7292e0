/** Whose password it is, as far as that is known. */
export type PasswordOwner = Readonly<{ email: string; name: string }>;

/**
 * The words that everybody would try for this person: the e-mail address, the name, the name of the service,
 * and their parts of at least three characters.
 */
export const personalWords = ({ email, name }: PasswordOwner): readonly string[] => {
  const [local = '', domain = ''] = clipped(email).split('@');
  const site = domain.replace(/\.[^.]*$/, '');
  const words = [clipped(email), domain, local, site, clipped(name), service];
  const parts = [local, site, clipped(name), service].flatMap((word) => [
    ...word.split(/[^\p{L}\p{N}]+/u),
    ...word.split(/\P{L}+/u),
  ]);
  return Array.from(new Set([...words, ...parts])).filter((word) => word.length >= 3);
};

const service = 'triage-api';

/** An invalid form can have long values, which would take long to look for. */
const clipped = (text: string): string => text.slice(0, 254);
