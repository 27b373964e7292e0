import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as T from '#fp-ts/Task';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../codecs/list.js';
import { nullable } from '../../codecs/nullable.js';
import { Identifier } from '../../codecs/text.js';
import type { Log } from '../../common/log.js';
import { ApiTokenProfile } from '../../records/api-token.js';
import { emailKey, UserProfile, UserRecord } from '../../records/user.js';
import { maxActiveApiTokens, maxApiTokens, maxSessions } from '../limits.js';
import type { AccountStorage, EmailTaken, StorageError, TooManyApiTokens, Unauthorized } from '../port.js';
import type { CitusAccess } from './citus/citus-access.js';
import { type AccountsWithRows, citusAccounts } from './citus/citus-accounts.js';
import type { Database, Statement } from './database.js';
import { hasCode } from './database-error.js';
import { decodeResult } from './decode-result.js';
import { findCaller } from './postgres-triage-storage.js';
import { searchKey } from './queries.js';

/** Above this number of signed-up tenants, a new one replaces the oldest. Null: there may be any number. */
export type SignUpLimit = Readonly<{ maxSignUps: number | null }>;

type Dependencies = SignUpLimit &
  Readonly<{
    database: Database;
    log: Log;
    /** What is known of the engine; left out for a database that is not distributed. */
    citus?: CitusAccess | undefined;
  }>;

/** Enough for a new account, and few enough that a request with them does not take long. */
const rowsAtOnce = 1000;

/** Whether a write failed because its user has been deleted. */
const isUserGone = (error: StorageError): boolean =>
  error._tag === 'StorageFailed' && hasCode(error.cause, '23503');

/** The ids of the tenants that a sign-up has replaced; null if the address is taken. */
const Replaced = nullable(listOf(Identifier));

/**
 * Accounts, sessions and API tokens. Nothing of them is kept, so every process sees a change at once.
 * Each change is one statement and therefore one transaction.
 */
export const postgresAccountStorage = ({
  database,
  log,
  maxSignUps,
  citus,
}: Dependencies): AccountStorage => {
  const call = <A>(
    codec: t.Type<A, unknown>,
    name: string,
    ...values: Statement['values']
  ): TE.TaskEither<StorageError, A> =>
    pipe(
      database.query({
        text: `SELECT triage.${name}(${values.map((_, i) => `$${i + 1}`).join(', ')}) AS result`,
        values,
      }),
      TE.flatMapEither(([row]) => decodeResult(t.strict({ result: codec }, name), name)(row)),
      TE.map(({ result }) => result),
    );

  const execute = (name: string, ...values: Statement['values']): TE.TaskEither<StorageError, void> =>
    pipe(
      call(t.unknown, name, ...values),
      TE.map(() => undefined),
    );

  const logRemoved = (userId: string): void =>
    log('info', 'the oldest signed-up tenant was removed', { userId });
  const createAccount: AccountsWithRows['signUp'] = ({ user, session, rows }, ended) =>
    pipe(
      call(
        Replaced,
        'create_account',
        JSON.stringify(user),
        emailKey(user.email),
        JSON.stringify(session),
        JSON.stringify(rows),
        ended,
        maxSignUps,
      ),
      TE.flatMap(
        (replaced): TE.TaskEither<EmailTaken, readonly string[]> =>
          replaced === null ? TE.left({ _tag: 'EmailTaken' }) : TE.right(replaced),
      ),
    );
  const deleteAccount: AccountStorage['deleteAccount'] = ({ userId }) =>
    pipe(
      call(t.boolean, 'delete_account', userId),
      // The account is gone by now, whatever happens to this: housekeeping deletes the rest.
      TE.tapTask((isDeleted) =>
        isDeleted ? execute('delete_rows_of_account', userId, rowsAtOnce) : T.of(undefined),
      ),
    );
  const onOneServer: AccountsWithRows = { signUp: createAccount, deleteAccount };
  const accounts =
    citus === undefined
      ? onOneServer
      : accountsByEngine(citus, onOneServer, citusAccounts({ citus, maxSignUps }));

  return {
    caller: (credentials) =>
      pipe(
        findCaller(database, credentials),
        TE.map(({ userId }) => ({ userId })),
      ),
    userByEmail: (email) => call(nullable(UserRecord), 'user_by_email', searchKey(emailKey(email))),
    user: ({ userId }) => call(nullable(UserProfile), 'user_facts', userId),

    signUp: (account, ended) =>
      pipe(
        accounts.signUp(account, ended),
        TE.map((replaced): void => replaced.forEach(logRemoved)),
      ),

    changePassword: ({ userId }, { from, to, session }) =>
      call(t.boolean, 'change_password', userId, from, to, JSON.stringify(session)),
    deleteAccount: accounts.deleteAccount,

    startSession: (session, ended) =>
      pipe(
        execute('start_session', JSON.stringify(session), ended, maxSessions),
        TE.orElse((error) => (isUserGone(error) ? TE.right(undefined) : TE.left(error))),
      ),
    endSession: (hash) => execute('end_session', hash),

    apiTokens: ({ userId }) => call(listOf(ApiTokenProfile), 'list_api_tokens', userId),
    addApiToken: (apiToken) =>
      pipe(
        call(t.boolean, 'mint_api_token', JSON.stringify(apiToken), maxActiveApiTokens, maxApiTokens),
        TE.mapLeft((error) => (isUserGone(error) ? { _tag: 'Unauthorized' as const } : error)),
        TE.flatMap(
          (isAdded): TE.TaskEither<StorageError | TooManyApiTokens | Unauthorized, void> =>
            isAdded ? TE.right(undefined) : TE.left({ _tag: 'TooManyApiTokens' }),
        ),
      ),
    revokeApiToken: ({ userId }, id, at) => call(t.boolean, 'revoke_api_token', userId, searchKey(id), at),
  };
};

/** Creates and deletes accounts in the way that the engine of the database takes. */
const accountsByEngine = (
  { byEngine }: CitusAccess,
  onOneServer: AccountsWithRows,
  onCitus: AccountsWithRows,
): AccountsWithRows => ({
  signUp: (account, ended) =>
    byEngine(
      () => onOneServer.signUp(account, ended),
      () => onCitus.signUp(account, ended),
    ),
  deleteAccount: (caller) =>
    byEngine(
      () => onOneServer.deleteAccount(caller),
      () => onCitus.deleteAccount(caller),
    ),
});
