import type { ApiTokenRecord } from './api-token.js';
import type { TenantRows } from './dataset.js';
import type { SessionRecord } from './session.js';
import type { UserRecord } from './user.js';

/** All records of a tenant: no secret in clear text, and timestamps as they will be served. */
export type TenantRecords = Readonly<{
  user: UserRecord;
  sessions: readonly SessionRecord[];
  apiTokens: readonly ApiTokenRecord[];
  rows: TenantRows;
}>;
