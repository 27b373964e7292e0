import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { listOf } from '../../codecs/list.js';
import { nullable } from '../../codecs/nullable.js';
import { ApiTokenRecord } from '../../records/api-token.js';
import { emailKey, UserProfile, UserRecord } from '../../records/user.js';
import { maxActiveApiTokens, maxApiTokens, maxSessions } from '../limits.js';
import type { AccountStorage, EmailTaken, StorageError, TooManyApiTokens } from '../port.js';
import { answerOf } from './answer-of.js';
import type { Database, Statement } from './database.js';
import { keyOf } from './key-of.js';
import { askCaller } from './postgres-reading.js';

const isDone = t.boolean;

/**
 * Accounts, sessions and API tokens, on the primary alone: what one process has written, all others read. Each change is one
 * statement, and so one transaction.
 */
export const postgresAccounts = (primary: Database): AccountStorage => {
  const call = <A>(
    codec: t.Type<A, unknown>,
    name: string,
    ...values: Statement['values']
  ): TE.TaskEither<StorageError, A> =>
    pipe(
      primary.ask({
        text: `SELECT triage.${name}(${values.map((_, i) => `$${i + 1}`).join(', ')}) AS answer`,
        values,
      }),
      TE.flatMapEither(([row]) => answerOf(t.strict({ answer: codec }, name), name)(row)),
      TE.map(({ answer }) => answer),
    );

  const done = (name: string, ...values: Statement['values']): TE.TaskEither<StorageError, void> =>
    pipe(
      call(t.unknown, name, ...values),
      TE.map(() => undefined),
    );

  return {
    caller: (credentials) =>
      pipe(
        askCaller(primary, credentials),
        TE.map(({ userId }) => ({ userId })),
      ),
    userByEmail: (email) => call(nullable(UserRecord), 'user_by_email', keyOf(emailKey(email))),
    user: ({ userId }) => call(nullable(UserProfile), 'user_facts', userId),

    signUp: ({ user, session, rows }, ended) =>
      pipe(
        call(
          isDone,
          'sign_up',
          JSON.stringify(user),
          emailKey(user.email),
          JSON.stringify(session),
          JSON.stringify(rows),
          ended,
        ),
        TE.flatMap(
          (isFree): TE.TaskEither<StorageError | EmailTaken, void> =>
            isFree ? TE.right(undefined) : TE.left({ _tag: 'EmailTaken' }),
        ),
      ),

    startSession: (session, ended) => done('start_session', JSON.stringify(session), ended, maxSessions),
    endSession: (hash) => done('end_session', hash),

    apiTokens: ({ userId }) => call(listOf(ApiTokenRecord), 'list_api_tokens', userId),
    addApiToken: (apiToken) =>
      pipe(
        call(isDone, 'mint_api_token', JSON.stringify(apiToken), maxActiveApiTokens, maxApiTokens),
        TE.flatMap(
          (isMinted): TE.TaskEither<StorageError | TooManyApiTokens, void> =>
            isMinted ? TE.right(undefined) : TE.left({ _tag: 'TooManyApiTokens' }),
        ),
      ),
    revokeApiToken: ({ userId }, id, at) => call(isDone, 'revoke_api_token', userId, keyOf(id), at),
  };
};
