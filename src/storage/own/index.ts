/**
 * What the author of a storage needs, as `triage-api/storage`: the types of the port, the records with their
 * codecs, and the orders, rules and limits that every storage keeps. It needs no development dependency; the
 * suite is in `triage-api/storage/conformance`.
 */

export { hashPassword } from '../../accounts/passwords.js';
export {
  hashSecret,
  isApiTokenValid,
  isSessionValid,
  lastUsedResolution,
  resolveCaller,
  shouldRecordUse,
} from '../../accounts/sessions-and-tokens.js';
export { compareCodePoints } from '../../common/sort-and-group.js';
export { formatProblem, type Problem, problemsOf } from '../../contract/codecs/problem.js';
export { millisecondsOf, Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
export { PrStatus, prStatusOf } from '../../contract/enums.js';
export type { Caller } from '../../records/account-records.js';
export {
  ApiTokenProfile,
  ApiTokenRecord,
  apiTokenProfile,
  emailKey,
  PasswordHash,
  SecretHash,
  SessionRecord,
  tokenPrefix,
  UserProfile,
  UserRecord,
} from '../../records/account-records.js';
export type { TenantRecords } from '../../records/dataset.js';
export { Dataset, TenantRows } from '../../records/dataset.js';
export {
  compareFixDrafts,
  compareOpenPullRequests,
  comparePullRequests,
  compareRepos,
  compareScans,
} from '../../records/row-order.js';
export type { FixDraftDetails, PullRequestDetails, RepoDetails } from '../../records/row-records.js';
export { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord } from '../../records/row-records.js';
export { maxActiveApiTokens, maxApiTokens, maxSessions } from '../limits.js';
export type * from '../port.js';
export {
  defineStorage,
  type MadeStorage,
  type StorageContext,
  type StorageFactory,
} from './storage-factory.js';
