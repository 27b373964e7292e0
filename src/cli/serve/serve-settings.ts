import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { optional } from '../../codecs/optional.js';
import { UtcTime } from '../../codecs/utc-time.js';
import { shippedFixtures } from '../../server/shipped-fixtures.js';
import { databaseUrlOption } from '../settings/database-option.js';
import {
  isOnCommandLine,
  type OptionTexts,
  type SettingsReader,
  settingsReader,
  withoutVariablesOf,
} from '../settings/options.js';
import {
  Count,
  DatabaseTimeout,
  DatabaseUrl,
  Milliseconds,
  NonEmptyString,
  Origins,
  Port,
  ReplicaLag,
  Switch,
} from '../settings/setting-codecs.js';
import { LogThreshold } from '../terminal/logging.js';

export const ServeSettings = t.strict(
  {
    port: Port,
    host: NonEmptyString,
    fixtures: optional(NonEmptyString),
    databaseUrl: optional(DatabaseUrl),
    readDatabaseUrl: optional(DatabaseUrl),
    maxReplicaLag: ReplicaLag,
    replicaFallback: Switch,
    databasePool: Count,
    databaseTimeout: DatabaseTimeout,
    now: optional(UtcTime),
    strict: Switch,
    watch: Switch,
    delay: Milliseconds,
    jitter: Milliseconds,
    corsOrigins: Origins,
    trustProxy: Switch,
    state: optional(NonEmptyString),
    maxSignUps: optional(Count),
    loginLimit: Count,
    loginAddressLimit: Count,
    signUpLimit: Count,
    drain: Milliseconds,
    logLevel: LogThreshold,
    quiet: Switch,
  },
  'ServeSettings',
);
export type ServeSettings = t.TypeOf<typeof ServeSettings>;

