import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { isApiTokenValid, resolveCaller, shouldRecordUse } from '../../accounts/sessions-and-tokens.js';
import type { Clock } from '../../common/clock.js';
import { inTurn } from '../../common/concurrency.js';
import type { Log } from '../../common/log.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import {
  type ApiTokenRecord,
  apiTokenProfile,
  type Caller,
  emailKey,
  type SecretHash,
  type SessionRecord,
  type UserRecord,
} from '../../records/account-records.js';
import type {
  AccountStorage,
  EmailTaken,
  PresentedCredentials,
  StorageError,
  Unauthorized,
} from '../port.js';
import type { TenantLookup } from './fixture-records.js';
import {
  type Account,
  type Change,
  emptyAccount,
  hasMaxApiTokens,
  type StateStore,
  type TokenTime,
  tidied,
  withApiToken,
  withoutSession,
  withPassword,
  withRevocation,
  withSession,
  withSignUp,
  withTokenUse,
} from './state-store.js';

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
const emailTaken: EmailTaken = { _tag: 'EmailTaken' };

/** The accounts of the fixtures together with those of the account state. */
export const fixtureAccounts = (dependencies: Dependencies) => {
  const { stateStore, fixtures, clock, clocks, log, maxSignUps } = dependencies;
  const state = stateStore.current();
  const accountOf = (userId: string): Account => state.accounts.get(userId) ?? emptyAccount(userId);
  const hasUser = (userId: string): boolean => fixtures().tenants.has(userId) || state.signedUp.has(userId);
  /** The user with an address. Of a fixture and an account that signed up, it is the fixture. */
  const userIdOf = (email: string): string | undefined => {
    const key = emailKey(email);
    return fixtures().userIds.get(key) ?? state.userIds.get(key)?.[0];
  };

  /** Null if the user is gone: a session in the state can outlive its user in the fixtures. */
  const ofExistingUser = <A extends Readonly<{ userId: string }>>(record: A | undefined): A | null =>
    record !== undefined && hasUser(record.userId) ? record : null;
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

  /** Changes an account, and does what `tidied` says. What changes nothing is not written. */
  const update = <Err, A>(
    userId: string,
    change: (account: Account, now: Timestamp) => ReturnType<Change<Err, A>>,
  ): TE.TaskEither<StorageError | Err, A> =>
    stateStore.update(userId, (account) => {
      const now = timestampAt((clocks.get(userId) ?? clock)());
      const changed = change(account, now);
      if (E.isLeft(changed) || changed.right[0] === account) return changed;
      const [after, result] = changed.right;
      return E.right([tidied(after, (hash) => fixtures().apiTokens.has(hash), now), result]);
    });

  const ownerOf = (hash: SecretHash): string | undefined =>
    state.sessions.get(hash)?.userId ?? fixtures().sessions.get(hash)?.userId;
  const without = (account: Account, ended: SecretHash): Account =>
    withoutSession(account, ended, fixtures().sessions.get(ended)?.userId === account.userId);
  const endSession =
    (hash: SecretHash): TE.TaskEither<StorageError, void> =>
    async () => {
      const owner = ownerOf(hash);
      if (owner === undefined) return E.right(undefined);
      return update(owner, (account) => E.right([without(account, hash), undefined]))();
    };
  /** Removes the oldest tenants above the limit. */
  const makeRoom = async (): Promise<void> => {
    for (const userId of state.signedUp.keys()) {
      if (state.signedUp.size <= maxSignUps) return;
      const removed = await update(userId, () => E.right([emptyAccount(userId), undefined]))();
      if (E.isLeft(removed))
        return log('warn', 'the oldest signed-up tenant could not be removed', {
          userId,
          cause: 'cause' in removed.left ? String(removed.left.cause) : removed.left._tag,
        });
      log('info', 'the oldest signed-up tenant was removed', { userId });
    }
  };
  const signUpsInTurn = inTurn();

  /** A moment by the clock of whom something belongs to. */
  const momentOf = ({ userId }: Readonly<{ userId: string }>, at: Timestamp): Timestamp => {
    const own = clocks.get(userId);
    return own === undefined ? at : timestampAt(millisecondsOf(at) + own() - clock());
  };

  /** What `caller` answers, at once; null: unauthorized. */
  const callerOf = ({ session: ofSession, apiToken, at }: PresentedCredentials): Caller | null => {
    const [started, minted] = [ofSession && session(ofSession), apiToken && token(apiToken)];
    if (clocks.size === 0) return resolveCaller(started, minted, at);
    const byToken = minted && resolveCaller(null, minted, momentOf(minted, at));
    return byToken ?? (started && resolveCaller(started, null, momentOf(started, at)));
  };

  const accounts: AccountStorage = {
    caller: (credentials) => TE.fromNullable(unauthorized)(callerOf(credentials)),

    userByEmail: (email) => {
      const userId = userIdOf(email);
      if (userId === undefined) return TE.right(null);
      const tenant = fixtures().tenants.get(userId);
      if (tenant === undefined) return TE.right(state.signedUp.get(userId)?.user ?? null);
      return pipe(
        TE.tryCatch(tenant.passwordHash, (cause): StorageError => ({ _tag: 'StorageUnavailable', cause })),
        TE.map((passwordHash): UserRecord => ({ ...tenant.user, passwordHash })),
      );
    },

    user: ({ userId }) =>
      TE.right(fixtures().tenants.get(userId)?.user ?? state.signedUp.get(userId)?.user ?? null),

    // One after the other, so that no two take the same address, and that their numbers are in order.
    signUp: (account, ended) => () =>
      signUpsInTurn(async () => {
        const { user } = account;
        if (userIdOf(user.email) !== undefined) return E.left(emailTaken);
        const others = ended === null ? E.right(undefined) : await endSession(ended)();
        if (E.isLeft(others)) return others;
        const signedUp = await update(user.id, (before) =>
          E.right([withSignUp(before, account, state.lastSignUp() + 1), undefined]),
        )();
        if (E.isRight(signedUp)) await makeRoom();
        return signedUp;
      }),

    changePassword: ({ userId }, { from, to, session: started }) =>
      update(userId, (account) => {
        if (fixtures().tenants.has(userId)) return E.left({ _tag: 'AccountReadOnly' });
        return account.signUp?.user.passwordHash === from
          ? E.right([withPassword(account, to, started), true])
          : E.right([account, false]);
      }),

    deleteAccount: ({ userId }) =>
      update(userId, (account) => {
        if (fixtures().tenants.has(userId)) return E.left({ _tag: 'AccountReadOnly' });
        return E.right(account.signUp === null ? [account, false] : [emptyAccount(userId), true]);
      }),

    startSession: (started, ended) => async () => {
      const { userId } = started;
      if (!hasUser(userId)) return E.right(undefined);
      if (ended !== null && ownerOf(ended) !== userId) {
        const others = await endSession(ended)();
        if (E.isLeft(others)) return others;
      }
      return update(userId, (account, now) => {
        if (!hasUser(userId)) return E.right([account, undefined]);
        return E.right([
          withSession(ended === null ? account : without(account, ended), started, now),
          undefined,
        ]);
      })();
    },
    endSession,

    apiTokens: ({ userId }) => TE.right(tokensOf(userId).map(apiTokenProfile)),

    addApiToken: (added) =>
      update(added.userId, (account, now) => {
        if (!hasUser(added.userId)) return E.left(unauthorized);
        if (hasMaxApiTokens(tokensOf(added.userId), now)) return E.left({ _tag: 'TooManyApiTokens' });
        return E.right([withApiToken(account, added, now), undefined]);
      }),

    revokeApiToken: ({ userId }, id, at) =>
      update(userId, (account) => {
        const found = tokensOf(userId).find((each) => each.id === id);
        if (found === undefined) return E.right([account, false]);
        const isRevoked = found.revokedAt !== null && found.revokedAt <= at;
        return E.right([isRevoked ? account : withRevocation(account, found.hash, at), true]);
      }),
  };

  /** Records the use of a valid token, in memory. */
  const recordTokenUse = ({ apiToken, at: presented }: PresentedCredentials): void => {
    const used = apiToken && token(apiToken);
    if (!used) return;
    const at = momentOf(used, presented);
    if (isApiTokenValid(used, at) && shouldRecordUse(used, at))
      stateStore.note(used.userId, (account) => withTokenUse(account, { hash: used.hash, at }));
  };
  /** Writes recorded uses to the state store. */
  const saveTokenUses: TE.TaskEither<StorageError, void> = async () => {
    const saving = stateStore
      .noted()
      .map((userId) => update(userId, (account) => E.right([{ ...account }, undefined]))());
    return (await Promise.all(saving)).find(E.isLeft) ?? E.right(undefined);
  };

  const logged = new Set<string>();
  /** Says which addresses of accounts that signed up are also in the fixtures, each of them once. */
  const logTakenAddresses = (): void => {
    for (const [key, userIds] of state.userIds) {
      const fixture = fixtures().userIds.get(key);
      for (const userId of userIds) {
        if (fixture === undefined || logged.has(`${fixture} ${userId}`)) continue;
        logged.add(`${fixture} ${userId}`);
        const event =
          'a fixture has the address of an account that signed up; logins with it go to the fixture';
        log('warn', event, { fixture, userId });
      }
    }
  };
  return { accounts, callerOf, recordTokenUse, saveTokenUses, logTakenAddresses };
};

const timeOf = (times: readonly TokenTime[], hash: SecretHash): Timestamp | null =>
  times.find((each) => each.hash === hash)?.at ?? null;

const earlier = (left: Timestamp | null, right: Timestamp | null): Timestamp | null => {
  if (left === null || right === null) return left ?? right;
  return left < right ? left : right;
};
