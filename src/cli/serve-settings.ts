import type { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { optional } from '../codecs/optional.js';
import { UtcTime } from '../codecs/utc-time.js';
import { shippedFixtures } from '../server/shipped-fixtures.js';
import { databaseUrl } from './database-option.js';
import { LogThreshold } from './log-level.js';
import { type Environment, type OptionTexts, readSettings } from './options.js';
import {
  Count,
  DatabaseUrl,
  Milliseconds,
  NonEmpty,
  Origins,
  Port,
  Switch,
  TimeLimit,
} from './setting-codecs.js';

/** The settings of `serve`. */
export const ServeSettings = t.strict(
  {
    port: Port,
    host: NonEmpty,
    fixtures: optional(NonEmpty),
    databaseUrl: optional(DatabaseUrl),
    readDatabaseUrl: optional(DatabaseUrl),
    databasePool: Count,
    databaseTimeout: TimeLimit,
    now: optional(UtcTime),
    strict: Switch,
    watch: Switch,
    delay: Milliseconds,
    jitter: Milliseconds,
    corsOrigin: Origins,
    trustProxy: Switch,
    state: optional(NonEmpty),
    maxSignups: Count,
    loginLimit: Count,
    loginAddressLimit: Count,
    signupLimit: Count,
    logLevel: LogThreshold,
    quiet: Switch,
  },
  'ServeSettings',
);
export type ServeSettings = t.TypeOf<typeof ServeSettings>;

/** How they are given. */
export const serveOptions: OptionTexts<keyof ServeSettings> = {
  port: {
    flags: '-p, --port <port>',
    variable: 'PORT',
    fallback: '4000',
    description: 'port to listen on; 0 takes a free one',
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
    description: `directory of fixture files, one tenant each; without it and without a database: ${shippedFixtures}`,
  },
  databaseUrl,
  readDatabaseUrl: {
    flags: '--read-database-url <url>',
    variable: 'TRIAGE_READ_DATABASE_URL',
    description: 'copy of that database for the API to read; credentials are still checked in the first',
  },
  databasePool: {
    flags: '--database-pool <count>',
    variable: 'TRIAGE_DATABASE_POOL',
    fallback: '10',
    description: 'connections to each database, at most',
  },
  databaseTimeout: {
    flags: '--database-timeout <ms>',
    variable: 'TRIAGE_DATABASE_TIMEOUT',
    fallback: '1500',
    description: 'how long a request waits for the database before it is answered 503',
  },
  now: {
    flags: '--now <time>',
    variable: 'TRIAGE_NOW',
    description: 'freeze the clock at this moment, such as 2026-11-20T12:00:00Z',
  },
  strict: {
    flags: '--strict',
    variable: 'TRIAGE_STRICT',
    fallback: false,
    negatable: true,
    description: 'answer 400 to unknown query parameters instead of ignoring them with a warning',
  },
  watch: {
    flags: '--watch',
    variable: 'TRIAGE_WATCH',
    fallback: true,
    negatable: true,
    description: 'read the fixtures again when they change; on by default',
  },
  delay: {
    flags: '-d, --delay <ms>',
    variable: 'TRIAGE_DELAY',
    fallback: '0',
    description: 'hold back every API answer by so many milliseconds',
  },
  jitter: {
    flags: '--jitter <ms>',
    variable: 'TRIAGE_JITTER',
    fallback: '0',
    description: 'and by up to so many more, at random',
  },
  corsOrigin: {
    flags: '--cors-origin <origin...>',
    variable: 'TRIAGE_CORS_ORIGIN',
    fallback: [],
    description: 'origins whose pages may call with credentials, besides those of this machine',
  },
  trustProxy: {
    flags: '--trust-proxy',
    variable: 'TRIAGE_TRUST_PROXY',
    fallback: false,
    negatable: true,
    description: 'believe X-Forwarded-Proto, -For and -Host; only behind a proxy that sets them',
  },
  state: {
    flags: '--state <file>',
    variable: 'TRIAGE_STATE',
    description: 'keep sign-ups, sessions and tokens in this file; without it they end with the process',
  },
  maxSignups: {
    flags: '--max-signups <count>',
    variable: 'TRIAGE_MAX_SIGNUPS',
    fallback: '500',
    description: 'signed-up tenants at a time; the oldest gives way to a new one',
  },
  loginLimit: {
    flags: '--login-limit <count>',
    variable: 'TRIAGE_LOGIN_LIMIT',
    fallback: '10',
    description: 'failed logins to one account, a minute',
  },
  loginAddressLimit: {
    flags: '--login-address-limit <count>',
    variable: 'TRIAGE_LOGIN_ADDRESS_LIMIT',
    fallback: '30',
    description: 'failed logins from one network address, a minute',
  },
  signupLimit: {
    flags: '--signup-limit <count>',
    variable: 'TRIAGE_SIGNUP_LIMIT',
    fallback: '60',
    description: 'sign-ups from one network address, an hour',
  },
  logLevel: {
    flags: '--log-level <level>',
    variable: 'LOG_LEVEL',
    fallback: 'info',
    description: 'debug, info, warn, error or silent; access lines are info',
  },
  quiet: {
    flags: '-q, --quiet',
    variable: 'TRIAGE_QUIET',
    fallback: false,
    negatable: true,
    description: 'print neither the sample requests nor the listening line',
  },
};

/** What says where the data is: at most one of them, and an option rather than the environment. */
const sources = ['fixtures', 'databaseUrl'] as const;

/** The settings of `serve`; `left`: a line for each that does not fit, also with the others. */
export const serveSettings = (
  command: Pick<Command, 'getOptionValue' | 'getOptionValueSource'>,
  environment: Environment,
): E.Either<readonly string[], ServeSettings> => {
  const isGiven = sources.some((name) => command.getOptionValueSource(name) === 'cli');
  const rest = isGiven
    ? { ...environment, TRIAGE_FIXTURES: undefined, DATABASE_URL: undefined }
    : environment;
  return pipe(
    readSettings(ServeSettings, serveOptions, command, rest),
    E.flatMap((settings) => {
      const problems = contradictions(settings);
      return problems.length > 0 ? E.left(problems) : E.right(settings);
    }),
  );
};

const contradictions = ({
  databaseUrl,
  readDatabaseUrl,
  fixtures,
  state,
}: ServeSettings): readonly string[] => [
  ...(databaseUrl !== undefined && fixtures !== undefined
    ? ['--fixtures: expected fixtures or a database, got both (--database-url or DATABASE_URL)']
    : []),
  ...(databaseUrl !== undefined && state !== undefined
    ? ['--state: expected it beside fixtures, got a database, which keeps everything itself']
    : []),
  ...(databaseUrl === undefined && readDatabaseUrl !== undefined
    ? ['--read-database-url: expected the database that this is a copy of (--database-url), got none']
    : []),
];
