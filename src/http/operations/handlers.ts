import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { Clock } from '../../common/clock.js';
import type { Keep } from '../../common/lru.js';
import type { Problem } from '../../contract/codecs/problem.js';
import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import { type AnyOperation, type FindingsQuery, operations } from '../../contract/operations.js';
import type { PageCodec, PageInfo } from '../../contract/page-and-limit.js';
import { RepoList } from '../../contract/repo.js';
import type {
  FixDraftDetails,
  FixDraftRecord,
  PullRequestDetails,
  RepoDetails,
} from '../../records/row-records.js';
import type { PresentedCredentials, Range, Storage, StorageError, Unauthorized } from '../../storage/port.js';
import { type Rendered, render, renderList } from './rendered.js';
import {
  findingDetailView,
  findingView,
  prView,
  relativeTime,
  relativeTimeHoldsUntil,
  repoView,
} from './views.js';

/** What the handlers are made of; each takes the part that it needs. `keep` has room for what is rendered. */
export type ApiDependencies = Readonly<{ storage: Storage; clock: Clock; keep: Keep }>;

/** A request to an operation: who sent it, and its decoded parameters. */
export type OperationRequest<Op extends AnyOperation> = Readonly<{
  credentials: PresentedCredentials;
  path: t.TypeOf<Op['pathParameters']>;
  query: t.TypeOf<Op['queryParameters']>;
}>;

/** Answers the requests to one operation with a body that the operation's own 200 codec accepts. */
export type Handler<Op extends AnyOperation, Failure> = (
  request: OperationRequest<Op>,
) => Promise<E.Either<Failure, Rendered<Op['responses'][200]>>>;

/** A response that would break the contract; `row` names the row of the storage that it comes from. */
type ContractBroken = Readonly<{
  _tag: 'ContractBroken';
  row: string;
  problems: readonly Problem[];
}>;

/** Why a read has no answer. */
export type ReadError = StorageError | Unauthorized | ContractBroken;

/** No finding of the caller has this id (contract, section 4.3). */
type FindingNotFound = Readonly<{ _tag: 'FindingNotFound' }>;

/** Parameters that the operation does not accept; the problems name them. */
export type InvalidParameters = Readonly<{ _tag: 'InvalidParameters'; problems: readonly Problem[] }>;

/** Every way in which an operation can fail. */
export type ApiError = ReadError | FindingNotFound | InvalidParameters;

type ById = typeof operations;

/** Makes the handler of an operation. */
type Handles<Id extends keyof ById, F = ReadError> = (dependencies: ApiDependencies) => Handler<ById[Id], F>;

/** The handler of every operation of the contract (contract, section 4). */
export const handlers = (dependencies: ApiDependencies) =>
  ({
    listConnectedRepos: listConnectedRepos(dependencies),
    listFindings: listFindings(dependencies),
    getFinding: getFinding(dependencies),
    listPrs: listPrs(dependencies),
  }) satisfies { [Id in keyof ById]: Handler<ById[Id], ApiError> };

/** A rendered list, and the time in which the words in it are right, in milliseconds. */
type KeptList = Readonly<{
  from: number;
  until: number;
  list: E.Either<ContractBroken, Rendered<typeof RepoList>>;
}>;

/** A list that is being rendered for a moment. */
type Rendering = Readonly<{ from: number; rendering: Promise<KeptList> }>;

/** Who asks so many milliseconds later gets the same list: its words are right to the second. */
const sharedFor = 1000;

/** How many repositories are rendered before others have their turn: some milliseconds of work. */
const reposPerTurn = 100;

