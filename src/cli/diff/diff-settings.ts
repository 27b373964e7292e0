import * as t from 'io-ts';
import { optional } from '../../contract/codecs/combinators.js';
import { BaseUrl } from '../settings/address-codecs.js';
import { clientOptions, clientSettings, jsonReportOption } from '../settings/client-settings.js';
import type { OptionTexts } from '../settings/options.js';
import { CredentialValue, NonEmptyString, Switch } from '../settings/setting-codecs.js';

/** The settings of `diff`. A credential for one side overrides the one for both. */
export const DiffSettings = t.strict(
  {
    left: BaseUrl,
    right: BaseUrl,
    session: optional(CredentialValue),
    token: optional(CredentialValue),
    leftSession: optional(CredentialValue),
    leftToken: optional(CredentialValue),
    rightSession: optional(CredentialValue),
    rightToken: optional(CredentialValue),
    values: Switch,
    allHeaders: Switch,
    json: optional(NonEmptyString),
    ...clientSettings,
  },
  'DiffSettings',
);
export type DiffSettings = t.TypeOf<typeof DiffSettings>;

export const diffOptions: OptionTexts<keyof DiffSettings> = {
  left: {
    flags: '--left <url>',
    variable: 'TRIAGE_LEFT',
    description: 'base URL of one server, without /api/v1; required',
  },
  right: {
    flags: '--right <url>',
    variable: 'TRIAGE_RIGHT',
    description: 'base URL of the other server; required',
  },
  session: {
    flags: '--session <value>',
    variable: 'TRIAGE_SESSION',
    secret: true,
    description: 'value of the session cookie for both servers; required unless each has its own',
  },
  token: {
    flags: '--token <value>',
    variable: 'TRIAGE_TOKEN',
    secret: true,
    description: 'bearer token for both servers',
  },
  leftSession: {
    flags: '--left-session <value>',
    variable: 'TRIAGE_LEFT_SESSION',
    secret: true,
    description: 'session for the left server, instead of the one for both',
  },
  leftToken: {
    flags: '--left-token <value>',
    variable: 'TRIAGE_LEFT_TOKEN',
    secret: true,
    description: 'bearer token for the left server',
  },
  rightSession: {
    flags: '--right-session <value>',
    variable: 'TRIAGE_RIGHT_SESSION',
    secret: true,
    description: 'session for the right server',
  },
  rightToken: {
    flags: '--right-token <value>',
    variable: 'TRIAGE_RIGHT_TOKEN',
    secret: true,
    description: 'bearer token for the right server',
  },
  values: {
    flags: '--values',
    variable: 'TRIAGE_VALUES',
    fallback: false,
    negatable: 'compare only statuses, headers and the shape of bodies',
    description: 'compare values as well, for servers that should hold the same data',
  },
  allHeaders: {
    flags: '--all-headers',
    variable: 'TRIAGE_ALL_HEADERS',
    fallback: false,
    negatable: 'ignore headers of security, the server, dates and the connection',
    description: 'compare headers of security, the server, dates and the connection as well',
  },
  json: jsonReportOption,
  ...clientOptions,
};
