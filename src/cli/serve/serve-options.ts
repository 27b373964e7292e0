import { isIP } from 'node:net';
import { SecretString, StringCodec } from '../../contract/codecs/text-and-numbers.js';
import { UtcTime } from '../../contract/codecs/timestamp.js';
import { isOriginPattern } from '../../koa/cors.js';
import { BasePath } from '../../start/base-path.js';
import { RateLimitPolicyText } from '../../start/rate-limit.js';
import {
  Count,
  DatabaseTimeout,
  DatabaseUrl,
  listOf,
  MemorySize,
  Milliseconds,
  NonEmptyString,
  Port,
  RequestTimeout,
  Seed,
  Share,
  Switch,
  withSchema,
} from '../settings/codecs.js';
import { flag, longFlag, type SettingsOf, value, valueOr } from '../settings/option.js';
import { originLabel, type ReadSettings } from '../settings/read-settings.js';
import { databaseOptions } from '../settings/shared-options.js';
import { LogThreshold } from '../terminal/logging.js';

/**
 * Origins as browsers send them, or patterns for the subdomains of a domain. `*` alone would let every page
 * on the web act in the name of its visitor.
 */
const Origins = listOf(
  'http or https origins such as https://app.example.com, or https://*.preview.example.com below a domain of your own',
  isOriginPattern,
);

