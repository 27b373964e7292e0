import * as t from 'io-ts';
import { optional } from '../vocabulary/optional.js';
import { LogThreshold } from './log-level.js';
import type { OptionTexts } from './options.js';
import { Count, Milliseconds, Moment, NonEmpty, Origins, Port, Switch } from './setting-codecs.js';
import { shippedFixtures } from './shipped-fixtures.js';

/** The settings of `serve`. */
export const ServeSettings = t.strict(
  {
    port: Port,
    host: NonEmpty,
    fixtures: NonEmpty,
    now: optional(Moment),
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
    fallback: shippedFixtures,
    description: 'directory of fixture files, one tenant each',
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
