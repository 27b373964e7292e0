import * as E from '#fp-ts/Either';
import {
  type AccountReadOnly,
  type AccountStorage,
  maxActiveApiTokens,
  maxApiTokens,
  maxSessions,
} from '../../accounts/account-storage.js';
import {
  isApiTokenValid,
  isSessionValid,
  resolveCaller,
  shouldRecordUse,
} from '../../accounts/sessions-and-tokens.js';
import type { Clock } from '../../common/clock.js';
import { inTurn } from '../../common/concurrency.js';
import type { Log } from '../../common/log.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { ResolvedCaller, SecretHash } from '../../protocol/credentials.js';
import {
  type ApiTokenRecord,
  apiTokenProfile,
  emailKey,
  type SessionRecord,
  type UserProfile,
} from '../../records/account-records.js';
import type { PresentedCredentials, StorageError, Unauthorized } from '../port.js';
import type { TenantLookup } from './fixture-records.js';
import { type Account, type Change, emptyAccount, type StateStore, type TokenTime } from './state-store.js';

type Dependencies = Readonly<{
  stateStore: StateStore;
  fixtures: () => TenantLookup;
  clock: Clock;
  /** The clocks of tenants that have one of their own, by user id. */
  clocks: ReadonlyMap<string, Clock>;
  log: Log;
  maxSignUps: number;
}>;

const unauthorized: Unauthorized = { _tag: 'Unauthorized' };
/** As many accounts make room for a sign-up in PostgreSQL. */
const maxRemovedAtOnce = 10;

const readOnly: AccountReadOnly = { _tag: 'AccountReadOnly' };

