import { setTimeout } from 'node:timers/promises';
import type { ThrottleOptions } from '../../client/throttle.js';
import type { OptionText, OptionTexts } from './options.js';
import { ByteSize, CookieName, Count, RequestsPerSecond, RequestTimeout } from './setting-codecs.js';

/** The settings of every command that sends requests to a server of the API. */
export const clientSettings = {
  cookie: CookieName,
  maxBody: ByteSize,
  maxRequests: Count,
  rate: RequestsPerSecond,
  timeout: RequestTimeout,
};

/** The options for these settings. */
export const clientOptions: OptionTexts<keyof typeof clientSettings> = {
  cookie: {
    flags: '--cookie <name>',
    variable: 'TRIAGE_COOKIE',
    fallback: 'session',
    description: 'name of the session cookie',
  },
  maxBody: {
    flags: '--max-body <size>',
    variable: 'TRIAGE_MAX_BODY',
    fallback: '64mb',
    description: 'maximum length of a response, decompressed; a longer one ends the run',
  },
  maxRequests: {
    flags: '--max-requests <count>',
    variable: 'TRIAGE_MAX_REQUESTS',
    fallback: '500',
    description: 'maximum number of requests; checks that need more are not exercised',
  },
  rate: {
    flags: '--rate <count>',
    variable: 'TRIAGE_RATE',
    fallback: '20',
    description: 'maximum number of requests per second, sent one at a time',
  },
  timeout: {
    flags: '--timeout <ms>',
    variable: 'TRIAGE_TIMEOUT',
    fallback: '10000',
    description: 'milliseconds to wait for a response',
  },
};

/** The option of the commands that can write a report as JSON. */
export const jsonReportOption: OptionText = {
  flags: '--json <file>',
  variable: 'TRIAGE_JSON',
  description: 'write the report as JSON; - writes it to standard output instead of the text report',
};

/** The throttling that the settings ask for. */
export const throttleOptions = ({
  rate,
  maxRequests,
}: Readonly<{ rate: number; maxRequests: number }>): ThrottleOptions => ({
  gap: 1000 / rate,
  maxRequests,
  clock: () => Date.now(),
  sleep: (milliseconds) => setTimeout(milliseconds),
});
