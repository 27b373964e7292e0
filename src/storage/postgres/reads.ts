import * as t from 'io-ts';
import { LRUCache } from 'lru-cache';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { deepFreeze } from '../../common/json.js';
import { listOf } from '../../contract/codecs/combinators.js';
import { problemsOf } from '../../contract/codecs/problem.js';
import { Identifier } from '../../contract/codecs/text-and-numbers.js';
import type {
  FixDraftDetails,
  FixDraftRecord,
  PullRequestDetails,
  RepoDetails,
} from '../../records/row-records.js';
import type { PresentedCredentials, StorageError, TriageStorage, Unauthorized } from '../port.js';
import type { Asked } from './database.js';
import {
  callerStatement,
  findingQuery,
  findingsQuery,
  prsQuery,
  reposQuery,
  type TenantQuery,
} from './queries.js';
import { decodeResult } from './stored-records.js';

type ReadError = StorageError | Unauthorized;

/** Sends a query of a group, and returns undecoded rows. `known`: the version that the program has. */
export type Send = (
  credentials: PresentedCredentials,
  known: string | null,
  query: TenantQuery<unknown>,
  group: string,
) => Promise<E.Either<ReadError, readonly unknown[]>>;

type Dependencies = Readonly<{
  send: Send;
  recordTokenUse: (credentials: PresentedCredentials) => void;
  watchCache: WatchCache;
}>;

/** How often a cache had a result and had not, and how many characters of JSON its results have. */
export type CacheFigures = Readonly<{ hits: number; misses: number; size: number }>;

/** Told of the cache of results of each call, and how to read how it is used. */
export type WatchCache = (call: keyof TriageStorage, figures: () => CacheFigures) => void;

/** How many credentials are remembered with their tenants. */
const maxCredentials = 10_000;

/** How much JSON each operation keeps for results that did not change, in characters. */
const maxCachedCharacters = 16_000_000;

/** The rows of a query, frozen, and how many the whole list has. The same object means the same rows. */
type Result<Row> = Readonly<{ rows: readonly Row[]; total: number }>;

/** A result with its version, which the database compares with the current one, and its size. */
type Known<Row> = Readonly<{ version: string; result: Result<Row>; size: number }>;

/** The reads of the API. */
export const postgresReads = ({ send, recordTokenUse, watchCache }: Dependencies): TriageStorage => {
  // Whose credentials they are is known from the first read.
  const tenants = new LRUCache<string, string>({ max: maxCredentials });
  const reader = <Row>(call: keyof TriageStorage) => {
    const cache = new LRUCache<string, Known<Row>>({
      maxSize: maxCachedCharacters,
      sizeCalculation: ({ size }) => size,
    });
    const lookUps = { hits: 0, misses: 0 };
    watchCache(call, () => ({ ...lookUps, size: cache.calculatedSize }));
    /** Runs a query, and keeps its result for as long as nothing changes. */
    const find = async (
      key: string,
      credentials: PresentedCredentials,
      query: TenantQuery<Row>,
    ): Promise<E.Either<ReadError, Readonly<{ caller: CallerRow; result: Result<Row> }>>> => {
      const known = cache.get(key);
      lookUps[known === undefined ? 'misses' : 'hits'] += 1;
      const credentialsKey = `${credentials.session} ${credentials.apiToken}`;
      const group = tenants.get(credentialsKey) ?? credentialsKey;
      const sent = await send(credentials, known?.version ?? null, query, group);
      if (E.isLeft(sent)) return sent;
      // Without an error to describe, `is` is enough, and takes a fraction of the time of `decode`.
      const parts = Parts.is(sent.right) ? E.right(sent.right) : decodeResult(Parts, query.name)(sent.right);
      if (E.isLeft(parts)) return parts;
      const [caller] = parts.right;
      if (caller === undefined) return E.left({ _tag: 'Unauthorized' });
      tenants.set(credentialsKey, caller.userId);
      const { version, total } = caller;
      if (known?.version === version) return E.right({ caller, result: known.result });
      const texts = parts.right.flatMap(({ rows }) => rows ?? []);
      const rows = await decodeRows(query, texts);
      if (E.isLeft(rows)) return rows;
      const result = Object.freeze({ rows: rows.right, total: Number(total) });
      cache.set(key, { version, result, size: texts.reduce((sum, text) => sum + text.length, key.length) });
      return E.right({ caller, result });
    };
    const inTurn = inTurns<Awaited<ReturnType<typeof find>>>();
    return async (
      credentials: PresentedCredentials,
      query: TenantQuery<Row>,
    ): Promise<E.Either<ReadError, Result<Row>>> => {
      const key = keyOf(credentials, query);
      const found = await inTurn(key, () => find(key, credentials, query));
      if (E.isLeft(found)) return found;
      const { caller, result } = found.right;
      credentials.onCaller?.({ userId: caller.userId });
      if (caller.useDue) recordTokenUse(credentials);
      return E.right(result);
    };
  };
  const repos = reader<RepoDetails>('repos');
  const findings = reader<FixDraftRecord>('findings');
  const finding = reader<FixDraftDetails>('finding');
  const prs = reader<PullRequestDetails>('prs');
  return {
    repos: async (credentials) =>
      E.map(({ rows }: Result<RepoDetails>) => rows)(await repos(credentials, reposQuery)),
    findings: (credentials, query) => findings(credentials, findingsQuery(query)),
    finding: async (credentials, id) => {
      const found = await finding(credentials, findingQuery(id));
      return E.isLeft(found) ? found : E.right(found.right.rows[0] ?? null);
    },
    prs: (credentials, query) => prs(credentials, prsQuery(query)),
  };
};