export const serveOptions: OptionTexts<keyof ServeSettings> = {
  port: {
    flags: '-p, --port <port>',
    variable: 'PORT',
    fallback: '4000',
    description: 'port to listen on; 0 chooses a free one',
  },
  host: {
    flags: '-H, --host <host>',
    variable: 'HOST',
    fallback: '127.0.0.1',
    description: 'address to listen on',
  },
  fixtures: {
    flags: '-f, --fixtures <dir>',
    variable: 'TRIAGE_FIXTURES',
    description: `directory of fixture files, one per tenant; default unless there is a database: ${shippedFixtures}`,
  },
  databaseUrl: databaseUrlOption,
  readDatabaseUrl: {
    flags: '--read-database-url <url>',
    variable: 'TRIAGE_READ_DATABASE_URL',
    secret: true,
    description: 'replica of that database for the API to read from; credentials are checked in the primary',
  },
  maxReplicaLag: {
    flags: '--max-replica-lag <ms>',
    variable: 'TRIAGE_MAX_REPLICA_LAG',
    fallback: '10000',
    description: 'milliseconds that a replica may be behind; beyond that, the primary is read instead',
  },
  replicaFallback: {
    flags: '--replica-fallback',
    variable: 'TRIAGE_REPLICA_FALLBACK',
    fallback: true,
    negatable: true,
    description: 'read the primary while the replica is down or too far behind; on by default',
  },
  databasePool: {
    flags: '--database-pool <count>',
    variable: 'TRIAGE_DATABASE_POOL',
    fallback: '10',
    description: 'maximum number of connections to each database',
  },
  databaseTimeout: {
    flags: '--database-timeout <ms>',
    variable: 'TRIAGE_DATABASE_TIMEOUT',
    fallback: '1500',
    description: 'milliseconds that a request waits for the database before it is answered 503',
  },
  now: {
    flags: '--now <time>',
    variable: 'TRIAGE_NOW',
    description: 'freeze the clock at this time, such as 2026-11-20T12:00:00Z',
  },
  strict: {
    flags: '--strict',
    variable: 'TRIAGE_STRICT',
    fallback: false,
    negatable: true,
    description: 'answer unknown query parameters with 400 instead of ignoring them with a warning',
  },
  watch: {
    flags: '--watch',
    variable: 'TRIAGE_WATCH',
    fallback: true,
    negatable: true,
    description: 'reload the fixtures when they change; on by default',
  },
  delay: {
    flags: '-d, --delay <ms>',
    variable: 'TRIAGE_DELAY',
    fallback: '0',
    description: 'delay every API response by this many milliseconds',
  },
  jitter: {
    flags: '--jitter <ms>',
    variable: 'TRIAGE_JITTER',
    fallback: '0',
    description: 'delay every API response by a random extra of up to this many milliseconds',
  },
  corsOrigins: {
    flags: '--cors-origin <origin...>',
    variable: 'TRIAGE_CORS_ORIGIN',
    fallback: [],
    description: 'origins whose pages may send credentials, in addition to origins on this machine',
  },
  trustProxy: {
    flags: '--trust-proxy',
    variable: 'TRIAGE_TRUST_PROXY',
    fallback: false,
    negatable: true,
    description: 'trust X-Forwarded-Proto, -For and -Host; use only behind a proxy that sets them',
  },
  state: {
    flags: '--state <file>',
    variable: 'TRIAGE_STATE',
    description: 'keep sign-ups, sessions and tokens in this file; default: in memory',
  },
  maxSignUps: {
    flags: '--max-signups <count>',
    variable: 'TRIAGE_MAX_SIGNUPS',
    description:
      'maximum number of signed-up tenants; a new one replaces the oldest; default: 500 with fixtures, none with a database',
  },
  loginLimit: {
    flags: '--login-limit <count>',
    variable: 'TRIAGE_LOGIN_LIMIT',
    fallback: '10',
    description: 'maximum number of failed logins per minute and account',
  },
  loginAddressLimit: {
    flags: '--login-address-limit <count>',
    variable: 'TRIAGE_LOGIN_ADDRESS_LIMIT',
    fallback: '30',
    description: 'maximum number of failed logins per minute and network address',
  },
  signUpLimit: {
    flags: '--signup-limit <count>',
    variable: 'TRIAGE_SIGNUP_LIMIT',
    fallback: '60',
    description: 'maximum number of sign-ups per hour and network address',
  },
  drain: {
    flags: '--drain <ms>',
    variable: 'TRIAGE_DRAIN',
    fallback: '0',
    description: 'milliseconds to keep answering after a signal, while /readyz says that the server stops',
  },
  logLevel: {
    flags: '--log-level <level>',
    variable: 'LOG_LEVEL',
    fallback: 'info',
    description: 'debug, info, warn, error or silent; the access log is info',
  },
  quiet: {
    flags: '-q, --quiet',
    variable: 'TRIAGE_QUIET',
    fallback: false,
    negatable: true,
    description: 'print neither the sample requests nor the line that says where it listens',
  },
};

/**
 * The options that say where the data is. If one is on the command line, the environment variables of both
 * are ignored.
 */
const sourceOptions = [serveOptions.fixtures, serveOptions.databaseUrl] as const;

/**
 * Reads the settings of `serve`. `left`: one line for each invalid setting, or for each conflict between
 * valid ones.
 */
export const readServeSettings: SettingsReader<ServeSettings> = (parsed, environment) => {
  const isOverridden = sourceOptions.some((option) => isOnCommandLine(option, parsed));
  return pipe(
    settingsReader(ServeSettings, serveOptions)(
      parsed,
      isOverridden ? withoutVariablesOf(sourceOptions, environment) : environment,
    ),
    E.flatMap((settings) => {
      const conflicts = conflictsIn(settings);
      return conflicts.length > 0 ? E.left(conflicts) : E.right(settings);
    }),
  );
};

const conflictsIn = ({ databaseUrl, readDatabaseUrl, fixtures, state }: ServeSettings): readonly string[] => [
  ...(databaseUrl !== undefined && fixtures !== undefined
    ? [
        '--fixtures and --database-url cannot be used together (nor can TRIAGE_FIXTURES and DATABASE_URL); choose one',
      ]
    : []),
  ...(databaseUrl !== undefined && state !== undefined
    ? ['--state cannot be used with --database-url: the database keeps sign-ups, sessions and tokens']
    : []),
  ...(databaseUrl === undefined && readDatabaseUrl !== undefined
    ? ['--read-database-url needs --database-url, the primary of the replica']
    : []),
];
