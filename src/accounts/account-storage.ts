import type { Either } from '#fp-ts/Either';
import type { Caller, SecretHash } from '../api/credentials.js';
import type { TenantRows } from '../api/row-records.js';
import type {
  CallerStorage,
  ReadyStorage,
  StorageError,
  TriageStorage,
  Unauthorized,
} from '../api/storage-port.js';
import type { Timestamp } from '../contract/codecs/timestamp.js';
import type {
  ApiTokenProfile,
  ApiTokenRecord,
  PasswordHash,
  SessionRecord,
  UserProfile,
  UserRecord,
} from './account-records.js';

/** An account with this e-mail address exists already. */
export type EmailTaken = Readonly<{ _tag: 'EmailTaken' }>;

/** The user has the maximum number of active API tokens. */
export type TooManyApiTokens = Readonly<{ _tag: 'TooManyApiTokens' }>;

/** The account cannot be changed here, because it is defined elsewhere, for example in a fixture file. */
export type AccountReadOnly = Readonly<{ _tag: 'AccountReadOnly' }>;

/**
 * A new tenant: the user, the first session, and the initial rows. The timestamps of `rows` are right at the
 * moment `asOf` of the sign-up, so a storage stores them as they are and may ignore `asOf`. A storage of demo
 * data may move them forward by the time since then whenever it is opened, as the fixture adapter does.
 */
export type NewAccount = Readonly<{
  user: UserRecord;
  session: SessionRecord;
  rows: TenantRows;
  asOf: Timestamp;
}>;

/**
 * Accounts, sessions and API tokens. A write resolves once it is durable, as far as the storage is: no
 * acknowledged write is lost.
 */
export type AccountStorage = CallerStorage &
  Readonly<{
    /** The user with this e-mail address, in any letter case, with the password hash. */
    userByEmail: (email: string) => Promise<Either<StorageError, UserRecord | null>>;

    /** The caller's profile. */
    user: (caller: Caller) => Promise<Either<StorageError, UserProfile | null>>;

    /**
     * Creates a tenant and ends the session `ended`, before or in the same step: there is never a new session
     * while the old one still works. If this fails, there is no new tenant, but `ended` may have ended; with
     * `EmailTaken` nothing has changed.
     */
    signUp: (
      account: NewAccount,
      ended: SecretHash | null,
    ) => Promise<Either<StorageError | EmailTaken, void>>;

    /**
     * Replaces the password hash `from` of the caller with `to`, ends all sessions of the caller, and starts
     * this one: all of it or nothing. API tokens stay valid. False, without a change, if the caller is gone
     * or has another password by now.
     */
    changePassword: (
      caller: Caller,
      change: Readonly<{ from: PasswordHash; to: PasswordHash; session: SessionRecord }>,
    ) => Promise<Either<StorageError | AccountReadOnly, boolean>>;

    /**
     * Deletes the caller and everything that belongs to the caller. Sessions and API tokens end at once,
     * nothing can be read any more, and the address is free; rows may be deleted in the background. False if
     * the caller is gone.
     */
    deleteAccount: (caller: Caller) => Promise<Either<StorageError | AccountReadOnly, boolean>>;

    /**
     * Adds a session and ends the session `ended`, before or in the same step: a login replaces one with the
     * other. If this fails, there is no new session, but `ended` may have ended. Does not add the session if
     * the user has been deleted. Above `maxSessions` of the user, the oldest one of the `origin` that has
     * most of them ends, the new one included. Sessions that have expired at its `createdAt` do not count.
     */
    startSession: (session: SessionRecord, ended: SecretHash | null) => Promise<Either<StorageError, void>>;

    /** Ends a session at once. Ending an unknown session succeeds. */
    endSession: (hash: SecretHash) => Promise<Either<StorageError, void>>;

    /** All tokens of the caller in any state, without their hashes: the latest `createdAt` first. */
    apiTokens: (caller: Caller) => Promise<Either<StorageError, readonly ApiTokenProfile[]>>;

    /**
     * Adds a token. `TooManyApiTokens` if the user has `maxActiveApiTokens` that are valid at its
     * `createdAt`; `Unauthorized` if the user has been deleted.
     */
    addApiToken: (
      apiToken: ApiTokenRecord,
    ) => Promise<Either<StorageError | TooManyApiTokens | Unauthorized, void>>;

    /** Revokes a token of the caller from `at` on; false if the caller has no token with this id. */
    revokeApiToken: (caller: Caller, id: string, at: Timestamp) => Promise<Either<StorageError, boolean>>;
  }>;

/**
 * Everything that the service needs from a storage. Its operations are called without `this`, and
 * concurrently. An error is a value: no operation throws or rejects.
 */
export type Storage = AccountStorage & TriageStorage & ReadyStorage;

/** The maximum number of sessions per user: a new one above it ends another (`startSession`). */
export const maxSessions = 500;

/** The maximum number of active API tokens per user. */
export const maxActiveApiTokens = 50;

/** The maximum number of API tokens per user in any state. Above it, the oldest inactive one is deleted. */
export const maxApiTokens = 100;
