import { pause } from '../../common/timers.js';
import type { ThrottleOptions } from '../../verify/throttle.js';
import {
  BaseUrl,
  ByteSize,
  CookieName,
  Count,
  CredentialValue,
  DatabaseUrl,
  NonEmptyString,
  RequestsPerSecond,
  RequestTimeout,
} from './codecs.js';
import { flag, required, value, valueOr } from './option.js';

/** The options of every command about the config file. */
export const configOptions = {
  config: value(
    '--config <file>',
    NonEmptyString,
    'JSON file with settings, instead of the one that is found',
    {
      notInFile: true,
    },
  ),
  noConfig: flag('--no-config', 'read no config file', { variable: null }),
};

/** The option of the commands that need a database. */
export const databaseOptions = {
  databaseUrl: required(
    '--database-url <url>',
    DatabaseUrl,
    'such as postgres://user:password@host/database',
    { foreign: 'DATABASE_URL', isSecret: true },
  ),
};

export const urlOption = required('--url <url>', BaseUrl, 'base URL of the server, without /api/v1');

/** A session or a token that requests are sent with. */
export const credential = (flag: string, description: string) =>
  value(`${flag} <value>`, CredentialValue, description, { isSecret: true });

/** The options of every command that sends requests to a server of the API. */
export const clientOptions = {
  cookie: valueOr('--cookie <name>', CookieName, 'session', 'name of the session cookie'),
  maxBody: valueOr('--max-body <size>', ByteSize, '64mb', 'maximum length of a response, decompressed'),
  maxRequests: valueOr('--max-requests <count>', Count, '500', 'maximum number of requests to a server'),
  rate: valueOr('--rate <count>', RequestsPerSecond, '20', 'maximum number of requests per second'),
  timeout: valueOr('--timeout <ms>', RequestTimeout, '10000', 'milliseconds to wait for a response'),
};

/** A line for each base URL, by its option, that ends in the prefix of the API, which requests add. */
export const urlsWithPrefix = (urls: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(urls).flatMap(([option, url]) => {
    const [, base] = /^(.*)\/api\/v1\/?$/.exec(url) ?? [];
    return base === undefined ? [] : [`${option}: leave out /api/v1, and pass ${base}`];
  });

export const jsonReportOption = value(
  '--json <file>',
  NonEmptyString,
  'write the report as JSON; -: to standard output, instead of text',
);

export const forceOption = flag('--force', 'overwrite existing files', { notInFile: true });

/** The throttling that the settings ask for. `maxMemory`: of all responses, in bytes. */
export const throttleOptions = (
  { rate, maxRequests }: Readonly<{ rate: number; maxRequests: number }>,
  maxMemory = Number.POSITIVE_INFINITY,
): ThrottleOptions => ({
  gap: 1000 / rate,
  maxRequests,
  maxMemory,
  clock: () => Date.now(),
  sleep: pause,
});