/** Every repository of the caller, the most recently scanned first (contract, section 4.1). */
const listConnectedRepos: Handles<'listConnectedRepos'> = ({ storage, clock, keep }) => {
  const kept = keep<readonly RepoDetails[], KeptList>();
  // Many clients may ask at once for a list that takes several turns.
  const underWay = new WeakMap<readonly RepoDetails[], Rendering>();

  const itemsOf = async (rows: readonly RepoDetails[], now: number): Promise<KeptList['list']> => {
    const items: Rendered<typeof RepoList.type>[] = [];
    for (const [index, row] of rows.entries()) {
      if (index > 0 && index % reposPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
      const item = render(RepoList.type, repoView(row, lastScanText(row, now)));
      if (E.isLeft(item)) {
        const problems = item.left.map((each) => ({ ...each, path: [String(index), ...each.path] }));
        return E.left({ _tag: 'ContractBroken', row: `repo ${row.repo.id}`, problems });
      }
      items.push(item.right);
    }
    return E.right(renderList(RepoList, items));
  };

  const rendered = async (rows: readonly RepoDetails[], now: number): Promise<KeptList> => {
    const list = await itemsOf(rows, now);
    const until = rows.reduce((first, row) => Math.min(first, holdsUntil(row, now)), Infinity);
    const result = { from: now, until, list };
    if (E.isRight(list) && Object.isFrozen(rows)) kept.set(rows, result, list.right.weight);
    return result;
  };

  return async ({ credentials }) => {
    const found = await storage.repos(credentials);
    if (E.isLeft(found)) return found;
    const rows = found.right;
    const now = clock();
    const known = kept.get(rows);
    if (known !== undefined && known.from <= now && now < known.until) return known.list;
    const shared = underWay.get(rows);
    if (shared !== undefined && shared.from <= now && now < shared.from + sharedFor)
      return (await shared.rendering).list;
    const begun = rendered(rows, now);
    if (Object.isFrozen(rows)) underWay.set(rows, { from: now, rendering: begun });
    return (
      await begun.finally(() => {
        // Another may have begun since.
        if (underWay.get(rows)?.rendering === begun) underWay.delete(rows);
      })
    ).list;
  };
};

const lastScanText = ({ lastScan }: RepoDetails, now: number): string =>
  lastScan === null ? 'never' : relativeTime(millisecondsOf(lastScan.startedAt), now);

const holdsUntil = ({ lastScan }: RepoDetails, now: number): number =>
  lastScan === null ? Infinity : relativeTimeHoldsUntil(millisecondsOf(lastScan.startedAt), now);

/**
 * A page of the caller's findings, of one repository when `repoId` is given. `severity` and `status` narrow
 * the items after the page was cut, so that the totals ignore them (contract, section 4.2, rule 2).
 */
const listFindings: Handles<'listFindings'> = ({ storage, keep }) => {
  const items = { view: findingView, nameOf: ({ id }: FixDraftRecord) => `fix draft ${id}` };
  const render = pageRenderer(operations.listFindings.responses[200], items, keep, narrowed);
  return async ({ credentials, query }) => {
    const found = await storage.findings(credentials, { repoId: query.repoId, ...rangeOf(query) });
    return E.isLeft(found) ? found : render(found.right, query);
  };
};

const narrowed = (page: PageRows<FixDraftRecord>, { severity, status }: FindingsQuery) => {
  if (severity === undefined && status === undefined) return page;
  const rows = page.rows.filter(
    (draft) =>
      (severity === undefined || draft.severity === severity) &&
      (status === undefined || draft.status === status),
  );
  return { rows, total: page.total };
};

/** One finding of the caller; an id of another tenant is an unknown one (contract, section 4.3). */
const getFinding: Handles<'getFinding', ReadError | FindingNotFound> = ({ storage, keep }) => {
  const codec = operations.getFinding.responses[200];
  const kept = keep<FixDraftDetails, E.Right<Rendered<typeof codec>>>();
  return async ({ credentials, path }) => {
    const found = await storage.finding(credentials, path.id);
    if (E.isLeft(found)) return found;
    const row = found.right;
    if (row === null) return E.left({ _tag: 'FindingNotFound' });
    const known = kept.get(row);
    if (known !== undefined) return known;
    const detail = render(codec, findingDetailView(row));
    if (E.isLeft(detail))
      return E.left({ _tag: 'ContractBroken', row: `fix draft ${row.draft.id}`, problems: detail.left });
    if (Object.isFrozen(row)) kept.set(row, detail, detail.right.weight);
    return detail;
  };
};

/**
 * A page of the caller's fix pull requests. Both filters apply before the page is cut, so that the totals
 * count what matches (contract, section 4.4, rule 2).
 */
const listPrs: Handles<'listPrs'> = ({ storage, keep }) => {
  const items = {
    view: prView,
    nameOf: ({ pullRequest }: PullRequestDetails) => `pull request ${pullRequest.id}`,
  };
  const render = pageRenderer(operations.listPrs.responses[200], items, keep);
  return async ({ credentials, query }) => {
    const { repoId, status } = query;
    const found = await storage.prs(credentials, { repoId, status, ...rangeOf(query) });
    return E.isLeft(found) ? found : render(found.right, query);
  };
};

/** How a row of a storage becomes an item of a response, and what the log calls it. */
type RowView<Row extends object, Item> = Readonly<{
  view: (row: Row) => Item;
  nameOf: (row: Row) => string;
}>;

/** The page that a client requests, and its size. */
type PageRequest = Readonly<{ page: number; limit: number }>;

/**
 * The rows of a page, as `offset` and `limit`; the storage cuts them out of the list and counts the list. A
 * page too far away for exact arithmetic starts where no list reaches.
 */
export const rangeOf = ({ page, limit }: PageRequest): Range => ({
  offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER - limit),
  limit,
});

