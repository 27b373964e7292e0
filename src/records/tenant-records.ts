import type { ApiTokenRecord } from './api-token.js';
import type { TenantRows } from './dataset.js';
import type { SessionRecord } from './session.js';
import type { UserRecord } from './user.js';

/** A whole tenant as it is kept: no secret in clear text, and every timestamp as it is to be served. */
export type TenantRecords = Readonly<{
  user: UserRecord;
  sessions: readonly SessionRecord[];
  apiTokens: readonly ApiTokenRecord[];
  rows: TenantRows;
}>;
