import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { Log } from '../../common/log.js';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Identifier, Integer } from '../../contract/codecs/text-and-numbers.js';
import {
  ApiTokenProfile,
  type Caller,
  emailKey,
  type SecretHash,
  UserProfile,
  UserRecord,
} from '../../records/account-records.js';
import {
  type AccountStorage,
  maxActiveApiTokens,
  maxApiTokens,
  maxSessions,
  type PresentedCredentials,
  type Storage,
  type StorageError,
} from '../port.js';
import { type CitusAccess, citusReady, readOnWorker } from './citus.js';
import {
  type Asked,
  asProbe,
  type ConnectionForRows,
  hasCode,
  type Outcome,
  type Statement,
} from './database.js';
import { searchKey } from './queries.js';
import { findCaller, postgresReads, type Send } from './reads.js';
import { canServe } from './schema.js';
import {
  apiTokenColumns,
  call,
  decodeResult,
  fromColumns,
  repoOfDrafts,
  rowsOf,
  sessionColumns,
  storedTime,
  toColumnsOfRows,
  userColumns,
} from './stored-records.js';

type Databases = Readonly<{
  database: Asked;
  /** What is known of the workers of Citus; left out for a database that is not distributed. */
  citus?: CitusAccess;
}>;

/** Above `maxSignUps` signed-up tenants, a new one replaces the oldest. Null: there may be any number. */
type SignUpLimit = Readonly<{ maxSignUps: number | null }>;

/** A storage over a PostgreSQL database with the schema of `migrations/`. */
export const postgresStorage = (
  { database, citus }: Databases,
  log: Log,
  limit: SignUpLimit = { maxSignUps: null },
): Storage => {
  const send: Send = (credentials, known, query) => database.query(query.byCredentials(credentials, known));
  const ready: Storage['ready'] = async () => {
    const probe = asProbe(database);
    const single = () => canServe(probe);
    const found = await (citus === undefined
      ? single()
      : citus.choose(single, () => citusReady(probe, citus)));
    if (E.isRight(found) && found.right?._tag === 'ReadOnly') database.renew?.();
    return found;
  };
  return {
    ...postgresAccounts(database, citus?.connectionFor ?? (() => database), limit, log),
    ...postgresReads({
      send:
        citus === undefined
          ? send
          : (...query) =>
              citus.choose(
                () => send(...query),
                () => readOnWorker(citus)(...query),
              ),
      recordTokenUse: tokenUseRecorder(database, log),
    }),
    ready,
  };
};

/** Records token uses in the background. While one use of a token is being written, others are skipped. */
const tokenUseRecorder = (database: Asked, log: Log): ((credentials: PresentedCredentials) => void) => {
  const writing = new Set<SecretHash>();
  return ({ apiToken, at }) => {
    if (apiToken === null || writing.has(apiToken)) return;
    writing.add(apiToken);
    void call(database, t.unknown, 'record_token_use', apiToken, storedTime(at)).then((recorded) => {
      writing.delete(apiToken);
      if (E.isRight(recorded)) return;
      const error = recorded.left;
      const cause = String('cause' in error ? error.cause : error.where);
      log('debug', 'the use of an API token was not recorded', { cause });
    });
  };
};

/** Enough for a new account, and few enough that a request with them does not take long. */
const rowsAtOnce = 1000;

/** Whether a write failed because its user has been deleted. */
const isUserGone = (error: StorageError): boolean =>
  error._tag === 'StorageFailed' && hasCode(error.cause, '23503');

/** The ids of the tenants that a sign-up has replaced; null if the address is taken. */
const Replaced = nullable(listOf(Identifier));

const TokenRow = t.strict({ token: t.unknown }, 'list_api_tokens');

/** Nothing of accounts is kept, so every process sees a change at once. Each change is one transaction. */
const postgresAccounts = (
  database: Asked,
  connectionFor: ConnectionForRows,
  { maxSignUps }: SignUpLimit,
  log: Log,
): AccountStorage => {
  const execute = async (name: string, ...values: Statement['values']): Outcome<void> =>
    E.asUnit(await call(database, t.unknown, name, ...values));
  const deleteSomeRows = async (userId: string): Promise<void> => {
    const count = await call(connectionFor(userId), Integer, 'delete_rows_of_deleted', userId, rowsAtOnce);
    if (E.isRight(count) && count.right < rowsAtOnce) await execute('forget_tenant', userId);
  };
  return {
    caller: async (credentials) =>
      E.map(({ userId }: Caller) => ({ userId }))(await findCaller(database, credentials)),
    userByEmail: (email) => call(database, nullable(UserRecord), 'user_by_email', searchKey(emailKey(email))),
    user: ({ userId }) => call(database, nullable(UserProfile), 'user_profile', userId),

    signUp: async ({ user, session, rows }, ended) => {
      const replaced = await call(
        connectionFor(user.id),
        Replaced,
        'create_account',
        JSON.stringify({ ...userColumns(user), email_key: emailKey(user.email) }),
        JSON.stringify(sessionColumns(session)),
        toColumnsOfRows(rows, repoOfDrafts(rows)),
        ended,
        maxSignUps,
      );
      if (E.isLeft(replaced)) return replaced;
      if (replaced.right === null) return E.left({ _tag: 'EmailTaken' });
      for (const userId of replaced.right) log('info', 'the oldest signed-up tenant was removed', { userId });
      return E.right(undefined);
    },

    changePassword: ({ userId }, { from, to, session }) =>
      call(database, t.boolean, 'change_password', userId, from, to, JSON.stringify(sessionColumns(session))),

    deleteAccount: async ({ userId }) => {
      const isDeleted = await call(database, t.boolean, 'delete_account', userId);
      // The account is gone by now, whatever happens to this: housekeeping deletes the rest.
      if (E.isRight(isDeleted) && isDeleted.right) await deleteSomeRows(userId);
      return isDeleted;
    },

    startSession: async (session, ended) => {
      const started = await execute(
        'start_session',
        JSON.stringify(sessionColumns(session)),
        ended,
        maxSessions,
      );
      return E.isLeft(started) && isUserGone(started.left) ? E.right(undefined) : started;
    },
    endSession: (hash) => execute('end_session', hash),

    apiTokens: async ({ userId }) =>
      pipe(
        await rowsOf(database, TokenRow, 'SELECT token FROM triage.list_api_tokens($1) AS token', userId),
        E.map((found) => found.map(({ token }) => fromColumns(ApiTokenProfile, token))),
        E.flatMap(decodeResult(listOf(ApiTokenProfile), 'list_api_tokens')),
      ),
    addApiToken: async (apiToken) => {
      const isAdded = await call(
        database,
        t.boolean,
        'mint_api_token',
        JSON.stringify(apiTokenColumns(apiToken)),
        maxActiveApiTokens,
        maxApiTokens,
      );
      if (E.isRight(isAdded))
        return isAdded.right ? E.right(undefined) : E.left({ _tag: 'TooManyApiTokens' });
      return isUserGone(isAdded.left) ? E.left({ _tag: 'Unauthorized' }) : isAdded;
    },
    revokeApiToken: async ({ userId }, id, at) => {
      const values = [userId, searchKey(id), storedTime(at)];
      const isRevoked = await call(database, nullable(t.boolean), 'revoke_api_token', ...values);
      return E.map((found) => found === true)(isRevoked);
    },
  };
};
