import * as t from 'io-ts';
import { described, optional, optionalList } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Integer } from '../contract/codecs/text-and-numbers.js';
import { UtcTime } from '../contract/codecs/timestamp.js';
import {
  type ApiTokenRecord,
  ApiTokenSeed,
  type SessionRecord,
  SessionSeed,
  type UserRecord,
  UserSeed,
} from './account-records.js';
import { TenantRows } from './row-records.js';

/** The content of a fixture file: everything that belongs to one tenant. Every collection may be missing. */
export const Dataset = new StrictObject(
  {
    $schema: described(optional(t.string), 'The location of the schema of this file, for editors.'),
    asOf: described(
      optional(UtcTime),
      'When this data was up to date. All dates are shifted by the time since then; without it they are not.',
    ),
    user: described(UserSeed, 'The user of this tenant.'),
    sessions: described(optionalList(SessionSeed), 'Sessions of the user.'),
    apiTokens: described(optionalList(ApiTokenSeed), 'API tokens of the user.'),
    ...TenantRows.type.props,
  },
  'fixture file',
);
export type Dataset = t.TypeOf<typeof Dataset>;

/** All records of a tenant: no secret in clear text, and timestamps as they will be served. */
export type TenantRecords = Readonly<{
  user: UserRecord;
  sessions: readonly SessionRecord[];
  apiTokens: readonly ApiTokenRecord[];
  rows: TenantRows;
}>;

/** How many records of each kind a tenant has. */
export const RecordCounts = t.strict(
  {
    repos: Integer,
    scans: Integer,
    fixDrafts: Integer,
    pullRequests: Integer,
    sessions: Integer,
    apiTokens: Integer,
  },
  'record counts',
);
export type RecordCounts = t.TypeOf<typeof RecordCounts>;
