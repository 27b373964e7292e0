/**
 * What the author of a storage needs, as `triage-api/storage`: the types of the port, the records with their
 * codecs, and the orders, rules and limits that every storage keeps. It needs no development dependency; the
 * suite is in `triage-api/storage/conformance`.
 */
export {
  isApiTokenValid,
  isSessionValid,
  lastUsedResolution,
  resolveCaller,
  shouldRecordUse,
} from '../../accounts/credential-validity.js';
export { hashPassword } from '../../accounts/hash-password.js';
export { hashSecret } from '../../accounts/secrets.js';
export { compareCodePoints } from '../../common/sort-and-group.js';
export { formatProblem, type Problem, problemsOf } from '../../contract/codecs/problem.js';
export { millisecondsOf, Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
export { PrStatus, prStatusOf } from '../../contract/enums.js';
export { ApiTokenProfile, ApiTokenRecord, apiTokenProfile, tokenPrefix } from '../../records/api-token.js';
export type { Caller } from '../../records/caller.js';
export { Dataset, TenantRows } from '../../records/dataset.js';
export type { FixDraftDetails, PullRequestDetails, RepoDetails } from '../../records/details.js';
export { FixDraftRecord } from '../../records/fix-draft.js';
export { PasswordHash } from '../../records/password-hash.js';
export { PullRequestRecord } from '../../records/pull-request.js';
export { RepoRecord } from '../../records/repo.js';
export {
  compareFixDrafts,
  compareOpenPullRequests,
  comparePullRequests,
  compareRepos,
  compareScans,
} from '../../records/row-order.js';
export { ScanRecord } from '../../records/scan.js';
export { SecretHash } from '../../records/secret-hash.js';
export { SessionRecord } from '../../records/session.js';
export type { TenantRecords } from '../../records/tenant-records.js';
export { emailKey, UserProfile, UserRecord } from '../../records/user.js';
export { maxActiveApiTokens, maxApiTokens, maxSessions } from '../limits.js';
export type * from '../port.js';
export {
  defineStorage,
  type MadeStorage,
  type StorageContext,
  type StorageFactory,
} from './storage-factory.js';
