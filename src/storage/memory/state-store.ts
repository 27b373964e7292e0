import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { isApiTokenValid, isSessionValid } from '../../accounts/sessions-and-tokens.js';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Count, Identifier } from '../../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../../contract/codecs/timestamp.js';
import {
  ApiTokenRecord,
  emailKey,
  type PasswordHash,
  SecretHash,
  SessionRecord,
  UserRecord,
} from '../../records/account-records.js';
import { TenantRows } from '../../records/dataset.js';
import {
  maxActiveApiTokens,
  maxApiTokens,
  maxSessions,
  type NewAccount,
  type StorageError,
} from '../port.js';

/**
 * A tenant who signed up. `number` counts the sign-ups: the smaller one is older. `asOf` is the moment of
 * signing up, as of which the rows are written.
 */
export const SignedUp = t.strict(
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

// What an account becomes. A function that returns the account it was given changes nothing.

export const withSignUp = (
  account: Account,
  { user, session, rows, asOf }: NewAccount,
  number: number,
): Account => ({ ...account, signUp: { number, user, asOf, rows }, sessions: [session] });

/** Ends all other sessions. */
export const withPassword = (account: Account, to: PasswordHash, session: SessionRecord): Account =>
  account.signUp === null
    ? account
    : {
        ...account,
        signUp: { ...account.signUp, user: { ...account.signUp.user, passwordHash: to } },
        sessions: [session],
      };

/** Also ends the sessions that have expired, and others that have to make room. */
export const withSession = (account: Account, added: SessionRecord, at: Timestamp): Account => {
  const own = account.sessions.filter((session) => isSessionValid(session, at));
  const surplus = surplusSessions(own, added);
  return { ...account, sessions: [...own.filter((each) => !surplus.includes(each)), added] };
};

/**
 * Of a user's sessions, in order of creation, those above `maxSessions` that make room for a new one: those
 * of the same origin first, then any others, the oldest first. So nobody can end the sessions of others by
 * logging in often.
 */
const surplusSessions = (own: readonly SessionRecord[], added: SessionRecord): readonly SessionRecord[] => {
  const isFromSamePlace = ({ origin }: SessionRecord): boolean => origin !== null && origin === added.origin;
  const inOrderOfRemoval = [
    ...own.filter(isFromSamePlace),
    ...own.filter((session) => !isFromSamePlace(session)),
  ];
  return inOrderOfRemoval.slice(0, Math.max(0, own.length + 1 - maxSessions));
};

/** `isOfFixtures`: whether the session is in the fixtures, where it cannot be removed. */
export const withoutSession = (account: Account, ended: SecretHash, isOfFixtures: boolean): Account => {
  const sessions = account.sessions.filter(({ hash }) => hash !== ended);
  if (sessions.length < account.sessions.length) return { ...account, sessions };
  return isOfFixtures && !account.endedSessions.includes(ended)
    ? { ...account, endedSessions: [...account.endedSessions, ended] }
    : account;
};

/** Whether a user has the maximum number of active tokens. */
export const hasMaxApiTokens = (apiTokens: readonly ApiTokenRecord[], at: Timestamp): boolean =>
  apiTokens.filter((apiToken) => isApiTokenValid(apiToken, at)).length >= maxActiveApiTokens;

/** Removes the oldest inactive tokens above `maxApiTokens`. */
export const withApiToken = (account: Account, added: ApiTokenRecord, at: Timestamp): Account => {
  const all = [...account.apiTokens, added];
  const inactive = all.filter((apiToken) => !isApiTokenValid(apiToken, at));
  const surplus = inactive.slice(0, Math.max(0, all.length - maxApiTokens));
  return { ...account, apiTokens: all.filter((each) => !surplus.includes(each)) };
};

/** Revokes a token of the account, or one of the fixtures. */
export const withRevocation = (account: Account, hash: SecretHash, at: Timestamp): Account =>
  account.apiTokens.some((apiToken) => apiToken.hash === hash)
    ? {
        ...account,
        apiTokens: account.apiTokens.map((each) => (each.hash === hash ? { ...each, revokedAt: at } : each)),
      }
    : { ...account, revokedTokens: replacing(account.revokedTokens, { hash, at }) };

export const withTokenUse = (account: Account, use: TokenTime): Account => ({
  ...account,
  tokenUses: replacing(account.tokenUses, use),
});

const replacing = (times: readonly TokenTime[], latest: TokenTime): readonly TokenTime[] => [
  ...times.filter(({ hash }) => hash !== latest.hash),
  latest,
];

/**
 * What every change does besides: removes the sessions that have expired, and forgets the uses of tokens that
 * are gone, also from the fixtures.
 */
export const tidied = (
  account: Account,
  isOfFixtures: (hash: SecretHash) => boolean,
  at: Timestamp,
): Account => ({
  ...account,
  sessions: account.sessions.filter((session) => isSessionValid(session, at)),
  tokenUses: account.tokenUses.filter(
    ({ hash }) => isOfFixtures(hash) || account.apiTokens.some((apiToken) => apiToken.hash === hash),
  ),
});

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

/** Holds the accounts. But for what is noted, `current` never has anything that has not been written. */
export type StateStore = Readonly<{
  current: () => AccountState;
  /**
   * Changes an account in memory; the next update writes it. For what may be lost without harm, as it is
   * while an update is being written.
   */
  note: (userId: string, change: (account: Account) => Account) => void;
  /** The users of the accounts with notes that have not been written. */
  noted: () => readonly string[];
  /** Changes the account of a user: one change after the other, each on what the one before has left. */
  update: <Err, A>(userId: string, change: Change<Err, A>) => TaskEither<StorageError | Err, A>;
}>;

/** Keeps an account; when it rejects, what was kept of the account before is still kept. */
type KeepAccount = (account: Account, state: AccountState) => Promise<void>;

/** A store of these accounts, with a queue for each: accounts do not wait for each other. */
export const stateStore = (kept: readonly Account[], keep: KeepAccount): StateStore => {
  const { state, put } = changingState(kept);
  const accountOf = (userId: string): Account => state.accounts.get(userId) ?? emptyAccount(userId);
  const noted = new Set<string>();
  /** The last task of each account that has one. */
  const last = new Map<string, Promise<unknown>>();
  const inTurn = <A>(userId: string, task: () => Promise<A>): Promise<A> => {
    const result = (last.get(userId) ?? Promise.resolve()).then(task);
    const settled = result
      .catch(() => {})
      .then(() => {
        if (last.get(userId) === settled) last.delete(userId);
      });
    last.set(userId, settled);
    return result;
  };

  return {
    current: () => state,
    note: (userId, change) => {
      put(change(accountOf(userId)));
      noted.add(userId);
    },
    noted: () => Array.from(noted),
    update: (userId, change) => () =>
      inTurn(userId, async () => {
        const before = accountOf(userId);
        const changed = change(before);
        if (E.isLeft(changed)) return changed;
        const [after, result] = changed.right;
        if (after === before) return E.right(result);
        assertValid(after, before);
        try {
          await keep(after, state);
        } catch (cause) {
          return E.left({ _tag: 'StorageUnavailable', cause });
        }
        put(after);
        noted.delete(userId);
        return E.right(result);
      }),
  };
};

/** A file with a record that its codec refuses could not be read again. Rows are looked at only once. */
const assertValid = (after: Account, before: Account): void => {
  const { signUp } = after;
  const areRowsKnown = signUp !== null && signUp.rows === before.signUp?.rows;
  if (!Account.is(areRowsKnown ? { ...after, signUp: { ...signUp, rows: noRows } } : after))
    throw new Error('a change of an account is not valid');
};

const noRows: SignedUp['rows'] = { repos: [], scans: [], fixDrafts: [], pullRequests: [] };

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
  let lastSignUp = 0;

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
      lastSignUp = Math.max(lastSignUp, signUp.number);
      if (replaced !== signUp.user.email) setOwners(signUp.user.email, (owners) => [...owners, userId]);
    }
  };
  for (const account of kept.toSorted(compareSignUps)) put(account);
  const lookUps: Omit<AccountState, 'lastSignUp'> = { accounts, signedUp, userIds, sessions, apiTokens };
  return { state: { ...lookUps, lastSignUp: () => lastSignUp }, put };
};
