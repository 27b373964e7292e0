import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { Clock } from '../common/clock.js';
import { decode, type Problem } from '../contract/codecs/problem.js';
import { millisecondsOf } from '../contract/codecs/timestamp.js';
import { type AnyOperation, type BodyOf, operations } from '../contract/operations.js';
import type { PageInfo } from '../contract/page-and-limit.js';
import type { Context } from './call.js';
import type { Caller } from './credentials.js';
import type { ContractBroken, FindingNotFound, ReadError } from './failures.js';
import { inContractOrder, type Rendered, renderInTurns } from './rendered.js';
import type { FixDraftDetails, FixDraftRecord, PullRequestDetails, RepoDetails } from './row-records.js';
import type {
  Found,
  FoundRows,
  PresentedCredentials,
  Range,
  Slice,
  StorageError,
  TriageStorage,
  Unauthorized,
  Version,
} from './storage-port.js';
import {
  findingDetailView,
  findingView,
  prView,
  relativeTime,
  relativeTimeHoldsUntil,
  repoView,
} from './views.js';

/** The decoded parameters of a request to an operation. */
export type Input<Op extends AnyOperation> = Readonly<{
  path: t.TypeOf<Op['pathParameters']>;
  query: t.TypeOf<Op['queryParameters']>;
}>;

/** How an operation is answered: what is read for it, and what body the rows make. */
export type Handler<Op extends AnyOperation, Rows, F> = Readonly<{
  operation: Op;
  read: (
    storage: TriageStorage,
    credentials: PresentedCredentials,
    input: Input<Op>,
    knownVersion?: Version,
  ) => Promise<E.Either<StorageError | Unauthorized, Found<Rows>>>;
  /** The body of the response at a moment, in milliseconds; its type is that of the operation's 200 codec. */
  view: (rows: Rows, input: Input<Op>, now: number) => E.Either<F, BodyOf<Op>>;
  /** What the log calls the row of an item of the body; of a body without items, the one row. */
  rowOf: (rows: Rows, body: BodyOf<Op>, index: number) => string;
  /** Until when the words of the body are right, if `now` does not go back. Left out: none of them ages. */
  holdsUntil?: (rows: Rows, now: number) => number;
}>;

/** Every repository of the caller, the most recently scanned first (contract, section 4.1). */
const listConnectedRepos: Handler<typeof operations.listConnectedRepos, readonly RepoDetails[], never> = {
  operation: operations.listConnectedRepos,
  read: (storage, credentials, _, knownVersion) => storage.repos(credentials, knownVersion),
  view: (rows, _, now) => E.right(rows.map((row) => repoView(row, lastScanText(row, now)))),
  rowOf: (_, body, index) => `repo ${body[index]?.id}`,
  holdsUntil: (rows, now) => rows.reduce((first, row) => Math.min(first, holdsUntil(row, now)), Infinity),
};

const lastScanText = ({ lastScan }: RepoDetails, now: number): string =>
  lastScan === null ? 'never' : relativeTime(millisecondsOf(lastScan.startedAt), now);

const holdsUntil = ({ lastScan }: RepoDetails, now: number): number =>
  lastScan === null ? Infinity : relativeTimeHoldsUntil(millisecondsOf(lastScan.startedAt), now);

/**
 * A page of the caller's findings, of one repository when `repoId` is given. `severity` and `status` narrow
 * the items after the page was cut, so that the totals ignore them (contract, section 4.2, rule 2).
 */
const listFindings: Handler<typeof operations.listFindings, Slice<FixDraftRecord>, never> = {
  operation: operations.listFindings,
  read: (storage, credentials, { query }, knownVersion) =>
    storage.findings(credentials, { repoId: query.repoId, ...rangeOf(query) }, knownVersion),
  view: ({ rows, total }, { query }) => {
    const { severity, status } = query;
    const matching = rows.filter(
      (draft) =>
        (severity === undefined || draft.severity === severity) &&
        (status === undefined || draft.status === status),
    );
    return E.right({ items: matching.map(findingView), ...pageInfo(query, total) });
  },
  rowOf: (_, { items }, index) => `fix draft ${items[index]?.id}`,
};

/** One finding of the caller; an id of another tenant is an unknown one (contract, section 4.3). */
const getFinding: Handler<typeof operations.getFinding, FixDraftDetails | null, FindingNotFound> = {
  operation: operations.getFinding,
  read: (storage, credentials, { path }, knownVersion) => storage.finding(credentials, path.id, knownVersion),
  view: (row) => (row === null ? E.left({ _tag: 'FindingNotFound' }) : E.right(findingDetailView(row))),
  rowOf: (_, { id }) => `fix draft ${id}`,
};

/**
 * A page of the caller's fix pull requests. Both filters apply before the page is cut, so that the totals
 * count what matches (contract, section 4.4, rule 2).
 */
