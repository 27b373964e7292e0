const ghsa = /GHSA(?:-[0-9a-z]{4}){3}(?![0-9a-z])/i;
const cve = /CVE-\d{4}-\d{4,19}(?!\d)/i;

const isGhsa = (id: string): boolean => ghsa.exec(id)?.[0] === id;
const isCve = (id: string): boolean => cve.exec(id)?.[0] === id;

/** The id that a finding shows: that of GitHub, else that of CVE, else the first one of the source. */
export const preferredId = (ids: readonly string[]): string =>
  ids.find(isGhsa) ?? ids.find(isCve) ?? ids[0] ?? '';

/** The ids of GitHub and of CVE in a text, such as the URL of an advisory. */
export const idsIn = (text: string): readonly string[] =>
  [ghsa, cve].flatMap((pattern) => pattern.exec(text.slice(0, maxSearched))?.[0] ?? []);

const maxSearched = 2000;

/** No advisory is in more databases. */
const maxIds = 50;

/** The distinct ones of these ids that are there. */
export const idsOf = (ids: readonly (string | undefined)[]): readonly string[] =>
  Array.from(new Set(ids.filter((id) => id !== undefined))).slice(0, maxIds);
