import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { nextTurn } from '#platform';
import { listOf } from '../../contract/codecs/combinators.js';
import { problemsOf } from '../../contract/codecs/problem.js';
import { Identifier } from '../../contract/codecs/text-and-numbers.js';
import type {
  PresentedCredentials,
  ReadResult,
  StorageError,
  TriageStorage,
  Unauthorized,
  Version,
} from '../port.js';
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

/** Sends a query, and returns undecoded rows. */
export type Send = (
  credentials: PresentedCredentials,
  known: Version | undefined,
  query: TenantQuery<unknown>,
) => Promise<E.Either<ReadError, readonly unknown[]>>;

type Dependencies = Readonly<{
  send: Send;
  recordTokenUse: (credentials: PresentedCredentials) => void;
}>;

/** Some rows of a list, and how many the whole list has. */
type Result<Row> = Readonly<{ rows: readonly Row[]; total: number }>;

/** The reads of the API. */
export const postgresReads = ({ send, recordTokenUse }: Dependencies): TriageStorage => {
  const read = async <Row, Rows>(
    credentials: PresentedCredentials,
    known: Version | undefined,
    query: TenantQuery<Row>,
    rowsOf: (result: Result<Row>) => Rows,
  ): ReadResult<Rows> => {
    const sent = await send(credentials, known, query);
    if (E.isLeft(sent)) return sent;
    // Without an error to describe, `is` is enough, and takes a fraction of the time of `decode`.
    const parts = Parts.is(sent.right) ? E.right(sent.right) : decodeResult(Parts, query.name)(sent.right);
    if (E.isLeft(parts)) return parts;
    const [first] = parts.right;
    if (first === undefined) return E.left({ _tag: 'Unauthorized' });
    const { userId, useDue, version, total } = first;
    const caller = { userId };
    if (useDue) recordTokenUse(credentials);
    if (version === known) return E.right({ caller, unchanged: true });
    const rows = await decodeRows(
      query,
      parts.right.flatMap(({ rows }) => rows ?? []),
    );
    if (E.isLeft(rows)) return rows;
    return E.right({ caller, version, rows: rowsOf({ rows: rows.right, total: Number(total) }) });
  };
  const slice = <Row>(result: Result<Row>): Result<Row> => result;
  return {
    repos: (credentials, known) => read(credentials, known, reposQuery, ({ rows }) => rows),
    findings: (credentials, query, known) => read(credentials, known, findingsQuery(query), slice),
    finding: (credentials, id, known) =>
      read(credentials, known, findingQuery(id), ({ rows: [row] }) => row ?? null),
    prs: (credentials, query, known) => read(credentials, known, prsQuery(query), slice),
  };
};

const callerColumns = { userId: Identifier, useDue: t.boolean };
const CallerRow = t.strict(callerColumns, 'caller');
type CallerRow = t.TypeOf<typeof CallerRow>;

/** Resolves credentials to a user id. `useDue`: the use of the token must be recorded. */
export const findCaller = async (
  database: Asked,
  credentials: PresentedCredentials,
): Promise<E.Either<ReadError, CallerRow>> => {
  const found = await database.query(callerStatement(credentials));
  if (E.isLeft(found)) return found;
  const [row] = found.right;
  return row === undefined ? E.left({ _tag: 'Unauthorized' }) : decodeResult(CallerRow, 'caller_of')(row);
};

/** A `bigint` of the database, which the driver passes as text, that a number can hold exactly. */
const Digits = t.refinement(t.string, (text) => Number.isSafeInteger(Number(text)), 'integer');

/** `rows` is JSON text; null: there are none, or they are those of the version that was named. */
const Rows = t.union([t.string, t.null]);
const Parts = listOf(t.strict({ ...callerColumns, total: Digits, version: t.string, rows: Rows }, 'result'));

/** Decodes JSON texts one after the other. In between, other requests have their turn. */
const decodeRows = async <Row>(
  { name, rows }: TenantQuery<Row>,
  texts: readonly string[],
): Promise<E.Either<StorageError, readonly Row[]>> => {
  const all: Row[] = [];
  for (const [index, text] of texts.entries()) {
    if (index > 0) await nextTurn();
    const decoded = rows.decode(JSON.parse(text));
    if (E.isLeft(decoded))
      return E.left({ _tag: 'RecordBroken', where: name, problems: problemsOf(decoded.left) });
    for (const row of decoded.right) all.push(row);
  }
  return E.right(all);
};
