import type { OptionTexts } from './options.js';
import { Count, Rate, RequestTimeout } from './setting-codecs.js';

/** The settings of every command that sends requests to a server which may be anybody's. */
export const throttleSettings = { maxRequests: Count, rate: Rate, timeout: RequestTimeout };

/** How they are given. */
export const throttleCliOptions: OptionTexts<keyof typeof throttleSettings> = {
  maxRequests: {
    flags: '--max-requests <count>',
    variable: 'TRIAGE_MAX_REQUESTS',
    fallback: '500',
    description: 'requests to send at most; what is left by then is not exercised',
  },
  rate: {
    flags: '--rate <count>',
    variable: 'TRIAGE_RATE',
    fallback: '20',
    description: 'requests a second at most, one at a time',
  },
  timeout: {
    flags: '--timeout <ms>',
    variable: 'TRIAGE_TIMEOUT',
    fallback: '10000',
    description: 'milliseconds to wait for an answer',
  },
};
