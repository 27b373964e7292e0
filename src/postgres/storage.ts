import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { ApiTokenProfile, emailKey, UserProfile, UserRecord } from '../accounts/account-records.js';
import {
  type AccountStorage,
  maxActiveApiTokens,
  maxApiTokens,
  maxSessions,
  type Storage,
} from '../accounts/account-storage.js';
import type { ResolvedCaller, SecretHash } from '../api/credentials.js';
import type {
  PresentedCredentials,
  ReadResult,
  StorageError,
  TriageStorage,
  Unauthorized,
  Version,
} from '../api/storage-port.js';
import type { Log } from '../common/log.js';
import { nextTurn } from '../common/timers.js';
import { listOf, nullable } from '../contract/codecs/combinators.js';
import { problemsOf } from '../contract/codecs/problem.js';
import { Identifier, Integer } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { type CitusAccess, citusReady, readOnWorker } from './citus.js';
import {
  type ConnectionForRows,
  type Database,
  hasCode,
  having,
  type Outcome,
  type Statement,
} from './database.js';
import {
  callerStatement,
  findingQuery,
  findingsQuery,
  prsQuery,
  reposQuery,
  searchKey,
  type TenantQuery,
} from './queries.js';
import { canServe, functionsOfServers, nobody, readsOfServers } from './readiness.js';
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

/** Sends a query of a group of statements, and returns undecoded rows. */
export type Send = (
  credentials: PresentedCredentials,
  knownVersion: Version | undefined,
  query: TenantQuery<unknown>,
  group: string,
) => Promise<E.Either<StorageError | Unauthorized, readonly unknown[]>>;

/** Above `maxSignUps` signed-up tenants, a new one replaces the oldest. Null: there may be any number. */
type SignUpLimit = Readonly<{ maxSignUps: number | null }>;

/** A storage over a PostgreSQL database with the schema of `migrations/`; `citus` knows of its workers. */
export const postgresStorage = (
  { database, citus }: Readonly<{ database: Database; citus?: CitusAccess }>,
  log: Log,
  limit: SignUpLimit = { maxSignUps: null },
): Storage => {
  const send: Send = (credentials, knownVersion, query, group) =>
    database.query({ ...query.byCredentials(credentials, knownVersion), group });
  const tenants = rememberTenants();
  const sendToWorker: Send = (...query) =>
    citus === undefined
      ? send(...query)
      : citus.choose(
          () => send(...query),
          () => readOnWorker(citus)(...query),
        );
  const probe = having({ group: null }, database);
  const reads = readsOfServers.map((read) => read.byCredentials(nobody));
  const single = () => canServe(probe, functionsOfServers.single, reads);
  return {
    ...postgresAccounts(database, citus?.connectionFor ?? (() => database), limit, log, tenants),
    ...postgresReads(sendToWorker, tenants, tokenUseRecorder(database, log)),
    ready: async () => {
      const state = await (citus?.choose(single, () => citusReady(probe, citus)) ?? single());
      if (E.isRight(state) && state.right?._tag === 'ReadOnly') database.renew?.();
      return state;
    },
  };
};

/** How many credentials are remembered with their tenants. */
const maxCredentials = 10_000;

/**
 * Whose statements count together: those of the tenant that credentials named last or, until it is known, of
 * the same credentials.
 */
const rememberTenants = () => {
  const tenants = new Map<string, string>();
  const keyOf = ({ session, apiToken }: PresentedCredentials): string => `${session} ${apiToken}`;
  return {
    groupOf: (credentials: PresentedCredentials): string => {
      const key = keyOf(credentials);
      return tenants.get(key) ?? key;
    },
    remember: (credentials: PresentedCredentials, userId: string): void => {
      if (tenants.size >= maxCredentials) tenants.clear();
      tenants.set(keyOf(credentials), userId);
    },
  };
};

type KnownTenants = ReturnType<typeof rememberTenants>;

/** Some rows of a list, and how many the whole list has. */
type Result<Row> = Readonly<{ rows: readonly Row[]; total: number }>;

/** A `bigint` of the database, which the driver passes as text, that a number can hold exactly. */
const Digits = t.refinement(t.string, (text) => Number.isSafeInteger(Number(text)), 'integer');

/** `rows` is JSON text; null: there are none, or they are those of the version that was named. */
const Parts = listOf(
  t.strict(
    { userId: Identifier, useDue: t.boolean, total: Digits, version: t.string, rows: nullable(t.string) },
    'result',
  ),
);