/** The accounts of the fixtures together with those of the account state. */
export const fixtureAccounts = (dependencies: Dependencies) => {
  const { stateStore, fixtures, clock, clocks, log, maxSignUps } = dependencies;
  const state = stateStore.current();
  const accountOf = (userId: string): Account => state.accounts.get(userId) ?? emptyAccount(userId);
  const userOf = (userId: string): UserProfile | undefined =>
    fixtures().tenants.get(userId)?.user ?? state.signedUp.get(userId)?.user;
  /** The user with an address. Of a fixture and an account that signed up, it is the fixture. */
  const userIdOf = (email: string): string | undefined => {
    const key = emailKey(email);
    return fixtures().userIds.get(key) ?? state.userIds.get(key)?.[0];
  };

  /** Null if the user is gone: a session in the state can outlive its user in the fixtures. */
  const ofExistingUser = <A extends Readonly<{ userId: string }>>(record: A | undefined): A | null =>
    record !== undefined && userOf(record.userId) !== undefined ? record : null;
  const session = (hash: SecretHash): SessionRecord | null => {
    const ofFixtures = fixtures().sessions.get(hash);
    const isEnded = ofFixtures !== undefined && accountOf(ofFixtures.userId).endedSessions.includes(hash);
    return ofExistingUser(state.sessions.get(hash) ?? (isEnded ? undefined : ofFixtures));
  };

  const withTimes = (apiToken: ApiTokenRecord): ApiTokenRecord => {
    const { userId, hash } = apiToken;
    const { revokedTokens, tokenUses } = accountOf(userId);
    return {
      ...apiToken,
      revokedAt: earlier(apiToken.revokedAt, timeOf(revokedTokens, hash)),
      lastUsedAt: timeOf(tokenUses, hash),
    };
  };
  const token = (hash: SecretHash): ApiTokenRecord | null => {
    const found = ofExistingUser(state.apiTokens.get(hash) ?? fixtures().apiTokens.get(hash));
    return found === null ? null : withTimes(found);
  };
  /** Newest first; of tokens that were created at the same moment, the one that was added last. */
  const tokensOf = (userId: string): readonly ApiTokenRecord[] =>
    [...(fixtures().tenants.get(userId)?.apiTokens ?? []), ...accountOf(userId).apiTokens]
      .map(withTimes)
      .reverse()
      .sort((l, r) => millisecondsOf(r.createdAt) - millisecondsOf(l.createdAt));

  /**
   * Changes an account. A change also removes the sessions that have expired, and forgets the uses of tokens
   * that are gone, also from the fixtures. What changes nothing is not written.
   */
  const update = <Err, A>(
    userId: string,
    change: (account: Account, now: Timestamp) => ReturnType<Change<Err, A>>,
  ): Promise<E.Either<StorageError | Err, A>> =>
    stateStore.update(userId, (account) => {
      const now = timestampAt((clocks.get(userId) ?? clock)());
      const changed = change(account, now);
      if (E.isLeft(changed) || changed.right[0] === account) return changed;
      const [{ sessions, tokenUses, ...after }, result] = changed.right;
      const isKnown = ({ hash }: TokenTime): boolean =>
        fixtures().apiTokens.has(hash) || after.apiTokens.some((apiToken) => apiToken.hash === hash);
      const valid = sessions.filter((each) => isSessionValid(each, now));
      return E.right([{ ...after, sessions: valid, tokenUses: tokenUses.filter(isKnown) }, result]);
    });
  /** Changes an account that signed up. */
  const updateOwn = <A>(userId: string, change: (account: Account) => readonly [Account, A]) =>
    update(userId, (account) =>
      fixtures().tenants.has(userId) ? E.left(readOnly) : E.right(change(account)),
    );

  const ownerOf = (hash: SecretHash): string | undefined =>
    state.sessions.get(hash)?.userId ?? fixtures().sessions.get(hash)?.userId;
  /** A session in the fixtures cannot be removed, so it is marked as ended. */
  const without = (account: Account, ended: SecretHash | null): Account => {
    const sessions = account.sessions.filter(({ hash }) => hash !== ended);
    if (sessions.length < account.sessions.length) return { ...account, sessions };
    const { userId, endedSessions } = account;
    if (ended === null || endedSessions.includes(ended)) return account;
    const isOfFixtures = fixtures().sessions.get(ended)?.userId === userId;
    return isOfFixtures ? { ...account, endedSessions: [...endedSessions, ended] } : account;
  };
  const endSession = async (ended: SecretHash): Promise<E.Either<StorageError, void>> => {
    const owner = ownerOf(ended);
    if (owner === undefined) return E.right(undefined);
    return update(owner, (account) => E.right([without(account, ended), undefined]));
  };
  /** Removes the oldest tenants above the limit, ten at most: a lowered limit is reached in steps. */
  const makeRoom = async (): Promise<void> => {
    const surplus = Math.min(state.signedUp.size - maxSignUps, maxRemovedAtOnce);
    for (const userId of Array.from(state.signedUp.keys()).slice(0, Math.max(0, surplus))) {
      const removed = await update(userId, () => E.right([emptyAccount(userId), undefined]));
      if (E.isLeft(removed))
        return log('warn', 'the oldest signed-up tenant could not be removed', {
          userId,
          cause: 'cause' in removed.left ? String(removed.left.cause) : removed.left._tag,
        });
      log('warn', 'the oldest signed-up tenant was removed', { userId, maxSignUps });
    }
  };
  const signUpsInTurn = inTurn();

  /** A moment by the clock of whom something belongs to. */
  const momentOf = ({ userId }: Readonly<{ userId: string }>, at: Timestamp): Timestamp => {
    const own = clocks.get(userId);
    return own === undefined ? at : timestampAt(millisecondsOf(at) + own() - clock());
  };

  /** What `caller` answers, at once; null: unauthorized. */
  const callerOf = ({ session: ofSession, apiToken, at }: PresentedCredentials): ResolvedCaller | null => {
    const [started, minted] = [ofSession && session(ofSession), apiToken && token(apiToken)];
    if (clocks.size === 0) return resolveCaller(started, minted, at);
    const byToken = minted && resolveCaller(null, minted, momentOf(minted, at));
    return byToken ?? (started && resolveCaller(started, null, momentOf(started, at)));
  };

  /** Which of the credentials has ended by the clock of its user, in words; null: none has. */
  const expiredOf = ({ session: ofSession, apiToken, at }: PresentedCredentials): string | null => {
    const known = { session: ofSession && session(ofSession), 'API token': apiToken && token(apiToken) };
    for (const [kind, found] of Object.entries(known)) {
      const [expiresAt, now] = found === null ? [null, at] : [found.expiresAt, momentOf(found, at)];
      if (expiresAt !== null && expiresAt <= now)
        return `the ${kind} ended on ${expiresAt}; the clock of this server says ${now}`;
    }
    return null;
  };

  const accounts: AccountStorage = {
    caller: async (credentials) => E.fromNullable(unauthorized)(callerOf(credentials)),

    userByEmail: async (email) => {
      const userId = userIdOf(email);
      if (userId === undefined) return E.right(null);
      const tenant = fixtures().tenants.get(userId);
      if (tenant === undefined) return E.right(state.signedUp.get(userId)?.user ?? null);
      return E.right({ ...tenant.user, passwordHash: tenant.passwordHash });
    },

    user: async ({ userId }) => E.right(userOf(userId) ?? null),

    // One after the other, so that no two take the same address, and that their numbers are in order.
    signUp: ({ user, session: started, rows, asOf }, ended) =>
      signUpsInTurn(async () => {
        if (userIdOf(user.email) !== undefined) return E.left({ _tag: 'EmailTaken' });
        const others = ended === null ? E.right(undefined) : await endSession(ended);
        if (E.isLeft(others)) return others;
        const signUp = { number: state.lastSignUp() + 1, user, asOf, rows };
        const signedUp = await update(user.id, (account) =>
          E.right([{ ...account, signUp, sessions: [started] }, undefined]),
        );
        if (E.isRight(signedUp)) await makeRoom();
        return signedUp;
      }),

    changePassword: ({ userId }, { from, to, session: started }) =>
      updateOwn(userId, (account) => {
        const { signUp } = account;
        if (signUp?.user.passwordHash !== from) return [account, false];
        const user = { ...signUp.user, passwordHash: to };
        return [{ ...account, signUp: { ...signUp, user }, sessions: [started] }, true];
      }),

    deleteAccount: ({ userId }) =>
      updateOwn(userId, (account) =>
        account.signUp === null ? [account, false] : [emptyAccount(userId), true],
      ),

    startSession: async (started, ended) => {
      const { userId } = started;
      if (userOf(userId) === undefined) return E.right(undefined);
      if (ended !== null && ownerOf(ended) !== userId) {
        const others = await endSession(ended);
        if (E.isLeft(others)) return others;
      }
      return update(userId, (account, now) => {
        if (userOf(userId) === undefined) return E.right([account, undefined]);
        const { sessions, ...rest } = without(account, ended);
        return E.right([{ ...rest, sessions: withSession(sessions, started, now) }, undefined]);
      });
    },
    endSession,

    apiTokens: async ({ userId }) => E.right(tokensOf(userId).map(apiTokenProfile)),

    addApiToken: (added) =>
      update(added.userId, (account, now) => {
        if (userOf(added.userId) === undefined) return E.left(unauthorized);
        const isActive = (each: ApiTokenRecord): boolean => isApiTokenValid(each, now);
        if (tokensOf(added.userId).filter(isActive).length >= maxActiveApiTokens)
          return E.left({ _tag: 'TooManyApiTokens' });
        const all = [...account.apiTokens, added];
        const inactive = all.filter((each) => !isActive(each));
        const surplus = inactive.slice(0, Math.max(0, all.length - maxApiTokens));
        return E.right([{ ...account, apiTokens: all.filter((each) => !surplus.includes(each)) }, undefined]);
      }),

    revokeApiToken: ({ userId }, id, at) =>
      update(userId, (account) => {
        const found = tokensOf(userId).find((each) => each.id === id);
        if (found === undefined) return E.right([account, false]);
        const { hash, revokedAt } = found;
        if (revokedAt !== null && revokedAt <= at) return E.right([account, true]);
        const { apiTokens, revokedTokens } = account;
        const after = apiTokens.some((each) => each.hash === hash)
          ? { apiTokens: apiTokens.map((each) => (each.hash === hash ? { ...each, revokedAt: at } : each)) }
          : { revokedTokens: replacing(revokedTokens, { hash, at }) };
        return E.right([{ ...account, ...after }, true]);
      }),
  };

  /** Records the use of a valid token, in memory. */
  const recordTokenUse = ({ apiToken, at: presented }: PresentedCredentials): void => {
    const used = apiToken && token(apiToken);
    if (!used) return;
    const { hash, userId } = used;
    const at = momentOf(used, presented);
    if (isApiTokenValid(used, at) && shouldRecordUse(used, at))
      stateStore.note(userId, ({ tokenUses, ...account }) => {
        return { ...account, tokenUses: replacing(tokenUses, { hash, at }) };
      });
  };
  /** Writes recorded uses to the state store. */
  const saveTokenUses = async (): Promise<E.Either<StorageError, void>> => {
    const saving = stateStore
      .noted()
      .map((userId) => update(userId, (account) => E.right([{ ...account }, undefined])));
    return (await Promise.all(saving)).find(E.isLeft) ?? E.right(undefined);
  };

  const logged = new Set<string>();
  /** Says which addresses of accounts that signed up are also in the fixtures, each of them once. */
  const logTakenAddresses = (): void => {
    const event = 'a fixture has the address of an account that signed up; logins with it go to the fixture';
    for (const [key, userIds] of state.userIds) {
      const fixture = fixtures().userIds.get(key);
      for (const userId of userIds) {
        if (fixture === undefined || logged.has(`${fixture} ${userId}`)) continue;
        logged.add(`${fixture} ${userId}`);
        log('warn', event, { fixture, userId });
      }
    }
  };
  return { accounts, callerOf, expiredOf, recordTokenUse, saveTokenUses, logTakenAddresses };
};

