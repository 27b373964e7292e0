import { documentText } from './_documented.js';

/** What comes back through a proxy: a status, and whether the body is whole; or that there is no response. */
export const outcomeThrough = async (url: string, prefer: string): Promise<string> => {
  const headers = { Cookie: 'session=acme-session', Prefer: prefer };
  const response = await fetch(`${url}/api/v1/repos`, { headers }).catch(() => null);
  if (response === null) return 'no response';
  const isWhole = await response.text().then(
    () => true,
    () => false,
  );
  return isWhole ? String(response.status) : `${response.status}, then the connection ends`;
};

/** What the table of docs/simulate.md says of a proxy: about `cut`, and about `drop`. */
export const documentedOutcomes = (proxy: string): readonly string[] =>
  documentText('simulate.md')
    .split('\n')
    .flatMap((line) => (line.startsWith(`| ${proxy} |`) ? [line.split(' | ').slice(1)] : []))
    .flat()
    .map((cell) => cell.replace(/ \|$/, ''));
