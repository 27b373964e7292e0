import * as E from '#fp-ts/Either';
import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import { Finding } from '../../contract/finding.js';
import { type FindingsQuery, operations } from '../../contract/operations.js';
import { Pr } from '../../contract/pr.js';
import { RepoList } from '../../contract/repo.js';
import type {
  FixDraftDetails,
  FixDraftRecord,
  PullRequestDetails,
  RepoDetails,
} from '../../records/row-records.js';
import type {
  ApiDependencies,
  ApiError,
  ContractBroken,
  FindingNotFound,
  Handler,
  ReadError,
} from './handler.js';
import { type PageRows, pageRenderer, rangeOf, rowRenderer } from './paging.js';
import { type Rendered, renderList } from './rendered.js';
import {
  findingDetailView,
  findingView,
  prView,
  relativeTime,
  relativeTimeHoldsUntil,
  repoView,
} from './views.js';

type Body = Rendered<(typeof operations.getFinding)['responses'][200]>;

/**
 * One finding of the caller; an unknown id and an id of another tenant are the same (contract, section 4.3).
 */
const getFinding = ({
  storage,
  keep,
}: Pick<ApiDependencies, 'storage' | 'keep'>): Handler<
  typeof operations.getFinding,
  ReadError | FindingNotFound
> => {
  const renderer = rowRenderer({
    codec: operations.getFinding.responses[200],
    view: findingDetailView,
    nameOf: ({ draft }) => `fix draft ${draft.id}`,
  });
  const kept = keep<FixDraftDetails, E.Right<Body>>();
  const rendered = (row: FixDraftDetails): E.Either<ContractBroken, Body> => {
    const known = kept.get(row);
    if (known !== undefined) return known;
    const result = renderer.one(row);
    if (E.isRight(result) && Object.isFrozen(row)) kept.set(row, result, result.right.keep());
    return result;
  };
  return ({ credentials, path }) =>
    async () => {
      const found = await storage.finding(credentials, path.id)();
      if (E.isLeft(found)) return found;
      return found.right === null ? E.left({ _tag: 'FindingNotFound' }) : rendered(found.right);
    };
};

type Operation = typeof operations.listConnectedRepos;

/** A rendered list, and the time in which the words in it are right, in milliseconds. */
type Kept = Readonly<{ from: number; until: number; list: Rendered<typeof RepoList> }>;

/** Every repository of the caller, the most recently scanned first (contract, section 4.1). */
const listConnectedRepos = ({ storage, clock, keep }: ApiDependencies): Handler<Operation, ReadError> => {
  const renderer = rowRenderer({
    codec: RepoList.type,
    view: repoView,
    nameOf: ({ repo }) => `repo ${repo.id}`,
  });
  const kept = keep<readonly RepoDetails[], Kept>();
  return ({ credentials }) =>
    async () => {
      const found = await storage.repos(credentials)();
      if (E.isLeft(found)) return found;
      const rows = found.right;
      const now = clock();
      const known = kept.get(rows);
      if (known !== undefined && known.from <= now && now < known.until) return E.right(known.list);
      const items = await renderer.allInTurns(rows, (row) => lastScanText(row, now))();
      if (E.isLeft(items)) return items;
      const list = renderList(RepoList, items.right);
      const until = rows.reduce((first, row) => Math.min(first, holdsUntil(row, now)), Infinity);
      if (Object.isFrozen(rows)) kept.set(rows, { from: now, until, list }, list.keep());
      return E.right(list);
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
const listFindings = ({
  storage,
  keep,
}: Pick<ApiDependencies, 'storage' | 'keep'>): Handler<typeof operations.listFindings, ReadError> => {
  const items = { codec: Finding, view: findingView, nameOf: ({ id }: FixDraftRecord) => `fix draft ${id}` };
  const render = pageRenderer(operations.listFindings.responses[200], items, keep, narrowed);
  return ({ credentials, query }) =>
    async () => {
      const { offset, limit } = rangeOf(query);
      const found = await storage.findings(credentials, { repoId: query.repoId, offset, limit })();
      return E.isLeft(found) ? found : render(found.right, query);
    };
};

const narrowed = (page: PageRows<FixDraftRecord>, query: FindingsQuery): PageRows<FixDraftRecord> =>
  query.severity === undefined && query.status === undefined
    ? page
    : { rows: page.rows.filter(matches(query)), total: page.total };

const matches =
  ({ severity, status }: FindingsQuery) =>
  (draft: FixDraftRecord): boolean =>
    (severity === undefined || draft.severity === severity) &&
    (status === undefined || draft.status === status);

/**
 * A page of the caller's fix pull requests, of one repository and one status when these are given. Both
 * filters apply before the page is cut, so that the totals count what matches (contract, section 4.4, rule
 * 2).
 */
const listPrs = ({
  storage,
  keep,
}: Pick<ApiDependencies, 'storage' | 'keep'>): Handler<typeof operations.listPrs, ReadError> => {
  const items = {
    codec: Pr,
    view: prView,
    nameOf: ({ pullRequest }: PullRequestDetails) => `pull request ${pullRequest.id}`,
  };
  const render = pageRenderer(operations.listPrs.responses[200], items, keep);
  return ({ credentials, query }) =>
    async () => {
      const { repoId, status } = query;
      const { offset, limit } = rangeOf(query);
      const found = await storage.prs(credentials, { repoId, status, offset, limit })();
      return E.isLeft(found) ? found : render(found.right, query);
    };
};

type Operations = typeof operations;

/** The handler of every operation of the contract (contract, section 4). */
export const handlers = (dependencies: ApiDependencies) =>
  ({
    listConnectedRepos: listConnectedRepos(dependencies),
    listFindings: listFindings(dependencies),
    getFinding: getFinding(dependencies),
    listPrs: listPrs(dependencies),
  }) satisfies { [Id in keyof Operations]: Handler<Operations[Id], ApiError> };
