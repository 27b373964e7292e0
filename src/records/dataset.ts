import * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { listOrNone } from '../vocabulary/lists.js';
import { optional } from '../vocabulary/optional.js';
import { Timestamp } from '../vocabulary/timestamp.js';
import { ApiTokenSeed } from './api-token.js';
import { FixDraftRecord } from './fix-draft.js';
import { PullRequestRecord } from './pull-request.js';
import { RepoRecord } from './repo.js';
import { ScanRecord } from './scan.js';
import { SessionSeed } from './session.js';
import { UserSeed } from './user.js';

const rows = {
  repos: listOrNone(RepoRecord),
  scans: listOrNone(ScanRecord),
  fixDrafts: listOrNone(FixDraftRecord),
  pullRequests: listOrNone(PullRequestRecord),
};

/** What a tenant sees through the API, as records: all that is not about accounts. */
export const TenantRows = t.strict(rows, 'TenantRows');
export type TenantRows = t.TypeOf<typeof TenantRows>;

/**
 * Everything that belongs to one tenant, as a fixture file writes it; every collection may be left out. With `asOf`,
 * the moment when the data was up to date, its timestamps are meant relative to that moment. `$schema` is for editors.
 */
export const Dataset = new Closed(
  {
    $schema: optional(t.string),
    asOf: optional(Timestamp),
    user: UserSeed,
    sessions: listOrNone(SessionSeed),
    apiTokens: listOrNone(ApiTokenSeed),
    ...rows,
  },
  'fixture file',
);
export type Dataset = t.TypeOf<typeof Dataset>;