/** The envelope (contract, section 2.4): `page` as requested, even beyond the last. */
export const pageInfo = ({ page, limit }: PageRequest, totalItems: number): PageInfo => ({
  page,
  limit,
  totalItems,
  totalPages: Math.ceil(totalItems / limit),
});

/** The rows of a page, and how many there are on all pages. */
type PageRows<Row> = Readonly<{ rows: readonly Row[]; total: number }>;

/** Renders a page of rows with the page codec of an operation (contract, section 2.4). */
export const pageOfRows = <Row extends object, Item extends t.Mixed>(
  codec: PageCodec<Item>,
  { view, nameOf }: RowView<Row, t.TypeOf<Item>>,
  { rows, total }: PageRows<Row>,
  request: PageRequest,
): E.Either<ContractBroken, Rendered<PageCodec<Item>>> => {
  const page = render(codec, { items: rows.map(view), ...pageInfo(request, total) });
  if (E.isRight(page)) return page;
  const [list, index] = page.left[0]?.path ?? [];
  const broken = list === 'items' ? rows[Number(index)] : undefined;
  if (broken === undefined)
    return E.left({ _tag: 'ContractBroken', row: 'the total of the list', problems: page.left });
  const problems = page.left.filter(({ path }) => path[1] === index);
  return E.left({ _tag: 'ContractBroken', row: nameOf(broken), problems });
};

/** How many pages of one set of rows are kept: those of several filters, for example. */
const maxPagesOfRows = 16;

/**
 * Renders pages as `pageOfRows` does, and keeps those of frozen sets of rows: a storage that returns the same
 * frozen object says that nothing has changed. `narrowed` leaves rows out; it depends on the query only.
 */
export const pageRenderer = <Row extends object, Item extends t.Mixed, Query extends PageRequest>(
  codec: PageCodec<Item>,
  items: RowView<Row, t.TypeOf<Item>>,
  keep: Keep,
  narrowed: (rows: PageRows<Row>, query: Query) => PageRows<Row> = (rows) => rows,
): ((rows: PageRows<Row>, query: Query) => E.Either<ContractBroken, Rendered<PageCodec<Item>>>) => {
  type Page = Readonly<{ query: Query; page: E.Right<Rendered<PageCodec<Item>>> }>;
  const kept = keep<PageRows<Row>, readonly Page[]>();
  return (rows, query) => {
    const pages = kept.get(rows) ?? [];
    for (const each of pages) if (isSameQuery(each.query, query)) return each.page;
    const page = pageOfRows(codec, items, narrowed(rows, query), query);
    if (E.isRight(page) && Object.isFrozen(rows)) {
      const all = [...pages, { query, page }].slice(-maxPagesOfRows);
      const weight = all.reduce((total, each) => total + each.page.right.weight, 0);
      kept.set(rows, all, weight);
    }
    return page;
  };
};

const isSameQuery = <Query extends object>(left: Query, right: Query): boolean =>
  left === right || (includes(left, right) && includes(right, left));

const includes = <Query extends object>(left: Query, right: Query): boolean => {
  for (const key in right) if (left[key] !== right[key]) return false;
  return true;
};
