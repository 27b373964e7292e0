import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { optionalList } from '../codecs/list.js';
import { optional } from '../codecs/optional.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Timestamp } from '../codecs/timestamp.js';
import { ApiTokenSeed } from './api-token.js';
import { FixDraftRecord } from './fix-draft.js';
import { PullRequestRecord } from './pull-request.js';
import { RepoRecord } from './repo.js';
import { ScanRecord } from './scan.js';
import { SessionSeed } from './session.js';
import { UserSeed } from './user.js';

const rows = {
  repos: described(optionalList(RepoRecord), 'Connected repositories.'),
  scans: described(optionalList(ScanRecord), 'Scans of the repositories.'),
  fixDrafts: described(optionalList(FixDraftRecord), 'What findings are made of.'),
  pullRequests: described(optionalList(PullRequestRecord), 'What was opened for the fix drafts.'),
};

/** What a tenant sees through the API, as records: all that is not about accounts. */
export const TenantRows = t.strict(rows, 'TenantRows');
export type TenantRows = t.TypeOf<typeof TenantRows>;

/**
 * Everything that belongs to one tenant, as a fixture file writes it; every collection may be left out. With `asOf`,
 * the moment when the data was up to date, its timestamps are meant relative to that moment. `$schema` is for editors.
 */
export const Dataset = new StrictObject(
  {
    $schema: described(optional(t.string), 'Where the schema of this file is, for editors.'),
    asOf: described(
      optional(Timestamp),
      'When this data was up to date: all dates of the file move by the time that has passed since. Left out: they are served as written.',
    ),
    user: described(UserSeed, 'Who the tenant is.'),
    sessions: described(optionalList(SessionSeed), 'What the session cookie may hold.'),
    apiTokens: described(optionalList(ApiTokenSeed), 'What a bearer token may be.'),
    ...rows,
  },
  'fixture file',
);
export type Dataset = t.TypeOf<typeof Dataset>;
