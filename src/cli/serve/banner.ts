import { escapeControlCharacters, shellQuote } from '../../common/messages.js';
import { sessionCookieName } from '../../contract/operations.js';
import type { SampleCredentials } from '../../server/demo-accounts.js';
import { type SampleRequest, sampleRequests } from './sample-requests.js';

/** How many tenants are listed at most. */
const maxTenants = 10;

/**
 * The lines about fixtures that `serve` prints: the tenants, and for each operation a request to paste into a
 * shell.
 */
export const fixtureBanner = (
  source: string,
  baseUrl: string,
  samples: readonly SampleCredentials[],
): readonly string[] => [
  `triage-api: mock data from ${source}, not the real service`,
  '',
  ...formatTable([
    ['tenant', 'session cookie', 'bearer token'],
    ...samples
      .slice(0, maxTenants)
      .map(({ name, session, token }) => [escapeControlCharacters(name), session ?? 'none', token ?? 'none']),
  ]),
  ...(samples.length > maxTenants ? [`  … and ${samples.length - maxTenants} more`] : []),
  '',
  ...curlCommands(baseUrl, samples).map((command) => `  ${command}`),
  '',
];

/** The file in which curl keeps the session cookie. */
const cookieJar = 'triage.cookies';

/** The lines about a database that `serve` prints. */
export const databaseBanner = (database: string, baseUrl: string): readonly string[] =>
  signUpBanner(`data from the database ${database}`, baseUrl);

/**
 * The lines about a storage that holds only hashes of credentials: the first request signs up and saves the
 * session for the others.
 */
export const signUpBanner = (source: string, baseUrl: string): readonly string[] => [
  `triage-api: ${source}`,
  '',
  '  sign up for a session and demo data, or log in (at /login, without the name):',
  `  curl -c ${cookieJar} -d 'name=You&email=you@example.com' --data-urlencode 'password=choose-a-long-one' '${baseUrl}/signup'`,
  '',
  ...sampleRequests('ID-OF-A-FINDING').map(({ target }) => `  curl -b ${cookieJar} '${baseUrl}${target}'`),
  '',
];

const curlCommands = (baseUrl: string, samples: readonly SampleCredentials[]): readonly string[] => {
  const sample = mostComplete(samples);
  if (sample === undefined) return [];
  if (sample.session === null && sample.token === null) return logInCommands(baseUrl, sample);
  return sampleRequests(sample.findingId ?? 'unknown').flatMap((request) => {
    const header = headerFor(request, sample);
    return header === null
      ? []
      : [`curl -H ${shellQuote(header)} ${shellQuote(`${baseUrl}${request.target}`)}`];
  });
};

/** Without a session or a token that is valid now, a login saves a session for the other requests. */
const logInCommands = (
  baseUrl: string,
  { email, password, findingId }: SampleCredentials,
): readonly string[] => {
  const fields = [`email=${email}`, `password=${password ?? 'as-in-the-fixture-file'}`]
    .map((field) => `--data-urlencode ${shellQuote(escapeControlCharacters(field))}`)
    .join(' ');
  return [
    `no session or token in these fixtures is valid now; log in${password === null ? ' with the password from the fixture file' : ''}:`,
    `curl -c ${cookieJar} ${fields} ${shellQuote(`${baseUrl}/login`)}`,
    ...sampleRequests(findingId ?? 'unknown').map(
      ({ target }) => `curl -b ${cookieJar} ${shellQuote(`${baseUrl}${target}`)}`,
    ),
  ];
};

/** The credentials that an operation accepts: the bearer token rather than the session cookie. */
const headerFor = ({ accepts }: SampleRequest, { session, token }: SampleCredentials): string | null => {
  if (accepts.includes('bearer') && token !== null) return `Authorization: Bearer ${token}`;
  return accepts.includes('session') && session !== null ? `Cookie: ${sessionCookieName}=${session}` : null;
};

/** The first of the tenants that have the most to show. */
const mostComplete = (samples: readonly SampleCredentials[]): SampleCredentials | undefined => {
  const score = ({ session, token, findingId }: SampleCredentials): number =>
    (session === null ? 0 : 4) + (token === null ? 0 : 2) + (findingId === null ? 0 : 1);
  return samples.reduce<SampleCredentials | undefined>(
    (best, sample) => (best === undefined || score(sample) > score(best) ? sample : best),
    undefined,
  );
};

const formatTable = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
};
