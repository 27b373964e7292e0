import * as t from 'io-ts';
import { optional } from '../codecs/optional.js';
import { Email, Text } from '../codecs/text.js';
import { UtcTime } from '../codecs/utc-time.js';
import { TokenValue } from '../records/api-token.js';
import { SessionValue } from '../records/session.js';
import { Password } from '../records/user.js';
import type { OptionTexts } from './options.js';
import { BaseUrl, CookieName, CredentialValue, Switch } from './setting-codecs.js';
import { throttleCliOptions, throttleSettings } from './throttle-settings.js';

/** The settings of `record`. */
export const RecordSettings = t.strict(
  {
    url: BaseUrl,
    session: CredentialValue,
    cookie: CookieName,
    asOf: optional(UtcTime),
    name: optional(Text),
    email: optional(Email),
    password: optional(Password),
    fileSession: optional(SessionValue),
    fileToken: optional(TokenValue),
    force: Switch,
    restart: Switch,
    ...throttleSettings,
  },
  'RecordSettings',
);
export type RecordSettings = t.TypeOf<typeof RecordSettings>;

/** How they are given. */
export const recordOptions: OptionTexts<keyof RecordSettings> = {
  url: {
    flags: '--url <url>',
    variable: 'TRIAGE_URL',
    description: 'base URL of the server to record, up to but without /api/v1; required',
  },
  session: {
    flags: '--session <value>',
    variable: 'TRIAGE_SESSION',
    description: 'value of the session cookie to ask with, which is not written; required',
  },
  cookie: {
    flags: '--cookie <name>',
    variable: 'TRIAGE_COOKIE',
    fallback: 'session',
    description: 'name of the session cookie',
  },
  asOf: {
    flags: '--as-of <time>',
    variable: 'TRIAGE_AS_OF',
    description: 'when the data is up to date, such as 2026-11-20T12:00:00Z, instead of when it was read',
  },
  name: {
    flags: '--name <name>',
    variable: 'TRIAGE_NAME',
    description: 'name of the user in the file; without it: after the file',
  },
  email: {
    flags: '--email <address>',
    variable: 'TRIAGE_EMAIL',
    description: 'address of the user in the file; without it: made up after the file',
  },
  password: {
    flags: '--password <password>',
    variable: 'TRIAGE_PASSWORD',
    description: 'password of the user in the file, no real one; likewise',
  },
  fileSession: {
    flags: '--file-session <value>',
    variable: 'TRIAGE_FILE_SESSION',
    description: 'value of the session in the file, not that of --session; likewise',
  },
  fileToken: {
    flags: '--file-token <value>',
    variable: 'TRIAGE_FILE_TOKEN',
    description: 'bearer token in the file; likewise',
  },
  force: {
    flags: '--force',
    variable: 'TRIAGE_FORCE',
    fallback: false,
    negatable: true,
    description: 'a file that is there gives way',
  },
  restart: {
    flags: '--restart',
    variable: 'TRIAGE_RESTART',
    fallback: false,
    negatable: true,
    description: 'begin anew: throw away what a run that was broken off has read',
  },
  ...throttleCliOptions,
  maxRequests: {
    ...throttleCliOptions.maxRequests,
    fallback: '5000',
    description: 'requests to send at most; the next run goes on from there',
  },
};
