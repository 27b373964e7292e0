import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as T from '#fp-ts/Task';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../codecs/list.js';
import { nullable } from '../../codecs/nullable.js';
import { Integer } from '../../codecs/numbers.js';
import { Identifier } from '../../codecs/text.js';
import type { Log } from '../../common/log.js';
import { ApiTokenProfile } from '../../records/api-token.js';
import { emailKey, UserProfile, UserRecord } from '../../records/user.js';
import { maxActiveApiTokens, maxApiTokens, maxSessions } from '../limits.js';
import type {
  AccountStorage,
  EmailTaken,
  NewAccount,
  StorageError,
  TooManyApiTokens,
  Unauthorized,
} from '../port.js';
import type { Asked, Statement } from './database.js';
import { hasCode } from './database.js';
import { searchKey } from './queries.js';
import { findCaller } from './reads.js';
import {
  decodeResult,
  fromColumns,
  repoOfDrafts,
  storedTime,
  toColumns,
  toColumnsOfRows,
} from './stored-records.js';

/** Above this number of signed-up tenants, a new one replaces the oldest. Null: there may be any number. */
export type SignUpLimit = Readonly<{ maxSignUps: number | null }>;

/** What runs statements: a connection, or on Citus what finds one first. */
type Runner = Readonly<{ query: (statement: Statement) => TE.TaskEither<StorageError, readonly unknown[]> }>;

/** Runs statements about the rows of a tenant, which Citus has on a worker. */
export type ConnectionForRows = (tenant: string) => Runner;

type Dependencies = Readonly<{
  database: Asked;
  connectionFor: ConnectionForRows;
  limit: SignUpLimit;
  log: Log;
}>;

/** Calls a function of the schema, and decodes its result: a value, or a record whose keys are columns. */
export const call = <A>(
  database: Runner,
  codec: t.Type<A, unknown>,
  name: string,
  ...values: Statement['values']
): TE.TaskEither<StorageError, A> =>
  pipe(
    database.query({
      text: `SELECT to_json(triage.${name}(${values.map((_, i) => `$${i + 1}`).join(', ')})) AS result`,
      values,
    }),
    TE.flatMapEither(([row]) => decodeResult(t.strict({ result: t.unknown }, name), name)(row)),
    TE.flatMapEither(({ result }) => decodeResult(codec, name)(fromColumns(result))),
  );

/** The ids of the tenants that a sign-up has replaced; null if the address is taken. */
const Replaced = nullable(listOf(Identifier));

/** Creates an account with its rows. Returns the ids of the tenants that made room. */
const createAccount = (
  database: Runner,
  { user, session, rows }: NewAccount,
  ended: string | null,
  { maxSignUps }: SignUpLimit,
): TE.TaskEither<StorageError | EmailTaken, readonly string[]> =>
  pipe(
    call(
      database,
      Replaced,
      'create_account',
      JSON.stringify({ ...toColumns(user), email_key: emailKey(user.email) }),
      JSON.stringify(toColumns(session)),
      toColumnsOfRows(rows, repoOfDrafts(rows)),
      ended,
      maxSignUps,
    ),
    TE.flatMap(
      (replaced): TE.TaskEither<EmailTaken, readonly string[]> =>
        replaced === null ? TE.left({ _tag: 'EmailTaken' }) : TE.right(replaced),
    ),
  );

/** Enough for a new account, and few enough that a request with them does not take long. */
const rowsAtOnce = 1000;

/** Whether a write failed because its user has been deleted. */
const isUserGone = (error: StorageError): boolean =>
  error._tag === 'StorageFailed' && hasCode(error.cause, '23503');

/**
 * Accounts, sessions and API tokens. Nothing of them is kept, so every process sees a change at once. Each
 * change is one statement and therefore one transaction.
 */
export const postgresAccounts = ({ database, connectionFor, limit, log }: Dependencies): AccountStorage => {
  const execute = (name: string, ...values: Statement['values']): TE.TaskEither<StorageError, void> =>
    pipe(
      call(database, t.unknown, name, ...values),
      TE.map(() => undefined),
    );
  const deleteSomeRows = (userId: string): TE.TaskEither<StorageError, unknown> =>
    pipe(
      call(connectionFor(userId), Integer, 'delete_rows_of_deleted', userId, rowsAtOnce),
      TE.flatMap((count) =>
        count < rowsAtOnce ? call(database, t.unknown, 'forget_tenant', userId) : TE.right(undefined),
      ),
    );
  const logReplaced = (userId: string): void =>
    log('info', 'the oldest signed-up tenant was removed', { userId });
  return {
    caller: (credentials) =>
      pipe(
        findCaller(database, credentials),
        TE.map(({ userId }) => ({ userId })),
      ),
    userByEmail: (email) => call(database, nullable(UserRecord), 'user_by_email', searchKey(emailKey(email))),
    user: ({ userId }) => call(database, nullable(UserProfile), 'user_profile', userId),

    signUp: (account, ended) =>
      pipe(
        createAccount(connectionFor(account.user.id), account, ended, limit),
        TE.map((replaced): void => replaced.forEach(logReplaced)),
      ),

    changePassword: ({ userId }, { from, to, session }) =>
      call(database, t.boolean, 'change_password', userId, from, to, JSON.stringify(toColumns(session))),

    deleteAccount: ({ userId }) =>
      pipe(
        call(database, t.boolean, 'delete_account', userId),
        // The account is gone by now, whatever happens to this: housekeeping deletes the rest.
        TE.tapTask((isDeleted) => (isDeleted ? deleteSomeRows(userId) : T.of(undefined))),
      ),

    startSession: (session, ended) =>
      pipe(
        execute('start_session', JSON.stringify(toColumns(session)), ended, maxSessions),
        TE.orElse((error) => (isUserGone(error) ? TE.right(undefined) : TE.left(error))),
      ),
    endSession: (hash) => execute('end_session', hash),

    apiTokens: ({ userId }) =>
      pipe(
        database.query({ text: 'SELECT token FROM triage.list_api_tokens($1) AS token', values: [userId] }),
        TE.flatMapEither(decodeResult(listOf(t.strict({ token: t.unknown })), 'list_api_tokens')),
        TE.map((found) => found.map(({ token }) => fromColumns(token))),
        TE.flatMapEither(decodeResult(listOf(ApiTokenProfile), 'list_api_tokens')),
      ),
    addApiToken: (apiToken) =>
      pipe(
        call(
          database,
          t.boolean,
          'mint_api_token',
          JSON.stringify(toColumns(apiToken)),
          maxActiveApiTokens,
          maxApiTokens,
        ),
        TE.mapLeft((error) => (isUserGone(error) ? { _tag: 'Unauthorized' as const } : error)),
        TE.flatMap(
          (isAdded): TE.TaskEither<StorageError | TooManyApiTokens | Unauthorized, void> =>
            isAdded ? TE.right(undefined) : TE.left({ _tag: 'TooManyApiTokens' }),
        ),
      ),
    revokeApiToken: ({ userId }, id, at) =>
      pipe(
        call(database, nullable(t.boolean), 'revoke_api_token', userId, searchKey(id), storedTime(at)),
        TE.map((isRevoked) => isRevoked ?? false),
      ),
  };
};
