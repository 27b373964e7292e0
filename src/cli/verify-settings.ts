import * as t from 'io-ts';
import { optional } from '../codecs/optional.js';
import type { OptionTexts } from './options.js';
import { BaseUrl, CookieName, CredentialValue, NonEmpty } from './setting-codecs.js';
import { throttleCliOptions, throttleSettings } from './throttle-settings.js';

/** The settings of `verify`. */
export const VerifySettings = t.strict(
  {
    url: BaseUrl,
    session: CredentialValue,
    token: CredentialValue,
    otherSession: optional(CredentialValue),
    otherToken: optional(CredentialValue),
    expiredSession: optional(CredentialValue),
    expiredToken: optional(CredentialValue),
    cookie: CookieName,
    json: optional(NonEmpty),
    junit: optional(NonEmpty),
    ...throttleSettings,
  },
  'VerifySettings',
);
export type VerifySettings = t.TypeOf<typeof VerifySettings>;

/** How they are given. */
export const verifyOptions: OptionTexts<keyof VerifySettings> = {
  url: {
    flags: '--url <url>',
    variable: 'TRIAGE_URL',
    description: 'base URL of the server to judge, up to but without /api/v1; required',
  },
  session: {
    flags: '--session <value>',
    variable: 'TRIAGE_SESSION',
    description: 'value of the session cookie; required',
  },
  token: {
    flags: '--token <value>',
    variable: 'TRIAGE_TOKEN',
    description: 'bearer token of the same user; required',
  },
  otherSession: {
    flags: '--other-session <value>',
    variable: 'TRIAGE_OTHER_SESSION',
    description: 'session of a second user, to see that neither sees what is the other’s',
  },
  otherToken: {
    flags: '--other-token <value>',
    variable: 'TRIAGE_OTHER_TOKEN',
    description: 'bearer token of that second user',
  },
  expiredSession: {
    flags: '--expired-session <value>',
    variable: 'TRIAGE_EXPIRED_SESSION',
    description: 'a session of anybody that has expired',
  },
  expiredToken: {
    flags: '--expired-token <value>',
    variable: 'TRIAGE_EXPIRED_TOKEN',
    description: 'a bearer token of anybody that has expired or was revoked',
  },
  cookie: {
    flags: '--cookie <name>',
    variable: 'TRIAGE_COOKIE',
    fallback: 'session',
    description: 'name of the session cookie',
  },
  json: {
    flags: '--json <file>',
    variable: 'TRIAGE_JSON',
    description: 'write the report as JSON; - for standard output, in place of the one for people',
  },
  junit: {
    flags: '--junit <file>',
    variable: 'TRIAGE_JUNIT',
    description: 'write the report as JUnit XML; - likewise',
  },
  ...throttleCliOptions,
};