/** Names and addresses of hosts, without a port. */
const Hosts = listOf(
  'host names such as triage.example.com, or .example.com for all of its subdomains, without a port',
  (text) => /^(?:\[[0-9a-f:.]+\]|\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/i.test(text),
);

const Names = listOf('names, with commas between them', (text) => text !== '', {
  item: { pattern: '^[^,]*[^,\\s][^,]*$' },
});

/** What `HOST` has to be. Shells and build tools set it to the name of the machine or to a platform. */
const LocalAddress = new StringCodec<string>(
  'an IP address or localhost',
  {},
  (text) => isIP(text) !== 0 || text === 'localhost',
);

/** Long enough not to be guessed, and what the header `Authorization` can carry. */
const AdminToken = new SecretString('at least 16 visible ASCII characters without spaces', {
  pattern: /^[\x21-\x7E]{16,}$/,
});

/** So many requests per second, minute or hour. */
const RateLimit = withSchema(RateLimitPolicyText, { type: 'string', pattern: '^[1-9]\\d{0,8}/(?:s|min|h)$' });

const basics = {
  port: valueOr('-p, --port <port>', Port, '4000', 'port to listen on; 0 chooses a free one', {
    common: { variable: 'PORT', accepts: Port },
  }),
  host: valueOr('-H, --host <host>', NonEmptyString, '127.0.0.1', 'address to listen on', {
    common: { variable: 'HOST', accepts: LocalAddress },
  }),
  fixtures: value('-f, --fixtures <path>', NonEmptyString, 'directory of fixture files, or one of them'),
  watch: flag('--watch', 'reload fixtures when they change', { default: true }),
  open: flag('--open', 'open the explorer in a browser'),
  now: value('--now <time>', UtcTime, 'freeze the clock, e.g. at 2026-11-20T12:00:00Z'),
  strict: flag('--strict', 'answer unknown query parameters with 400'),
  explorer: flag('--explorer', 'serve pages that show the data, at /explore', { default: true }),
  printConfig: flag('--print-config', 'print each setting and its source', { variable: null }),
};

const simulation = {
  delay: valueOr('-d, --delay <ms>', Milliseconds, '0', 'delay every API response'),
  jitter: valueOr('--jitter <ms>', Milliseconds, '0', 'additional random delay, at most'),
  failRate: valueOr('--fail-rate <share>', Share, '0', 'share to answer with 503, e.g. 0.05'),
  seed: valueOr('--seed <number>', Seed, '1', 'seed of everything random'),
  rateLimit: value('--rate-limit <rate>', RateLimit, 'limit requests of each user, e.g. 60/min'),
  scenario: value('--scenario <name>', NonEmptyString, 'play timed changes of fixtures: acme, or a file', {
    isPathOrName: true,
  }),
  mockControls: flag('--mock-controls', 'simulate on request, serve /__admin/', { default: true }),
  adminToken: value('--admin-token <token>', AdminToken, 'bearer token that opens /__admin/ to others', {
    isSecret: true,
  }),
  maxHang: valueOr('--max-hang <ms>', RequestTimeout, '60000', 'cut off requests that hang'),
  coverage: value('--coverage <dir>', NonEmptyString, 'note here which states clients see'),
  lie: value('--lie <id>', NonEmptyString, 'answer wrongly, see docs/states.md#lies'),
  lies: value('--lies <dir>', NonEmptyString, 'note here which lies were told or could be'),
  journalSize: valueOr('--journal <count>', Count, '1000', 'requests that the journal keeps'),
  maxTenants: valueOr('--max-tenants <count>', Count, '1000', 'maximum number of tenants on demand'),
  maxTenantRows: valueOr(
    '--max-tenant-rows <count>',
    Count,
    '500000',
    'maximum number of rows of all of them',
  ),
};

const data = {
  state: value('--state <dir>', NonEmptyString, 'keep sign-ups, sessions and tokens here'),
  storage: value('--storage <file>', NonEmptyString, 'module with a storage of your own', {
    // A file that happens to be in the working directory must not run code.
    notInFile: true,
  }),
  renderCache: valueOr('--render-cache <size>', MemorySize, '256mb', 'memory for rendered pages'),
};

const accounts = {
  maxSignUps: value(
    '--max-signups <count>',
    Count,
    'maximum number of new accounts; by default 500 with fixtures',
  ),
  signUpLimit: valueOr('--signup-limit <count>', Count, '60', 'sign-ups per hour from one address'),
  signUpPersonas: valueOr('--signup-persona <name...>', Names, [], 'fixtures that a new account may choose'),
  loginLimit: valueOr(
    '--login-limit <count>',
    Count,
    '10',
    'failed logins per minute to one account from one address',
  ),
  loginAccountLimit: valueOr(
    '--login-account-limit <count>',
    Count,
    '200',
    'failed logins per minute to one account',
  ),
  loginAddressLimit: valueOr(
    '--login-address-limit <count>',
    Count,
    '30',
    'failed logins per minute from one address',
  ),
  loginRateLimit: valueOr(
    '--login-rate-limit <count>',
    Count,
    '300',
    'logins per minute from one address, also successful ones',
  ),
  showPasswords: flag('--show-passwords', 'show passwords of fixtures on the start page'),
  mutableDemo: flag('--mutable-demo', 'let visitors change shared accounts'),
};

const network = {
  basePath: value('--base-path <prefix>', BasePath, 'what comes before all paths, such as /mock'),
  allowedHosts: valueOr('--allowed-host <host...>', Hosts, [], 'hosts that the server answers for'),
  corsOrigins: valueOr('--cors-origin <origin...>', Origins, [], 'origins whose pages may send credentials'),
  localhostCors: value(
    '--localhost-cors',
    Switch,
    'let pages of this machine send credentials; on unless --allowed-host names another machine',
  ),
  crossSiteCookies: flag('--cross-site-cookies', 'SameSite=None cookies; over https only'),
  https: flag('--https', 'serve over https with --cert and --key'),
  cert: value('--cert <file>', NonEmptyString, 'certificate in PEM, followed by its issuers'),
  key: value('--key <file>', NonEmptyString, 'private key in PEM, not encrypted'),
  trustProxy: flag('--trust-proxy', 'trust X-Forwarded-Proto, -For and -Host'),
  compression: value('--compression', Switch, 'compress; on unless there is --trust-proxy'),
  maxConnections: valueOr('--max-connections <count>', Count, '16384', 'close further connections at once'),
  drain: valueOr('--drain <ms>', Milliseconds, '0', 'keep answering after a signal, unready'),
};

const database = {
  databaseUrl: {
    ...databaseOptions.databaseUrl,
    ...value('--database-url <url>', DatabaseUrl, 'such as postgres://user:password@host/database'),
    isRequired: false,
  },
  databasePool: valueOr('--database-pool <count>', Count, '10', 'maximum number of connections'),
  databaseTimeout: valueOr(
    '--database-timeout <ms>',
    DatabaseTimeout,
    '1500',
    'how long a request waits, before a 503',
  ),
};

const monitoring = {
  logLevel: valueOr('--log-level <level>', LogThreshold, 'info', 'debug, info, warn, error or silent', {
    common: { variable: 'LOG_LEVEL', accepts: LogThreshold },
  }),
  quiet: flag('-q, --quiet', 'do not print sample requests and the address'),
  metricsPort: value('--metrics-port <port>', Port, 'serve metrics for Prometheus on this port'),
  metricsHost: valueOr('--metrics-host <host>', NonEmptyString, '127.0.0.1', 'address of that port'),
  readyTimeout: valueOr(
    '--ready-timeout <ms>',
    RequestTimeout,
    '1000',
    'how long /readyz waits, before a 503',
  ),
};

/** The options of `serve` in groups, in the order of the help. */
export const serveGroups = {
  Basics: basics,
  Simulate: simulation,
  'Data and state': data,
  Accounts: accounts,
  Network: network,
  Database: database,
  'Logs and metrics': monitoring,
};

export const serveOptions = {
  ...basics,
  ...simulation,
  ...data,
  ...accounts,
  ...network,
  ...database,
  ...monitoring,
};

type Options = typeof serveOptions;
type ServeSources = ReadSettings<Options>;

export type ServeSettings = SettingsOf<Options> &
  Readonly<{
    /** The file with the URL of the database, if there is one. */
    databaseUrlFile: string | undefined;
    /** What named the data; null for the shipped fixtures. */
    why: string | null;
    /** Why variables of other programs, such as `HOST`, do not count. */
    notes: readonly string[];
  }>;

/** The settings of `serve`, and what named the data. */
export const serveSettings = ({ settings, origins, notes }: ServeSources): ServeSettings => {
  const sources = ['storage', 'databaseUrl', 'fixtures'] as const;
  const origin = origins[sources.find((name) => settings[name] !== undefined) ?? ''];
  return {
    ...settings,
    databaseUrlFile: origins.databaseUrl?.file,
    why: origin === undefined ? null : originLabel(origin),
    notes,
  };
};

/** What cannot be combined: one line for each conflict, with the reason. */
export const serveConflicts = (found: ServeSources): readonly string[] => {
  const { databaseUrl, ...settings } = serveSettings(found);
  const { https, cert, key, storage, fixtures, state, scenario, watch, failRate, maxSignUps } = settings;
  const isStored = storage !== undefined;
  const isDatabase = databaseUrl !== undefined;
  const hasBoth = (one: keyof Options, other: keyof Options): string => {
    const named = [one, other].map((name) => {
      const { kind, name: source } = found.origins[name] ?? { kind: 'default', name: '' };
      return kind === 'option' ? source : `${longFlag(serveOptions[name])} (${source})`;
    });
    return `${named.join(' and ')} cannot be used together; choose one`;
  };
  const missing = [...(cert === undefined ? ['--cert'] : []), ...(key === undefined ? ['--key'] : [])];
  const present = ['--cert', '--key'].filter((name) => !missing.includes(name));
  /** Whether there is a conflict, by the line about it. */
  const conflicts: Readonly<Record<string, boolean>> = {
    [hasBoth('fixtures', 'databaseUrl')]: isDatabase && fixtures !== undefined,
    '--state cannot be used with --database-url: the database keeps sign-ups, sessions and tokens':
      isDatabase && state !== undefined,
    '--scenario cannot be used with --database-url: only fixtures can be changed while they are served':
      isDatabase && scenario !== undefined,
    '--fail-rate needs the mock controls, which exist over fixtures and without --no-mock-controls':
      failRate > 0 && (isDatabase || !settings.mockControls),
    [`--https needs ${missing.join(' and ')}: mkcert makes both files, see docs/testing.md#https`]:
      https && missing.length > 0,
    [`${present.join(' and ')} ${present.length === 1 ? 'needs' : 'need'} --https`]:
      !https && present.length > 0,
    [hasBoth('storage', 'fixtures')]: isStored && fixtures !== undefined,
    [hasBoth('storage', 'databaseUrl')]: isStored && isDatabase,
    '--state cannot be used with --storage: the storage keeps sign-ups, sessions and tokens':
      isStored && state !== undefined,
    '--max-signups cannot be used with --storage: the storage decides how many accounts it keeps':
      isStored && maxSignUps !== undefined,
    '--scenario cannot be used with --storage: only fixtures can be changed while they are served':
      isStored && scenario !== undefined,
    '--watch cannot be used with --storage: only fixtures are reloaded; restart the server instead':
      isStored && watch && found.origins.watch?.kind === 'option',
    '--fail-rate cannot be used with --storage: it needs the mock controls, which exist only over fixtures':
      isStored && failRate > 0,
  };
  return Object.keys(conflicts).filter((line) => conflicts[line]);
};
