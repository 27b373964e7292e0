/**
 * What the author of a storage needs, as `triage-api/storage`: the types of the port, the records with their
 * codecs, and the orders, rules and limits that every storage keeps. It needs no development dependency; the
 * suite is in `triage-api/storage/conformance`.
 */

import type { Storage } from '../../accounts/account-storage.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';

export { type Either, left, right } from '#fp-ts/Either';
export type { TenantRecords } from '../../accounts/account-records.js';
export {
  ApiTokenProfile,
  ApiTokenRecord,
  apiTokenProfile,
  emailKey,
  PasswordHash,
  SessionRecord,
  tokenPrefix,
  UserProfile,
  UserRecord,
} from '../../accounts/account-records.js';
export type * from '../../accounts/account-storage.js';
export { maxActiveApiTokens, maxApiTokens, maxSessions } from '../../accounts/account-storage.js';
export { hashPassword } from '../../accounts/passwords.js';
export { lastUsedResolution, shouldRecordUse } from '../../accounts/sessions-and-tokens.js';
export {
  type Caller,
  hashSecret,
  isApiTokenValid,
  isSessionValid,
  type ResolvedCaller,
  resolveCaller,
  SecretHash,
} from '../../api/credentials.js';
export {
  compareFixDrafts,
  compareOpenPullRequests,
  comparePullRequests,
  compareRepos,
  compareScans,
} from '../../api/row-order.js';
export type { FixDraftDetails, PullRequestDetails, RepoDetails } from '../../api/row-records.js';
export {
  FixDraftRecord,
  PullRequestRecord,
  RepoRecord,
  ScanRecord,
  TenantRows,
} from '../../api/row-records.js';
export type * from '../../api/storage-port.js';
export { compareCodePoints } from '../../common/sort-and-group.js';
export { formatProblem, type Problem, problemsOf } from '../../contract/codecs/problem.js';
export { millisecondsOf, Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
export { PrStatus, prStatusOf } from '../../contract/enums.js';
export { Dataset } from '../../fixtures/dataset.js';

/** What a storage is given when it is made. */
export type StorageContext = Readonly<{
  /** The time of the server in milliseconds since 1970; a test may freeze or move it. */
  clock: Clock;
  /** The log of the server: for what nobody waits for, because errors of operations are logged anyway. */
  log: Log;
}>;

/** A storage, and how to close it, if it has to be closed. */
export type MadeStorage = Readonly<{ storage: Storage; close?: () => Promise<void> | void }>;

/** Makes a storage; one that need not be closed may be returned as it is. */
export type StorageFactory = (
  context: StorageContext,
) => Storage | MadeStorage | Promise<Storage | MadeStorage>;

/** Returns `make` as it is. Of what is written in its parentheses, TypeScript knows every type. */
export const defineStorage = (make: StorageFactory): StorageFactory => make;