/** The sessions of a user with one more, without those that have expired or have to make room. */
const withSession = (sessions: readonly SessionRecord[], added: SessionRecord, at: Timestamp) => {
  const valid = sessions.filter((each) => isSessionValid(each, at));
  const counts = new Map<string | null, number>();
  for (const { origin } of [...valid, added]) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  // The origin with most sessions loses one, so that nobody ends those of others by logging in often.
  const countOf = ({ origin }: SessionRecord): number => counts.get(origin) ?? 0;
  const inOrderOfRemoval = valid.toSorted((l, r) => countOf(r) - countOf(l));
  const surplus = inOrderOfRemoval.slice(0, Math.max(0, valid.length + 1 - maxSessions));
  return [...valid.filter((each) => !surplus.includes(each)), added];
};

const replacing = (times: readonly TokenTime[], latest: TokenTime): readonly TokenTime[] => [
  ...times.filter(({ hash }) => hash !== latest.hash),
  latest,
];

const timeOf = (times: readonly TokenTime[], hash: SecretHash): Timestamp | null =>
  times.find((each) => each.hash === hash)?.at ?? null;

const earlier = (left: Timestamp | null, right: Timestamp | null): Timestamp | null => {
  if (left === null || right === null) return left ?? right;
  return left < right ? left : right;
};
