import * as t from 'io-ts';
import { optional } from '../../contract/codecs/combinators.js';
import { Email, Text } from '../../contract/codecs/text-and-numbers.js';
import { Password, SessionValue, TokenValue } from '../../records/account-records.js';
import { BaseUrl } from '../settings/address-codecs.js';
import { clientOptions, clientSettings } from '../settings/client-settings.js';
import { Moment } from '../settings/moment.js';
import type { OptionTexts } from '../settings/options.js';
import { CredentialValue, Switch } from '../settings/setting-codecs.js';

export const RecordSettings = t.strict(
  {
    url: BaseUrl,
    session: CredentialValue,
    asOf: optional(Moment),
    name: optional(Text),
    email: optional(Email),
    password: optional(Password),
    fileSession: optional(SessionValue),
    fileToken: optional(TokenValue),
    force: Switch,
    ...clientSettings,
  },
  'RecordSettings',
);
export type RecordSettings = t.TypeOf<typeof RecordSettings>;

export const recordOptions: OptionTexts<keyof RecordSettings> = {
  url: {
    flags: '--url <url>',
    variable: 'TRIAGE_URL',
    description: 'base URL of the server to record, without /api/v1; required',
  },
  session: {
    flags: '--session <value>',
    variable: 'TRIAGE_SESSION',
    secret: true,
    description: 'value of the session cookie to send; it is not written to the file; required',
  },
  asOf: {
    flags: '--as-of <time>',
    variable: 'TRIAGE_AS_OF',
    description:
      'time at which the data is current, such as 2026-11-20T12:00:00Z, instead of when it was read',
  },
  name: {
    flags: '--name <name>',
    variable: 'TRIAGE_NAME',
    description: 'name of the user in the file; default: derived from the file name',
  },
  email: {
    flags: '--email <address>',
    variable: 'TRIAGE_EMAIL',
    description: 'address of the user in the file; default: derived from the file name',
  },
  password: {
    flags: '--password <password>',
    variable: 'TRIAGE_PASSWORD',
    description: 'password of the user in the file, not a real one; default: random, and printed',
  },
  fileSession: {
    flags: '--file-session <value>',
    variable: 'TRIAGE_FILE_SESSION',
    description: 'session in the file, not the one of --session; default: random, and printed',
  },
  fileToken: {
    flags: '--file-token <value>',
    variable: 'TRIAGE_FILE_TOKEN',
    description: 'bearer token in the file; default: random, and printed',
  },
  force: {
    flags: '--force',
    variable: 'TRIAGE_FORCE',
    notInFile: true,
    fallback: false,
    negatable: 'refuse to overwrite existing files',
    description: 'overwrite an existing file',
  },
  ...clientOptions,
  maxRequests: {
    ...clientOptions.maxRequests,
    fallback: '5000',
    description: 'maximum number of requests; a recording that needs more fails',
  },
};
