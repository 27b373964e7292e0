import { isIPv6 } from 'node:net';
import {
  anonymous,
  type OperationInput,
  operationRequest,
  toHttpRequest,
} from '../../client/outgoing-request.js';
import { isLoopback } from '../../common/is-loopback.js';
import { escapeControlCharacters, shellQuote } from '../../common/messages.js';
import { allowedHosts } from '../../common/own-hosts.js';
import {
  type AnyOperation,
  type CredentialKind,
  operations,
  sessionCookieName,
} from '../../contract/operations.js';
import type { SampleCredentials } from '../../fixtures/demo-accounts.js';
import { explorerPath } from '../../pages/paths.js';
import type { ServeSettings } from './serve-options.js';

// Where a server is

/** Where a server listens. */
type Place = Readonly<{ host: string; port: number; scheme?: 'http' | 'https'; basePath?: string }>;

/** The base URL of a server that is bound to a host and port. */
export const baseUrl = ({ host, port, scheme = 'http', basePath = '' }: Place): string =>
  `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}${basePath}`;

/** The names of this machine by which a server is reached that listens on all addresses. */
const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The base URL for clients on this machine. */
export const localUrl = (place: Place): string =>
  baseUrl({ ...place, host: loopback[place.host] ?? place.host });

/**
 * The same server under the other name of this machine: browsers take `localhost` and `127.0.0.1` for two
 * sites. Null if it has no other.
 */
const otherLocalUrl = (place: Place): string | null => {
  if (place.host === 'localhost') return baseUrl({ ...place, host: '127.0.0.1' });
  const hasOther = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(place.host);
  return hasOther ? baseUrl({ ...place, host: 'localhost' }) : null;
};

