import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { limitPerKey } from '../../common/concurrency.js';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Count, Identifier } from '../../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../../contract/codecs/timestamp.js';
import { SecretHash } from '../../protocol/credentials.js';
import { ApiTokenRecord, emailKey, SessionRecord, UserRecord } from '../../records/account-records.js';
import { TenantRows } from '../../records/row-records.js';
import type { StorageError } from '../port.js';

/** A tenant who signed up. `number` counts the sign-ups; the rows are as of `asOf`, the moment of it. */
const SignedUp = t.strict(
  { number: Count, user: UserRecord, asOf: Timestamp, rows: TenantRows },
  'signed-up tenant',
);
export type SignedUp = t.TypeOf<typeof SignedUp>;

/** When something happened to a token. */
const TokenTime = t.strict({ hash: SecretHash, at: Timestamp }, 'time of a token');
export type TokenTime = t.TypeOf<typeof TokenTime>;

/**
 * Everything about one account that changed at run time, as its file keeps it. Of an account of the fixtures,
 * all else stays in the fixtures. Accounts are immutable: a change makes another one.
 */
export const Account = t.strict(
  {
    userId: Identifier,
    signUp: nullable(SignedUp),
    /** In the order in which they were started. */
    sessions: listOf(SessionRecord),
    /** In the order in which they were minted. */
    apiTokens: listOf(ApiTokenRecord),
    /** Sessions in the fixtures that were ended, and API tokens in the fixtures that were revoked. */
    endedSessions: listOf(SecretHash),
    revokedTokens: listOf(TokenTime),
    /** The last use of each API token, also of those in the fixtures. */
    tokenUses: listOf(TokenTime),
  },
  'account',
);
export type Account = t.TypeOf<typeof Account>;

/** An account of which nothing is kept: it has no file. */
export const emptyAccount = (userId: string): Account => ({
  userId,
  signUp: null,
  sessions: [],
  apiTokens: [],
  endedSessions: [],
  revokedTokens: [],
  tokenUses: [],
});

/** Whether nothing is kept of an account. */
export const isEmptyAccount = ({ userId: _, signUp, ...lists }: Account): boolean =>
  signUp === null && Object.values(lists).every(({ length }) => length === 0);

/** Whether all records of an account are its own. */
export const ownsItsRecords = ({ userId, signUp, sessions, apiTokens }: Account): boolean =>
  (signUp === null || signUp.user.id === userId) &&
  [...sessions, ...apiTokens].every((record) => record.userId === userId);

/** All accounts of which something is kept. A look-up does not take longer the more there are. */
export type AccountState = Readonly<{
  /** By user id. */
  accounts: ReadonlyMap<string, Account>;
  /** By user id, the oldest first. */
  signedUp: ReadonlyMap<string, SignedUp>;
  /** The user ids for each `emailKey`, the oldest first: the address is that of the first one. */
  userIds: ReadonlyMap<string, readonly string[]>;
  sessions: ReadonlyMap<SecretHash, SessionRecord>;
  apiTokens: ReadonlyMap<SecretHash, ApiTokenRecord>;
  /** The number of the latest sign-up. */
  lastSignUp: () => number;
}>;

/** A change of an account. If it returns the account that it was given, nothing is written. */
export type Change<Err, A> = (account: Account) => E.Either<Err, readonly [after: Account, result: A]>;

/** Keeps an account; when it rejects, what was kept of the account before is still kept. */
type KeepAccount = (account: Account, state: AccountState) => Promise<void>;

/** Holds the accounts. But for what is noted, `current` never has anything that has not been written. */
export type StateStore = ReturnType<typeof stateStore>;

/** A store of these accounts, with a queue for each: accounts do not wait for each other. */
export const stateStore = (kept: readonly Account[], keep: KeepAccount) => {
  const { state, put } = changingState(kept);
  const accountOf = (userId: string): Account => state.accounts.get(userId) ?? emptyAccount(userId);
  const noted = new Set<string>();
  let hasFailed = false;
  const inTurn = limitPerKey(1);
  return {
    current: (): AccountState => state,
    /** Whether the last change could not be written, for example because the disk is full. */
    hasFailed: (): boolean => hasFailed,
    /** Changes an account in memory, for the next update to write. One that is being written loses it. */
    note: (userId: string, change: (account: Account) => Account): void => {
      put(change(accountOf(userId)));
      noted.add(userId);
    },
    /** The users of the accounts with notes that have not been written. */
    noted: (): readonly string[] => Array.from(noted),
    /** Changes the account of a user: one change after the other, each on what the one before has left. */
    update: <Err, A>(userId: string, change: Change<Err, A>): Promise<E.Either<StorageError | Err, A>> =>
      inTurn(userId, async () => {
        const before = accountOf(userId);
        const changed = change(before);
        if (E.isLeft(changed)) return changed;
        const [after, result] = changed.right;
        if (after === before) return E.right(result);
        // A file with a record that its codec refuses could not be read again.
        if (!Account.is(after)) throw new Error('a change of an account is not valid');
        try {
          await keep(after, state);
          hasFailed = false;
        } catch (cause) {
          hasFailed = true;
          return E.left({ _tag: 'StorageUnavailable', cause });
        }
        put(after);
        noted.delete(userId);
        return E.right(result);
      }),
  };
};

/** A store in memory: its accounts are lost when the process ends. */
export const memoryStateStore = (): StateStore => stateStore([], async () => {});

/** The order of sign-ups follows from what is in them, so it is the same after a restart. */
const compareSignUps = (left: Account, right: Account): number =>
  (left.signUp?.number ?? 0) - (right.signUp?.number ?? 0) || (left.userId < right.userId ? -1 : 1);

/** The state of these accounts, and the only way to change it. */
const changingState = (kept: readonly Account[]) => {
  const accounts = new Map<string, Account>();
  const signedUp = new Map<string, SignedUp>();
  const userIds = new Map<string, readonly string[]>();
  const sessions = new Map<SecretHash, SessionRecord>();
  const apiTokens = new Map<SecretHash, ApiTokenRecord>();
  let latest = 0;

  const setOwners = (email: string, change: (owners: readonly string[]) => readonly string[]): void => {
    const key = emailKey(email);
    const owners = change(userIds.get(key) ?? []);
    if (owners.length === 0) userIds.delete(key);
    else userIds.set(key, owners);
  };
  /** Replaces the account of a user. It takes time for the records of that account alone. */
  const put = (account: Account): void => {
    const { userId, signUp } = account;
    const before = accounts.get(userId);
    for (const { hash } of before?.sessions ?? []) sessions.delete(hash);
    for (const { hash } of before?.apiTokens ?? []) apiTokens.delete(hash);
    const replaced = before?.signUp?.user.email;
    if (replaced !== undefined && replaced !== signUp?.user.email)
      setOwners(replaced, (owners) => owners.filter((id) => id !== userId));

    if (isEmptyAccount(account)) accounts.delete(userId);
    else accounts.set(userId, account);
    for (const session of account.sessions) sessions.set(session.hash, session);
    for (const apiToken of account.apiTokens) apiTokens.set(apiToken.hash, apiToken);
    if (signUp === null) {
      signedUp.delete(userId);
    } else {
      signedUp.set(userId, signUp);
      latest = Math.max(latest, signUp.number);
      if (replaced !== signUp.user.email) setOwners(signUp.user.email, (owners) => [...owners, userId]);
    }
  };
  for (const account of kept.toSorted(compareSignUps)) put(account);
  const state: AccountState = { accounts, signedUp, userIds, sessions, apiTokens, lastSignUp: () => latest };
  return { state, put };
};
