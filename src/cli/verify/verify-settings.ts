import * as t from 'io-ts';
import type { ThrottleOptions } from '../../client/throttle.js';
import { isLoopback } from '../../common/is-loopback.js';
import { optional } from '../../contract/codecs/combinators.js';
import { BaseUrl } from '../settings/address-codecs.js';
import {
  clientOptions,
  clientSettings,
  jsonReportOption,
  throttleOptions,
} from '../settings/client-settings.js';
import type { OptionTexts } from '../settings/options.js';
import {
  Concurrency,
  CredentialValue,
  NonEmptyString,
  Percentage,
  RequestsPerSecond,
  Seed,
  Switch,
} from '../settings/setting-codecs.js';

/** The number of requests per second to a server on another machine. */
const remoteRate = 20;

/** Seeds are below this number. */
export const maxSeed = 2 ** 32;

export const VerifySettings = t.strict(
  {
    url: BaseUrl,
    session: CredentialValue,
    token: CredentialValue,
    otherSession: optional(CredentialValue),
    otherToken: optional(CredentialValue),
    expiredSession: optional(CredentialValue),
    expiredToken: optional(CredentialValue),
    json: optional(NonEmptyString),
    junit: optional(NonEmptyString),
    ...clientSettings,
    rate: optional(RequestsPerSecond),
    concurrency: Concurrency,
    seed: optional(Seed),
    allPages: Switch,
    minExercised: Percentage,
    details: Switch,
  },
  'VerifySettings',
);
export type VerifySettings = t.TypeOf<typeof VerifySettings>;

export const verifyOptions: OptionTexts<keyof VerifySettings> = {
  url: {
    flags: '--url <url>',
    variable: 'TRIAGE_URL',
    description: 'base URL of the server to check, without /api/v1; required',
  },
  session: {
    flags: '--session <value>',
    variable: 'TRIAGE_SESSION',
    secret: true,
    description: 'value of the session cookie; required',
  },
  token: {
    flags: '--token <value>',
    variable: 'TRIAGE_TOKEN',
    secret: true,
    description: 'bearer token of the same user; required',
  },
  otherSession: {
    flags: '--other-session <value>',
    variable: 'TRIAGE_OTHER_SESSION',
    secret: true,
    description: 'session of a second user, to check that neither sees the data of the other',
  },
  otherToken: {
    flags: '--other-token <value>',
    variable: 'TRIAGE_OTHER_TOKEN',
    secret: true,
    description: 'bearer token of the second user',
  },
  expiredSession: {
    flags: '--expired-session <value>',
    variable: 'TRIAGE_EXPIRED_SESSION',
    secret: true,
    description: 'an expired session of any user',
  },
  expiredToken: {
    flags: '--expired-token <value>',
    variable: 'TRIAGE_EXPIRED_TOKEN',
    secret: true,
    description: 'an expired or revoked bearer token of any user',
  },
  json: jsonReportOption,
  junit: {
    flags: '--junit <file>',
    variable: 'TRIAGE_JUNIT',
    description: 'write the report as JUnit XML; - writes it to standard output instead of the text report',
  },
  ...clientOptions,
  maxRequests: { ...clientOptions.maxRequests, fallback: '1000' },
  rate: {
    flags: '--rate <count>',
    variable: 'TRIAGE_RATE',
    description: `maximum number of requests per second; by default ${remoteRate}, and any number to this machine`,
  },
  concurrency: {
    flags: '--concurrency <count>',
    variable: 'TRIAGE_CONCURRENCY',
    fallback: '4',
    description: 'how many requests may wait for their responses at once',
  },
  seed: {
    flags: '--seed <number>',
    variable: 'TRIAGE_SEED',
    description:
      'chooses the pages of large lists that are looked at; by default a random one, which is printed',
  },
  allPages: {
    flags: '--all-pages',
    variable: 'TRIAGE_ALL_PAGES',
    fallback: false,
    negatable: 'fetch only some pages of large lists',
    description: 'fetch all pages of large lists, not only some',
  },
  minExercised: {
    flags: '--min-exercised <percentage>',
    variable: 'TRIAGE_MIN_EXERCISED',
    fallback: '90%',
    description: 'share of the statements that have to be exercised; with less, the exit code is 1',
  },
  details: {
    flags: '--details',
    variable: 'TRIAGE_DETAILS',
    fallback: false,
    negatable: 'report what to mend first',
    description: 'report every failure, not only what to mend first',
  },
};

/** The throttling that the settings ask for: a server on this machine needs no limit on the rate. */
export const verifyThrottling = ({
  url,
  rate,
  maxRequests,
  concurrency,
}: Pick<VerifySettings, 'url' | 'rate' | 'maxRequests' | 'concurrency'>): ThrottleOptions => {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const perSecond = rate ?? (isLoopback(host) ? Number.POSITIVE_INFINITY : remoteRate);
  return { ...throttleOptions({ rate: perSecond, maxRequests }), concurrency };
};
