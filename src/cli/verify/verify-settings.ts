import * as t from 'io-ts';
import { optional } from '../../codecs/optional.js';
import { clientOptions, clientSettings, jsonReportOption } from '../settings/client-settings.js';
import type { OptionTexts } from '../settings/options.js';
import { BaseUrl, CredentialValue, NonEmptyString } from '../settings/setting-codecs.js';

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
};
