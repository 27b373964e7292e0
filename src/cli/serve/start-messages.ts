import { isIPv6 } from 'node:net';
import {
  anonymous,
  type OperationInput,
  operationRequest,
  toHttpRequest,
} from '../../client/outgoing-request.js';
import { isLoopback } from '../../common/is-loopback.js';
import { escapeControlCharacters, shellQuote } from '../../common/messages.js';
import {
  type AnyOperation,
  type CredentialKind,
  operations,
  sessionCookieName,
} from '../../contract/operations.js';
import { cookieObstacle } from '../../http/cors.js';
import { explorerPath } from '../../pages/paths.js';
import type { SampleCredentials } from '../../server/demo-accounts.js';
import type { Terminal } from '../terminal/terminal.js';
import type { ServeSettings } from './settings/serve-settings.js';

type Scheme = 'http' | 'https';

/** What decides who can reach a server. */
type Reach = Readonly<{
  /** The host or address that it is bound to. */
  host: string;
  /** Whether it stands behind a proxy, which others can reach. */
  trustProxy: boolean;
  /** The names, besides those of this machine, under which it can be reached. */
  allowedHosts: readonly string[];
}>;

/** Whether other machines can reach a server. */
export const isExposed = ({ host, trustProxy, allowedHosts }: Reach): boolean =>
  !isLoopback(host) || trustProxy || allowedHosts.length > 0;

/** The base URL of a server that is bound to a host and port. */
export const baseUrl = (host: string, port: number, scheme: Scheme = 'http'): string =>
  `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/**
 * The base URL for clients on this machine: a server that listens on all addresses is reached on loopback.
 */
export const localUrl = (host: string, port: number, scheme: Scheme = 'http'): string =>
  baseUrl(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port, scheme);

/**
 * The same server under the other name of this machine: browsers take `localhost` and `127.0.0.1` for two
 * sites. Null if it has no other.
 */
export const otherLocalUrl = (host: string, port: number, scheme: Scheme = 'http'): string | null => {
  if (host === 'localhost') return baseUrl('127.0.0.1', port, scheme);
  return ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? baseUrl('localhost', port, scheme) : null;
};

/** A request to try: its path and query, and which credentials it accepts. */
type SampleRequest = Readonly<{ target: string; accepts: readonly CredentialKind[] }>;

/** One request for each operation, in the order of the contract. */
const sampleRequests = (findingId: string): readonly SampleRequest[] => {
  const { listConnectedRepos, listFindings, getFinding, listPrs } = operations;
  const requests: Readonly<Record<keyof typeof operations, SampleRequest>> = {
    listConnectedRepos: sampleRequest(listConnectedRepos, {}),
    listFindings: sampleRequest(listFindings, { query: { page: 1, limit: 5 } }),
    getFinding: sampleRequest(getFinding, { path: { id: findingId } }),
    listPrs: sampleRequest(listPrs, { query: { status: 'open' } }),
  };
  return Object.values(requests);
};

const sampleRequest = <Op extends AnyOperation>(operation: Op, input: OperationInput<Op>): SampleRequest => ({
  target: toHttpRequest(sessionCookieName, operationRequest(operation, input, anonymous)).target,
  accepts: operation.accepts,
});

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

type Place = Pick<ServeSettings, 'host' | 'trustProxy' | 'allowedHosts'> &
  Readonly<{ address: string; port: number }>;

/**
 * The warning that others can reach a server, and what they can do then; null: they cannot, or it is no risk.
 */
export const exposureWarning = (
  { host, trustProxy, allowedHosts, address, port }: Place,
  risk: string | null,
): string | null => {
  if (risk === null || !isExposed({ host: address, trustProxy, allowedHosts })) return null;
  const where = `${trustProxy ? 'the proxy or ' : ''}port ${port} of ${host}`;
  return `OPEN TO OTHER MACHINES: anyone who can reach ${where} ${risk}`;
};

type Settings = Pick<
  ServeSettings,
  'host' | 'allowedHosts' | 'corsOrigins' | 'crossSiteCookies' | 'trustProxy' | 'https'
>;

/**
 * What an operator should know about `--cors-origin` and `--cross-site-cookies` when the server starts: which
 * pages may call the server, but cannot keep its session.
 */
export const originWarnings = (settings: Settings): readonly string[] => {
  const { corsOrigins, crossSiteCookies, trustProxy, https } = settings;
  if (crossSiteCookies) {
    return trustProxy || https
      ? []
      : [
          '--cross-site-cookies has no effect without --https or --trust-proxy: browsers accept such cookies over https only, which this server or a proxy in front of it has to provide',
        ];
  }
  return corsOrigins.flatMap((origin) => {
    // What the star stands for makes no difference to the site.
    const obstacles = addressesFor(origin, settings).map((address) =>
      cookieObstacle(origin.replace('*', 'x'), address),
    );
    if (obstacles.length === 0 || obstacles.includes(null)) return [];
    return [
      `pages of ${origin} may call this server, but cannot keep its session: they are of another site, and the cookie is SameSite=Lax; use API tokens, put both behind one host name, or use https and --cross-site-cookies`,
    ];
  });
};

/**
 * The addresses under which a page of `origin` could find this server. A proxy may provide https. On an
 * address that others can reach and without `--allowed-host`, its name is unknown, and may be that of the
 * page.
 */
const addressesFor = (
  origin: string,
  { host, allowedHosts, trustProxy, https }: Settings,
): readonly string[] => {
  const isNameKnown = allowedHosts.length > 0 || isLoopback(host);
  const names = [
    ...allowedHosts.map((name) => name.replace(/^\./, '')),
    ...(isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]'] : []),
    ...(isNameKnown ? [] : [new URL(origin.replace('*', 'x')).hostname]),
  ];
  return names.flatMap((name) => [
    ...(https ? [] : [`http://${name}`]),
    ...(https || trustProxy ? [`https://${name}`] : []),
  ]);
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

/** What there is to say about a server that has started. */
type Started = Readonly<{
  settings: Pick<ServeSettings, 'host' | 'explorer'>;
  scheme: Scheme;
  /** The base URL for clients on this machine. */
  url: string;
  port: number;
  /** Requests to try. */
  sample: readonly string[];
  /** The URL of the metrics; undefined: there are none. */
  metrics: string | undefined;
}>;

type Streams = Pick<Terminal, 'out' | 'err' | 'outIsTerminal'>;

/** Prints lines for people. What reads the access log from standard output gets nothing else. */
export const printLines = (lines: readonly string[], terminal: Streams): void => {
  for (const line of lines) (terminal.outIsTerminal ? terminal.out : terminal.err)(line);
};

/** Prints sample requests and, last, the line that says where the server listens. */
export const printStart = (
  { settings: { host, explorer }, url, port, sample, metrics, scheme }: Started,
  terminal: Streams,
): void => {
  const other = otherLocalUrl(host, port, scheme);
  printLines(
    [
      ...sample,
      ...(metrics === undefined ? [] : [`metrics on ${metrics}`]),
      ...(explorer ? [`look at the data: ${url}${explorerPath}`] : []),
      ...(other === null
        ? []
        : [`also at ${other}: browsers keep a session only under the host name of the page`]),
      `listening on ${baseUrl(host, port, scheme)}`,
    ],
    terminal,
  );
};
