import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../codecs/list.js';
import { nullable } from '../../codecs/nullable.js';
import { Identifier } from '../../codecs/text.js';
import type { PresentedCredentials, StorageError, TriageStorage, Unauthorized } from '../port.js';
import type { CitusAccess } from './citus/citus-access.js';
import { sendToWorker } from './citus/tenant-statements.js';
import type { Database } from './database.js';
import { decodeResult } from './decode-result.js';
import { decodeRows } from './decode-rows.js';
import { Digits } from './digits.js';
import {
  callerStatement,
  findingQuery,
  findingsQuery,
  prsQuery,
  readStatement,
  reposQuery,
  type TenantQuery,
} from './queries.js';
import { type ResultCache, resultCache } from './result-cache.js';

type Dependencies = Readonly<{
  database: Database;
  recordTokenUse: (credentials: PresentedCredentials) => void;
  watchCache: WatchCache;
  /** What is known of the engine; left out for a database that is not distributed. */
  citus?: CitusAccess | undefined;
}>;

/** Told of each cache of results, by the call whose results it keeps, and how to read how it is used. */
export type WatchCache = (call: keyof TriageStorage, figures: ResultCache<unknown>['figures']) => void;

type ReadError = StorageError | Unauthorized;

/** The rows of a query, frozen, and how many the whole list has. The same object means the same rows. */
type Result<Row> = Readonly<{ rows: readonly Row[]; total: number }>;

const CallerRow = t.strict({ userId: Identifier, useDue: t.boolean }, 'caller');
type CallerRow = t.TypeOf<typeof CallerRow>;

/** `rows` is JSON text; null: unchanged since the version that was named. */
const ReadRows = listOf(
  t.strict(
    {
      userId: nullable(Identifier),
      useDue: t.boolean,
      total: nullable(Digits),
      version: nullable(t.string),
      rows: nullable(t.string),
    },
    'result',
  ),
);

type ReadRows = t.TypeOf<typeof ReadRows>;

/** Without an error to describe, `is` is enough, and takes a fraction of the time of `decode`. */
const decodeReadRows = (rows: unknown, where: string): E.Either<StorageError, ReadRows> =>
  ReadRows.is(rows) ? E.right(rows) : decodeResult(ReadRows, where)(rows);

/** How much JSON each operation keeps for results that did not change, in characters. */
const maxCachedCharacters = 16_000_000;

/** The reads of the API. Each is one statement, which also checks the credentials. */
export const postgresTriageStorage = ({
  database,
  recordTokenUse,
  watchCache,
  citus,
}: Dependencies): TriageStorage => {
  const onOneServer: Send = (credentials, known, query) =>
    database.query(readStatement(credentials, known, query));
  const send = citus === undefined ? onOneServer : sendByEngine(citus, onOneServer);
  const reader = <Row>(call: keyof TriageStorage) => {
    const cache = resultCache<Result<Row>>(maxCachedCharacters);
    watchCache(call, cache.figures);
    return cachedReader<Row>(send, recordTokenUse, cache);
  };
  const [repos, findings, finding, prs] = [
    reader<RowOf<typeof reposQuery>>('repos'),
    reader<RowOf<ReturnType<typeof findingsQuery>>>('findings'),
    reader<RowOf<ReturnType<typeof findingQuery>>>('finding'),
    reader<RowOf<ReturnType<typeof prsQuery>>>('prs'),
  ];
  return {
    repos: (credentials) =>
      pipe(
        repos(credentials, reposQuery),
        TE.map(({ rows }) => rows),
      ),
    findings: (credentials, query) => findings(credentials, findingsQuery(query)),
    finding: (credentials, id) =>
      pipe(
        finding(credentials, findingQuery(id)),
        TE.map(({ rows }) => rows[0] ?? null),
      ),
    prs: (credentials, query) => prs(credentials, prsQuery(query)),
  };
};

type RowOf<Q> = Q extends TenantQuery<infer Row> ? Row : never;

/** Resolves credentials to a user id. `useDue`: the use of the token must be recorded. */
export const findCaller = (
  database: Pick<Database, 'query'>,
  credentials: PresentedCredentials,
): TE.TaskEither<ReadError, CallerRow> =>
  pipe(
    database.query(callerStatement(credentials)),
    TE.flatMap(
      ([row]): TE.TaskEither<ReadError, CallerRow> =>
        row === undefined
          ? TE.left({ _tag: 'Unauthorized' })
          : TE.fromEither(decodeResult(CallerRow, 'caller_of')(row)),
    ),
  );

/**
 * Sends a query on behalf of whoever the credentials belong to; `known` is the version of the result that the
 * program has.
 */
type Send = (
  credentials: PresentedCredentials,
  known: string | null,
  query: Pick<TenantQuery<unknown>, 'functionName' | 'args'>,
) => TE.TaskEither<ReadError, readonly unknown[]>;

/** Sends each query in the way that the engine of the database takes. */
const sendByEngine =
  (citus: CitusAccess, onOneServer: Send): Send =>
  (credentials, known, query) =>
    citus.byEngine(
      () => onOneServer(credentials, known, query),
      () => sendToWorker(citus.coordinator, citus.worker, credentials, known, query),
    );

/** Runs the queries of one operation, and keeps their results for as long as nothing changes. */
const cachedReader =
  <Row>(
    send: Send,
    recordTokenUse: Dependencies['recordTokenUse'],
    cache: ResultCache<Result<Row>>,
  ): ((
    credentials: PresentedCredentials,
    query: TenantQuery<Row>,
  ) => TE.TaskEither<ReadError, Result<Row>>) =>
  (credentials, query) =>
  async () => {
    const key = JSON.stringify([credentials.session, credentials.apiToken, query.args]);
    const known = cache.get(key);
    const sent = await send(credentials, known?.version ?? null, query)();
    if (E.isLeft(sent)) return sent;
    const found = decodeReadRows(sent.right, query.functionName);
    if (E.isLeft(found)) return found;
    const first = found.right[0];
    if (first === undefined || first.userId === null) return E.left({ _tag: 'Unauthorized' });
    credentials.onCaller?.({ userId: first.userId });
    if (first.useDue) recordTokenUse(credentials);
    const { version } = first;
    if (known !== null && known.version === version && first.rows === null) return E.right(known.value);
    const texts = found.right.map(({ rows }) => rows ?? '[]');
    const rows = await decodeRows(query, texts);
    if (E.isLeft(rows)) return rows;
    const result = Object.freeze({ rows: rows.right, total: Number(first.total) });
    const size = texts.reduce((sum, text) => sum + text.length, key.length);
    if (version !== null) cache.set(key, { version, value: result }, size);
    return E.right(result);
  };