const callerColumns = { userId: Identifier, useDue: t.boolean };
const CallerRow = t.strict(callerColumns, 'caller');
type CallerRow = t.TypeOf<typeof CallerRow>;

/** Resolves credentials to a user id. `useDue`: the use of the token must be recorded. */
export const findCaller = async (
  database: Asked,
  credentials: PresentedCredentials,
): Promise<E.Either<ReadError, CallerRow>> =>
  pipe(
    await database.query(callerStatement(credentials)),
    E.flatMap(
      ([row]): E.Either<ReadError, CallerRow> =>
        row === undefined ? E.left({ _tag: 'Unauthorized' }) : decodeResult(CallerRow, 'caller_of')(row),
    ),
  );

/** A `bigint` of the database, which the driver passes as text, that a number can hold exactly. */
const Digits = t.refinement(t.string, (text) => Number.isSafeInteger(Number(text)), 'integer');

/** `rows` is JSON text; null: there are none, or they are those of the version that was named. */
const Rows = t.union([t.string, t.null]);
const Parts = listOf(t.strict({ ...callerColumns, total: Digits, version: t.string, rows: Rows }, 'result'));

/** What makes two queries one: the same credentials, statement and values. */
const keyOf = ({ session, apiToken }: PresentedCredentials, { name, values }: TenantQuery<unknown>): string =>
  JSON.stringify([session, apiToken, name, Object.values(values)]);

/** Decodes JSON texts one after the other. In between, other requests have their turn. */
const decodeRows = async <Row>(
  { name, rows }: TenantQuery<Row>,
  texts: readonly string[],
): Promise<E.Either<StorageError, readonly Row[]>> => {
  const all: Row[] = [];
  for (const [index, text] of texts.entries()) {
    if (index > 0) await new Promise((resolve) => setImmediate(resolve));
    const decoded = rows.decode(JSON.parse(text));
    if (E.isLeft(decoded))
      return E.left({ _tag: 'RecordBroken', where: name, problems: problemsOf(decoded.left) });
    for (const row of decoded.right) all.push(deepFreeze(row));
  }
  return E.right(Object.freeze(all));
};

/**
 * Runs queries of the same key one at a time. Those that come while one runs share the next one, which begins
 * after all of them: so every result is as new as its request, and a page that many read at once costs few
 * queries. If the database does not answer, those that wait are told so with the one that ran.
 */
const inTurns = <Found extends E.Either<ReadError, unknown>>() => {
  type Turn = { latest: () => Promise<Found>; next: Promise<Found> | null; readonly running: Promise<Found> };
  const turns = new Map<string, Turn>();
  const start = (key: string, find: () => Promise<Found>): Promise<Found> => {
    const turn: Turn = { latest: find, next: null, running: find() };
    turns.set(key, turn);
    return turn.running.finally(() => {
      if (turn.next === null) turns.delete(key);
    });
  };
  return (key: string, find: () => Promise<Found>): Promise<Found> => {
    const turn = turns.get(key);
    if (turn === undefined) return start(key, find);
    // The credentials of the latest one must be valid at the latest moment.
    turn.latest = find;
    turn.next ??= turn.running.then((found) => {
      if (E.isRight(found) || found.left._tag !== 'StorageUnavailable') return start(key, turn.latest);
      turns.delete(key);
      return found;
    });
    return turn.next;
  };
};