/** The reads of the API. `recordUse` is called for a token whose use must be recorded. */
const postgresReads = (
  send: Send,
  tenants: KnownTenants,
  recordUse: (credentials: PresentedCredentials) => void,
): TriageStorage => {
  const read = async <Row, Rows>(
    credentials: PresentedCredentials,
    knownVersion: Version | undefined,
    query: TenantQuery<Row>,
    rowsFrom: (result: Result<Row>) => Rows,
  ): ReadResult<Rows> => {
    const result = await send(credentials, knownVersion, query, tenants.groupOf(credentials));
    if (E.isLeft(result)) return result;
    // Without an error to describe, `is` is enough, and takes a fraction of the time of `decode`.
    const parts = Parts.is(result.right)
      ? E.right(result.right)
      : decodeResult(Parts, query.name)(result.right);
    if (E.isLeft(parts)) return parts;
    const [first] = parts.right;
    if (first === undefined) return E.left({ _tag: 'Unauthorized' });
    const { userId, useDue, version, total } = first;
    const caller = { userId };
    tenants.remember(credentials, userId);
    if (useDue) recordUse(credentials);
    if (version === knownVersion) return E.right({ caller, unchanged: true });
    const rows: Row[] = [];
    for (const [index, part] of parts.right.entries()) {
      // In between, other requests have their turn.
      if (index > 0) await nextTurn();
      const decoded = query.rows.decode(JSON.parse(part.rows ?? '[]'));
      if (E.isLeft(decoded))
        return E.left({ _tag: 'RecordBroken', where: query.name, problems: problemsOf(decoded.left) });
      for (const row of decoded.right) rows.push(row);
    }
    return E.right({ caller, version, rows: rowsFrom({ rows, total: Number(total) }) });
  };
  const slice = <Row>(result: Result<Row>): Result<Row> => result;
  return {
    repos: (credentials, knownVersion) => read(credentials, knownVersion, reposQuery, ({ rows }) => rows),
    findings: (credentials, query, knownVersion) =>
      read(credentials, knownVersion, findingsQuery(query), slice),
    finding: (credentials, id, knownVersion) =>
      read(credentials, knownVersion, findingQuery(id), ({ rows: [row] }) => row ?? null),
    prs: (credentials, query, knownVersion) => read(credentials, knownVersion, prsQuery(query), slice),
  };
};

/** Records token uses in the background. While one use of a token is being written, others are skipped. */
const tokenUseRecorder = (database: Database, log: Log): ((credentials: PresentedCredentials) => void) => {
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

const CallerRow = t.strict({ userId: Identifier, sessionExpiresAt: nullable(Timestamp) }, 'caller');
const TokenRow = t.strict({ token: t.unknown }, 'list_api_tokens');

/** Nothing of accounts is kept, so every process sees a change at once. Each change is one transaction. */
const postgresAccounts = (
  database: Database,
  connectionFor: ConnectionForRows,
  { maxSignUps }: SignUpLimit,
  log: Log,
  tenants: KnownTenants,
): AccountStorage => {
  const execute = async (name: string, ...values: Statement['values']): Outcome<void> =>
    E.asUnit(await call(database, t.unknown, name, ...values));
  const deleteSomeRows = async (userId: string): Promise<void> => {
    const count = await call(connectionFor(userId), Integer, 'delete_rows_of_deleted', userId, rowsAtOnce);
    if (E.isRight(count) && count.right < rowsAtOnce) await execute('forget_tenant', userId);
  };
  return {
    caller: async (credentials) =>
      pipe(
        await database.query({ ...callerStatement(credentials), group: tenants.groupOf(credentials) }),
        E.flatMap(
          ([row]): E.Either<StorageError | Unauthorized, ResolvedCaller> =>
            row === undefined
              ? E.left({ _tag: 'Unauthorized' })
              : decodeResult(CallerRow, 'caller_of')(fromColumns(CallerRow, row)),
        ),
      ),
    userByEmail: (email) => call(database, nullable(UserRecord), 'user_by_email', searchKey(emailKey(email))),
    user: ({ userId }) => call(database, nullable(UserProfile), 'user_profile', userId),

    signUp: async ({ user, session, rows }, ended) => {
      const replaced = await call(
        connectionFor(user.id),
        Replaced,
        'create_account',
        { ...userColumns(user), email_key: emailKey(user.email) },
        sessionColumns(session),
        toColumnsOfRows(rows, repoOfDrafts(rows)),
        ended,
        maxSignUps,
      );
      if (E.isLeft(replaced)) return replaced;
      if (replaced.right === null) return E.left({ _tag: 'EmailTaken' });
      for (const userId of replaced.right)
        log('warn', 'the oldest signed-up tenant was removed', { userId, maxSignUps });
      return E.right(undefined);
    },

    changePassword: ({ userId }, { from, to, session }) =>
      call(database, t.boolean, 'change_password', userId, from, to, sessionColumns(session)),

    deleteAccount: async ({ userId }) => {
      const isDeleted = await call(database, t.boolean, 'delete_account', userId);
      // The account is gone by now, whatever happens to this: housekeeping deletes the rest.
      if (E.isRight(isDeleted) && isDeleted.right) await deleteSomeRows(userId);
      return isDeleted;
    },

    startSession: async (session, ended) => {
      const started = await execute('start_session', sessionColumns(session), ended, maxSessions);
      return E.isLeft(started) && isUserGone(started.left) ? E.right(undefined) : started;
    },
    endSession: (hash) => execute('end_session', hash),

    apiTokens: async ({ userId }) =>
      pipe(
        await rowsOf(database, TokenRow, 'SELECT token FROM triage.list_api_tokens($1) AS token', userId),
        E.map((rows) => rows.map(({ token }) => fromColumns(ApiTokenProfile, token))),
        E.flatMap(decodeResult(listOf(ApiTokenProfile), 'list_api_tokens')),
      ),
    addApiToken: async (apiToken) => {
      const values = [apiTokenColumns(apiToken), maxActiveApiTokens, maxApiTokens];
      const isAdded = await call(database, t.boolean, 'mint_api_token', ...values);
      if (E.isRight(isAdded))
        return isAdded.right ? E.right(undefined) : E.left({ _tag: 'TooManyApiTokens' });
      return isUserGone(isAdded.left) ? E.left({ _tag: 'Unauthorized' }) : isAdded;
    },
    revokeApiToken: async ({ userId }, id, at) => {
      const values = [userId, searchKey(id), storedTime(at)];
      const isRevoked = await call(database, nullable(t.boolean), 'revoke_api_token', ...values);
      return E.map((wasActive) => wasActive === true)(isRevoked);
    },
  };
};