const listPrs: Handler<typeof operations.listPrs, Slice<PullRequestDetails>, never> = {
  operation: operations.listPrs,
  read: (storage, credentials, { query }, knownVersion) => {
    const { repoId, status } = query;
    return storage.prs(credentials, { repoId, status, ...rangeOf(query) }, knownVersion);
  },
  view: ({ rows, total }, { query }) => E.right({ items: rows.map(prView), ...pageInfo(query, total) }),
  rowOf: ({ rows }, _, index) => `pull request ${rows[index]?.pullRequest.id}`,
};

/** The handler of every operation of the contract (contract, section 4). */
export const handlers = { listConnectedRepos, listFindings, getFinding, listPrs };

/** The page that a client requests, and its size. */
type PageRequest = Readonly<{ page: number; limit: number }>;

/**
 * The rows of a page, as `offset` and `limit`; the storage cuts them out of the list and counts the list. A
 * page too far away for exact arithmetic starts where no list reaches.
 */
const rangeOf = ({ page, limit }: PageRequest): Range => ({
  offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER - limit),
  limit,
});

/** The envelope (contract, section 2.4): `page` as requested, even beyond the last. */
const pageInfo = ({ page, limit }: PageRequest, totalItems: number): PageInfo => ({
  page,
  limit,
  totalItems,
  totalPages: Math.ceil(totalItems / limit),
});

/** Reads for somebody who knows no version. */
export const readRows = async <Op extends AnyOperation, Rows, F>(
  { operation, read }: Handler<Op, Rows, F>,
  storage: TriageStorage,
  credentials: PresentedCredentials,
  input: Input<Op>,
): Promise<E.Either<StorageError | Unauthorized, FoundRows<Rows>>> => {
  const result = await read(storage, credentials, input);
  if (E.isLeft(result)) return result;
  if (!('unchanged' in result.right)) return E.right(result.right);
  const cause = new Error(`the read of ${operation.id} found rows unchanged of which no version was known`);
  return E.left({ _tag: 'StorageFailed', cause });
};

/** Why a body would break the contract: the problems of the first row that has any. */
const contractBroken = <Op extends AnyOperation, Rows>(
  { rowOf }: Handler<Op, Rows, unknown>,
  rows: Rows,
  body: BodyOf<Op>,
  problems: readonly Problem[],
): ContractBroken => {
  const indexIn = ({ path }: Problem): string | undefined => path.find((key) => /^\d+$/.test(key));
  const [first] = problems;
  const index = first && indexIn(first);
  const isOfTotal = first?.path[0]?.startsWith('total') === true;
  return {
    _tag: 'ContractBroken',
    row: isOfTotal ? 'the total of the list' : rowOf(rows, body, Number(index)),
    problems: problems.filter((problem) => indexIn(problem) === index),
  };
};

/** Renders the body that rows make with the 200 codec of the operation. */
export const renderRows = async <Op extends AnyOperation, Rows, F>(
  handler: Handler<Op, Rows, F>,
  rows: Rows,
  input: Input<Op>,
  now: number,
): Promise<E.Either<F | ContractBroken, Rendered<Op['responses'][200]>>> => {
  const body = handler.view(rows, input, now);
  if (E.isLeft(body)) return body;
  const rendered = await renderInTurns(handler.operation.responses[200], body.right);
  return E.mapLeft((problems: readonly Problem[]) => contractBroken(handler, rows, body.right, problems))(
    rendered,
  );
};

/** Answers requests to one operation. `parameters`: a text that stands for `input`. */
export type AnswerTo<Op extends AnyOperation, F> = (
  context: Context,
  credentials: PresentedCredentials,
  input: Input<Op>,
  parameters: string,
  /** Told whose the credentials are. */
  meet: (caller: Caller) => void,
) => Promise<E.Either<ReadError | F, Rendered<Op['responses'][200]>>>;

/** How all operations are answered. */
export type Answering = <Op extends AnyOperation, Rows, F>(handler: Handler<Op, Rows, F>) => AnswerTo<Op, F>;

/** Reads and renders each answer anew. */
export const freshAnswers: Answering =
  (handler) =>
  async ({ storage, clock }, credentials, input, _, meet) => {
    const result = await readRows(handler, storage, credentials, input);
    if (E.isLeft(result)) return result;
    meet(result.right.caller);
    return renderRows(handler, result.right.rows, input, clock());
  };

/** Reads the body of an answer as a value that the 200 codec has accepted, to show it in another way. */
export const readBody = async <Op extends AnyOperation, Rows, F>(
  handler: Handler<Op, Rows, F>,
  storage: TriageStorage,
  credentials: PresentedCredentials,
  input: Input<Op>,
  clock: Clock,
): Promise<E.Either<ReadError | F, BodyOf<Op>>> => {
  const result = await readRows(handler, storage, credentials, input);
  if (E.isLeft(result)) return result;
  const { rows } = result.right;
  const body = handler.view(rows, input, clock());
  if (E.isLeft(body)) return body;
  const codec: Op['responses'][200] = handler.operation.responses[200];
  return E.mapLeft((problems: readonly Problem[]) => contractBroken(handler, rows, body.right, problems))(
    decode(codec, inContractOrder(codec, body.right)),
  );
};