/** Why a server cannot listen and what to do about it, in one line. `prefix`: of the options for it. */
export const formatListenError = (
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  prefix: '' | 'metrics-' = '',
): string => {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use: stop the other program, or choose a port with --${prefix}port (0: a free one)`;
    case 'EACCES':
      return `this user is not allowed to listen on port ${port} of ${host}: choose a port above 1023 with --${prefix}port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine: choose another one with --${prefix}host`;
    default:
      return `cannot listen on ${host}, port ${port}: ${error.message}`;
  }
};

/**
 * The lines that end with where a server listens. `ready`: which version is ready, and after how long;
 * `metrics`: the URL of its metrics, if it has any.
 */
export const linesAtStart = (
  place: Place,
  ready: string,
  hasExplorer: boolean,
  metrics: string | undefined,
): readonly string[] => {
  const other = otherLocalUrl(place);
  return [
    ready,
    ...(metrics === undefined ? [] : [`metrics on ${metrics}`]),
    ...(hasExplorer ? [`look at the data: ${localUrl(place)}${explorerPath}`] : []),
    ...(other === null
      ? []
      : [`also at ${other}: browsers keep a session only under the host name of the page`]),
    `listening on ${baseUrl(place)}`,
  ];
};

// Requests to try

/** A request to try: its path and query, and which credentials it accepts. */
type SampleRequest = Readonly<{ target: string; accepts: readonly CredentialKind[] }>;

const sampleRequest = <Op extends AnyOperation>(operation: Op, input: OperationInput<Op>): SampleRequest => ({
  target: toHttpRequest(sessionCookieName, operationRequest(operation, input, anonymous)).target,
  accepts: operation.accepts,
});

/** One request for each operation, in the order of the contract. */
const sampleRequests = (findingId: string): readonly SampleRequest[] => {
  const requests: Readonly<Record<keyof typeof operations, SampleRequest>> = {
    listConnectedRepos: sampleRequest(operations.listConnectedRepos, {}),
    listFindings: sampleRequest(operations.listFindings, { query: { page: 1, limit: 5 } }),
    getFinding: sampleRequest(operations.getFinding, { path: { id: findingId } }),
    listPrs: sampleRequest(operations.listPrs, { query: { status: 'open' } }),
  };
  return Object.values(requests);
};

/** The file in which curl keeps the session cookie. */
const cookieJar = 'triage.cookies';

const requestsInSession = (baseUrl: string, findingId: string): readonly string[] =>
  sampleRequests(findingId).map(({ target }) => `curl -b ${cookieJar} ${shellQuote(`${baseUrl}${target}`)}`);

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
  ...requestsInSession(baseUrl, 'ID-OF-A-FINDING').map((command) => `  ${command}`),
  '',
];

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
  ...logInLines(baseUrl, samples),
  ...curlCommands(baseUrl, samples).map((command) => `  ${command}`),
  '',
];

const formatTable = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
};

/** The first of the tenants that have the most to show. */
const bestSample = (samples: readonly SampleCredentials[]): SampleCredentials | undefined => {
  const score = ({ session, token, findingId }: SampleCredentials): number =>
    (session === null ? 0 : 4) + (token === null ? 0 : 2) + (findingId === null ? 0 : 1);
  return samples.toSorted((l, r) => score(r) - score(l))[0];
};

/** Where a browser logs in, and as whom; none if the password must not be shown. */
const logInLines = (baseUrl: string, samples: readonly SampleCredentials[]): readonly string[] => {
  const { email = '', password = null } = bestSample(samples) ?? {};
  if (password === null) return [];
  return [escapeControlCharacters(`  log in at ${baseUrl}/login: ${email}, password ${password}`), ''];
};

const curlCommands = (baseUrl: string, samples: readonly SampleCredentials[]): readonly string[] => {
  const sample = bestSample(samples);
  if (sample === undefined) return [];
  const { session, token, findingId } = sample;
  if (session === null && token === null) return logInCommands(baseUrl, sample);
  return sampleRequests(findingId ?? 'unknown').flatMap(({ target, accepts }) => {
    // The bearer token rather than the session cookie, if the operation accepts both.
    const header =
      accepts.includes('bearer') && token !== null
        ? `Authorization: Bearer ${token}`
        : accepts.includes('session') && session !== null
          ? `Cookie: ${sessionCookieName}=${session}`
          : null;
    return header === null ? [] : [`curl -H ${shellQuote(header)} ${shellQuote(`${baseUrl}${target}`)}`];
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
    ...requestsInSession(baseUrl, findingId ?? 'unknown'),
  ];
};

// Warnings

/** Whether other machines can reach a server. */
const isExposed = ({
  host,
  trustProxy,
  allowedHosts,
}: Pick<ServeSettings, 'host' | 'trustProxy' | 'allowedHosts'>): boolean =>
  !isLoopback(host) || trustProxy || allowedHosts.length > 0;

/**
 * The warning that others can reach a server, and what they can do then; none if they cannot, or it is no
 * risk.
 */
export const exposureWarning = (
  settings: Pick<ServeSettings, 'host' | 'trustProxy' | 'allowedHosts'>,
  { address, port }: Readonly<{ address: string; port: number }>,
  risk: string | null,
): readonly string[] => {
  if (risk === null || !isExposed({ ...settings, host: address })) return [];
  const where = `${settings.trustProxy ? 'the proxy or ' : ''}port ${port} of ${settings.host}`;
  return [`OPEN TO OTHER MACHINES: anyone who can reach ${where} ${risk}`];
};

/**
 * What an operator should know about `--cors-origin` and `--cross-site-cookies` when the server starts: which
 * pages may call the server, but perhaps cannot keep its session.
 */
export const originWarnings = (
  settings: Pick<
    ServeSettings,
    'host' | 'allowedHosts' | 'corsOrigins' | 'crossSiteCookies' | 'trustProxy' | 'https'
  >,
): readonly string[] => {
  const { host, corsOrigins, crossSiteCookies, trustProxy, https } = settings;
  if (crossSiteCookies)
    return trustProxy || https
      ? []
      : [
          '--cross-site-cookies has no effect without --https or --trust-proxy: browsers accept such cookies over https only, which this server or a proxy in front of it has to provide',
        ];
  // On an address that others can reach and without `--allowed-host`, the name of this server is unknown.
  if (!isLoopback(host) && settings.allowedHosts.length === 0) return [];
  const isOwnHost = allowedHosts(settings.allowedHosts);
  const others = corsOrigins.filter((origin) => !isOwnHost(origin.replace(/^https?:\/\//, '')));
  return others.length === 0
    ? []
    : [
        `pages of ${others.join(', ')} may call this server, but are on another host: they keep its session only if browsers take both for one site, with the same scheme and the same registrable domain; otherwise use API tokens, put both behind one host name, or use https and --cross-site-cookies`,
      ];
};
