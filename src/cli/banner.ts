import { sessionCookieName } from '../contract/credential-kind.js';
import { operations } from '../contract/operations.js';
import type { SampleCredentials } from '../server/sample-credentials.js';

/** How many tenants are listed; there may be thousands. */
const mostTenants = 10;

/** What `serve` prints before it listens: whose data it has, and one request for each operation, ready to paste. */
export const banner = (
  source: string,
  baseUrl: string,
  samples: readonly SampleCredentials[],
): readonly string[] => [
  `triage-api: mock data from ${source}, not the real service`,
  '',
  ...table([
    ['tenant', 'session cookie', 'bearer token'],
    ...samples
      .slice(0, mostTenants)
      .map(({ name, session, token }) => [name, session ?? 'none', token ?? 'none']),
  ]),
  ...(samples.length > mostTenants ? [`  … and ${samples.length - mostTenants} more`] : []),
  '',
  ...requests(baseUrl, samples).map((request) => `  ${request}`),
  '',
];

const requests = (baseUrl: string, samples: readonly SampleCredentials[]): readonly string[] => {
  const { listConnectedRepos, listFindings, getFinding, listPrs } = operations;
  const sample = mostShowable(samples);
  if (sample === undefined || (sample.session === null && sample.token === null)) {
    return ['no session or token of these fixtures works now, so every request is answered 401'];
  }
  const { session, token, findingId } = sample;
  const cookie = session && `Cookie: ${sessionCookieName}=${session}`;
  const either = (token && `Authorization: Bearer ${token}`) || cookie;
  return [
    curl(cookie, `${baseUrl}${listConnectedRepos.path}`),
    curl(cookie, `${baseUrl}${listFindings.path}?page=1&limit=5`),
    curl(either, `${baseUrl}${getFinding.path.replace('{id}', encodeURIComponent(findingId ?? 'unknown'))}`),
    curl(either, `${baseUrl}${listPrs.path}?status=open`),
  ].flatMap((line) => (line === null ? [] : [line]));
};

/** Of all tenants the first that can show the most. */
const mostShowable = (samples: readonly SampleCredentials[]): SampleCredentials | undefined => {
  const shows = ({ session, token, findingId }: SampleCredentials): number =>
    (session === null ? 0 : 4) + (token === null ? 0 : 2) + (findingId === null ? 0 : 1);
  return samples.reduce<SampleCredentials | undefined>(
    (best, sample) => (best === undefined || shows(sample) > shows(best) ? sample : best),
    undefined,
  );
};

const curl = (header: string | null, url: string): string | null =>
  header === null ? null : `curl -H ${shellQuoted(header)} ${shellQuoted(url)}`;

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const table = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
};
