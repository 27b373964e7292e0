import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { Params } from '../api/call.js';
import { hashCredentials, readCredentials } from '../api/credentials.js';
import type { EndpointDependencies } from '../api/endpoint.js';
import {
  type ApiError,
  apiFailures,
  type FindingNotFound,
  headOf,
  logFailure,
  type Unexpected,
} from '../api/failures.js';
import { type Handler, handlers, type Input, readBody, readRows } from '../api/handlers.js';
import { isCurrent } from '../api/headers.js';
import { decodeInput } from '../api/parameters.js';
import { headerOf, pathWithQuery, requestLog, type ServiceRequest } from '../api/request.js';
import { withHeaders } from '../api/response.js';
import type { PresentedCredentials, Slice, TriageStorage } from '../api/storage-port.js';
import type { Clock, ClockOf } from '../common/clock.js';
import { limitConcurrency } from '../common/concurrency.js';
import { queryOf } from '../common/query-values.js';
import { nextTurn } from '../common/timers.js';
import { listOf, nullable } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { integerFrom } from '../contract/codecs/text-and-numbers.js';
import { type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import type { Finding, FindingDetail } from '../contract/finding.js';
import type { AnyOperation, BodyOf, FindingsQuery, PrsQuery } from '../contract/operations.js';
import { maxLimit, type PageInfo } from '../contract/page-and-limit.js';
import type { Pr } from '../contract/pr.js';
import {
  type Conditions,
  conditionIn,
  findingConditions,
  ownParameter,
  prConditions,
  repoConditions,
} from './explorer/conditions.js';
import { failurePage, type ShownRequest, type View, type ViewContext } from './explorer/explorer-page.js';
import { findingPage, findingsPage, type PrsOfFinding } from './explorer/findings-pages.js';
import { type ListView, type RepoChoice, repoChoice, repoNames } from './explorer/lists.js';
import { overviewPage, type ReadRows } from './explorer/overview-page.js';
import { prsPage } from './explorer/prs-page.js';
import { maxShownRepos, reposPage } from './explorer/repos-page.js';
import type { Html } from './html.js';
import { explorerPaths, queryString } from './paths.js';
import type { Answer, PageRow } from './rows.js';
import type { WebContext } from './web.js';

export type ExploreDependencies = Pick<EndpointDependencies, 'log' | 'strict'> &
  Readonly<{
    storage: TriageStorage;
    clock: ClockOf;
    /** What changes while the server runs; null: it cannot tell. */
    changes: Changes | null;
  }>;

/** What a view is made for: on whose behalf it reads, and what the page shows besides. */
type Visit = Readonly<{
  request: ServiceRequest;
  params: Params;
  credentials: PresentedCredentials;
  context: ViewContext;
  storage: TriageStorage;
  /** The clock of the user. */
  clock: Clock;
}>;

type ReadFailure = ApiError | Unexpected;

/** Reads the body of an answer to the user. */
const read = async <Op extends AnyOperation, Rows, F extends FindingNotFound>(
  { storage, credentials, clock }: Visit,
  handler: Handler<Op, Rows, F>,
  input: Input<Op>,
): Promise<E.Either<ReadFailure, BodyOf<Op>>> => {
  try {
    return await readBody(handler, storage, credentials, input, clock);
  } catch (cause) {
    return E.left({ _tag: 'Unexpected', cause });
  }
};

/** Reads a list page by page, up to so many rows or until `isEnough`, with other requests in between. */
const readPages = async <Row>(
  readPage: (page: number) => Promise<E.Either<ReadFailure, PageOf<Row>>>,
  maxRows: number,
  isEnough: (rows: readonly Row[]) => boolean = () => false,
): Promise<E.Either<ReadFailure, ReadRows<Row>>> => {
  const rows: Row[] = [];
  let total = 0;
  for (let page = 1; page <= Math.ceil(maxRows / maxLimit); page += 1) {
    const answered = await readPage(page);
    if (E.isLeft(answered)) return answered;
    const { items, totalItems, totalPages } = answered.right;
    rows.push(...items);
    total = totalItems;
    if (page >= totalPages || isEnough(rows)) break;
    await nextTurn();
  }
  return E.right({ rows: rows.slice(0, maxRows), total });
};

/** The query for the first page of any list, of the maximum size. */
const everything = { page: 1, limit: maxLimit, repoId: undefined, severity: undefined, status: undefined };

/** A page of pull requests: the first, of the maximum size, unless the query says otherwise. */
const readPrs = (visit: Visit, query: Partial<PrsQuery>) => prSource.read(visit, { ...everything, ...query });

const readRepos = (visit: Visit) => read(visit, handlers.listConnectedRepos, { path: {}, query: {} });

/** The names of repositories. A view is shown without them if they cannot be read. */
const readRepoNames = async (visit: Visit): Promise<readonly RepoChoice[]> => {
  const repos = await readRepos(visit);
  return E.isLeft(repos) ? [] : repos.right.map(repoChoice);
};

/** What is read of the other list to say what a row belongs to. */
const newestOf = (repoId: string | undefined) => ({
  path: {},
  query: { ...everything, limit: 500, repoId },
});

/** What another list says of rows, by the ids of their findings. */
type ReadNewest<Known> = (visit: Visit, repoId: string | undefined) => Promise<ReadonlyMap<string, Known>>;

/**
 * What the newest rows of a list say. It is no answer of the API, so rows are not made resources. A page is
 * shown without what cannot be read.
 */
const readNewest =
  <Op extends AnyOperation, Row, Known>(
    handler: Handler<Op, Slice<Row>, never>,
    inputFor: (repoId: string | undefined) => Input<Op>,
    entryOf: (row: Row) => readonly [string, Known],
  ): ReadNewest<Known> =>
  async ({ storage, credentials }, repoId) => {
    const found = await readRows(handler, storage, credentials, inputFor(repoId)).catch(() => E.left(null));
    // The newest comes first, and is the last to be put into the map.
    return new Map(E.isLeft(found) ? [] : found.right.rows.rows.toReversed().map(entryOf));
  };

/** Why a view cannot be shown, and the request that failed; null: one of several, or none in particular. */
type ViewProblem = Readonly<{
  failure: ReadFailure;
  request: Pick<ShownRequest, 'operation' | 'target'> | null;
}>;

type Viewed = Promise<E.Either<ViewProblem, Html>>;

/**
 * A view of the explorer for the user who is signed in by cookie; others are sent to the login page, which
 * leads back. A failure has a page too, with the status that the API answers.
 */
const viewFor = ({ responses, signedInUser, offers }: WebContext, dependencies: ExploreDependencies) => {
  const { storage, clock, log, changes } = dependencies;
  return (view: View, show: (visit: Visit) => Viewed): Answer =>
    async (request, { params }) => {
      // Read first: the page shows this state, or a later one.
      const version = changes?.version() ?? null;
      const visitor = await signedInUser(request);
      const own = (): number => clock(E.isRight(visitor) ? visitor.right.id : undefined);
      const now = own();
      const page = await responses.pageContext(request);
      const origin = `${request.origin}${responses.basePath}`;
      // Another tenant has other findings.
      const here = params.id === undefined ? pathWithQuery(request) : explorerPaths.findings;
      const back = responses.pathToReturnTo(`${responses.basePath}${here}`);
      const offered = offers.offeredOn(request, page, back);
      const account = page.user && offers.findFor(request)(page.user.email);
      const context: ViewContext = {
        page,
        now,
        origin,
        version,
        mayControl: request.mayControl,
        publicSession: account?.session ?? null,
        others: account === null ? null : offered,
      };
      const raw = readCredentials(request.headers, ['session']);
      const credentials = E.isLeft(visitor) ? visitor : hashCredentials(raw, timestampAt(clock()));
      const viewed: Awaited<Viewed> = E.isLeft(credentials)
        ? E.left({ failure: credentials.left, request: null })
        : await show({ request, params, credentials: credentials.right, context, storage, clock: own });
      if (E.isRight(viewed)) return { status: 200, body: responses.pageOf(viewed.right) };
      const { failure, request: failed } = viewed.left;
      if (failure._tag === 'Unauthorized') return responses.askToSignIn(request);
      logFailure(requestLog(log, request), failed?.operation.id ?? 'explore', failure);
      const [status, message] = [apiFailures.statusOf(failure), apiFailures.messageOf(failure)];
      const shown: ShownRequest | null = failed && { ...failed, status, body: { error: message } };
      const content = failurePage(context, view, { status, message, request: shown }, pathWithQuery(request));
      return { ...headOf(apiFailures, failure, ['session']), body: responses.pageOf(content) };
    };
};

/** Returns a function that makes a view of one operation. The parameters are those of the operation. */
const viewOfOperation =
  (strict: boolean) =>
  <Op extends AnyOperation, Rows, F extends FindingNotFound>(
    handler: Handler<Op, Rows, F>,
    show: (
      visit: Visit,
      answered: Omit<ListView<t.TypeOf<Op['queryParameters']>, BodyOf<Op>>, 'repos' | 'without'>,
    ) => Viewed,
  ) =>
  async (visit: Visit): Viewed => {
    const { operation } = handler;
    const { params } = visit;
    const { rows, querystring } = withoutRows(operation, visit.request);
    const path = operation.path.replace('{id}', () => encodeURIComponent(params.id ?? ''));
    const request = { operation, target: querystring === '' ? path : `${path}?${querystring}` };
    const { input, ignored } = decodeInput(operation, { path: params, query: queryOf(querystring) }, strict);
    if (E.isLeft(input)) return E.left({ failure: input.left, request });
    const answered = await read(visit, handler, input.right);
    if (E.isLeft(answered)) return E.left({ failure: answered.left, request });
    const answer = answered.right;
    const shown = { ...request, status: 200, body: answer };
    return show(visit, { request: shown, query: input.right.query, answer, ignored, rows });
  };

/** What the explorer alone is asked for in the query of a list, and the rest, which is for the API. */
const withoutRows = ({ id }: AnyOperation, { querystring }: ServiceRequest) => {
  const query = new URLSearchParams(querystring);
  if (id === 'getFinding' || !query.has(ownParameter)) return { rows: undefined, querystring };
  const rows = query.getAll(ownParameter).join(',');
  query.delete(ownParameter);
  return { rows, querystring: String(query) };
};

/** So many rows of each list are counted; docs/fixtures.md names the number. */
const maxRows = 10_000;

/** So many views that read whole lists are made at once; others wait. Each may read 200 pages. */
const wholeListsAtOnce = 2;
type InTurn = ReturnType<typeof limitConcurrency>;

type PageOf<Row> = PageInfo & Readonly<{ items: readonly Row[] }>;

/** How a list is read, and what the explorer narrows it by; `conditions` may have to read another list. */
type ListSource<Query, Row> = Readonly<{
  read: (visit: Visit, query: Query) => Promise<E.Either<ReadFailure, PageOf<Row>>>;
  conditions: (visit: Visit, query: Query) => Promise<E.Either<ReadFailure, Conditions<Row>>>;
  momentOf: (row: Row) => Timestamp;
}>;

/** A page of a list as the API answers it, or else of all its rows that meet the conditions in `rows`. */
const listPageOf =
  <Query extends Readonly<{ page: number; limit: number }>, Row>(
    inTurn: InTurn,
    { read, conditions, momentOf }: ListSource<Query, Row>,
  ) =>
  async (visit: Visit, query: Query, rows: string | undefined) => {
    if (rows === undefined) return read(visit, query);
    const known = await conditions(visit, query);
    const condition = E.isLeft(known) ? known : conditionIn(rows, known.right, momentOf);
    if (E.isLeft(condition)) return condition;
    const isGone = (): boolean => visit.request.signal.aborted;
    const all = await inTurn(() =>
      readPages((page) => read(visit, { ...query, page, limit: maxLimit }), maxRows, isGone),
    );
    if (E.isLeft(all)) return all;
    const { page, limit } = query;
    const found = all.right.rows.filter(condition.right);
    const items = found.slice((page - 1) * limit, page * limit);
    const totals = { totalItems: found.length, totalPages: Math.ceil(found.length / limit) };
    return E.right({ page, limit, ...totals, items, of: all.right.total });
  };

/** A view of a list: with rows of all its pages if it shall, what empties it, and what another list says. */
const listView =
  <Query extends Readonly<{ page: number; limit: number; repoId: string | undefined }>, Row, Known>(
    inTurn: InTurn,
    source: ListSource<Query, Row>,
    readOther: ReadNewest<Known>,
    pageOf: (
      context: ViewContext,
      view: ListView<Query, PageOf<Row>>,
      known: ReadonlyMap<string, Known>,
    ) => Html,
  ) =>
  async (visit: Visit, view: Omit<ListView<Query, PageOf<Row>>, 'repos' | 'without'>): Viewed => {
    const { request, query, rows } = view;
    const read = listPageOf(inTurn, source);
    const listed = rows === undefined ? E.right(view.answer) : await read(visit, query, rows);
    if (E.isLeft(listed)) return E.left({ failure: listed.left, request });
    const answer = listed.right;
    const { page: _, limit: __, ...filters } = query;
    const without: [name: string, value: string, items: number][] = [];
    if (answer.items.length === 0 && answer.page <= Math.max(1, answer.totalPages))
      for (const [name, value] of Object.entries({ ...filters, [ownParameter]: rows })) {
        if (typeof value !== 'string') continue;
        const others = name === ownParameter ? undefined : rows;
        const rest = await read(visit, { ...query, [name]: undefined }, others);
        if (E.isRight(rest)) without.push([name, value, rest.right.items.length]);
      }
    const repos = await readRepoNames(visit);
    const shown = rows === undefined ? request : ofWholeList(request, answer);
    const known = await readOther(visit, query.repoId);
    return E.right(pageOf(visit.context, { ...view, request: shown, answer, without, repos }, known));
  };

/** What stands beside rows of all pages of a list: the request for its first page, and those rows. */
const ofWholeList = (
  request: ShownRequest,
  answer: PageOf<unknown> & Readonly<{ of?: number }>,
): ShownRequest => {
  const [path = '', query] = request.target.split('?');
  const { page: _, ...others } = Object.fromEntries(new URLSearchParams(query));
  const { items, totalItems, of = 0 } = answer;
  const part = `These rows, of ${totalItems} that the explorer has found among ${Math.min(of, maxRows)} of ${of} on all pages.`;
  return { ...request, target: `${path}${queryString({ ...others, limit: maxLimit })}`, body: items, part };
};

const overviewOf =
  (inTurn: InTurn) =>
  async (visit: Visit): Viewed =>
    pipe(
      await inTurn(() => readOverview(visit)),
      E.mapLeft((failure) => ({ failure, request: null })),
    );

const readOverview = async (visit: Visit): Promise<E.Either<ReadFailure, Html>> => {
  const isGone = (): boolean => visit.request.signal.aborted;
  const readFindings = (page: number) => findingSource.read(visit, { ...everything, page });
  const repos = await readRepos(visit);
  if (E.isLeft(repos)) return repos;
  const findings = await readPages(readFindings, maxRows, isGone);
  if (E.isLeft(findings)) return findings;
  const prs = await readPages((page) => readPrs(visit, { page }), maxRows, isGone);
  if (E.isLeft(prs)) return prs;
  const open = await readPrs(visit, { limit: 1, status: 'open' });
  if (E.isLeft(open)) return open;
  const lists = { repos: repos.right, findings: findings.right, prs: prs.right };
  return E.right(overviewPage(visit.context, { ...lists, openPrs: open.right.totalItems }));
};

const findingSource: ListSource<FindingsQuery, Finding> = {
  read: (visit, query) => read(visit, handlers.listFindings, { path: {}, query }),
  conditions: async (visit, { repoId }) => {
    const open = await readPages((page) => readPrs(visit, { page, repoId, status: 'open' }), maxRows);
    return pipe(
      open,
      E.map(({ rows }) => findingConditions(new Set(rows.map(({ id }) => id)))),
    );
  },
  momentOf: ({ discoveredAt }) => discoveredAt,
};

const prSource: ListSource<PrsQuery, Pr> = {
  read: (visit, query) => read(visit, handlers.listPrs, { path: {}, query }),
  conditions: async () => E.right(prConditions),
  momentOf: ({ createdAt }) => createdAt,
};

/** So many pull requests of a repository are looked through for those of a finding. */
const maxPrs = 2000;

/** The pull requests of a finding, among those of its repository; null: they cannot be read. */
const prsOf = async ({ id, repoId, prCount }: FindingDetail, visit: Visit): Promise<PrsOfFinding | null> => {
  if (prCount === 0) return { prs: [], read: 0, total: 0 };
  const answered = await readPages(
    (page) => readPrs(visit, { page, repoId }),
    maxPrs,
    (rows) => visit.request.signal.aborted || rows.filter((pr) => pr.id === id).length >= prCount,
  );
  if (E.isLeft(answered)) return null;
  const { rows, total } = answered.right;
  return { prs: rows.filter((pr) => pr.id === id), read: rows.length, total };
};

/** The pages of the explorer, which read the operations of the API on behalf of the user who is signed in. */
export const explorerRows = (web: WebContext, dependencies: ExploreDependencies): readonly PageRow[] => {
  const { get, asset } = web;
  const { changes, strict } = dependencies;
  const exploring = viewFor(web, dependencies);
  const viewOf = viewOfOperation(strict);

  const inTurn = limitConcurrency(wholeListsAtOnce);

  const repos = viewOf(handlers.listConnectedRepos, async ({ context }, { rows, ...view }) => {
    const condition =
      rows === undefined ? E.right(() => true) : conditionIn(rows, repoConditions, (repo) => repo.lastScanAt);
    if (E.isLeft(condition)) return E.left({ failure: condition.left, request: view.request });
    const found = view.answer.filter(condition.right);
    const repos = found.slice(0, maxShownRepos);
    const part = rows === undefined ? '' : ` The explorer has left out those that are not ${rows}.`;
    const cut =
      repos.length < view.answer.length
        ? { part: `The first ${repos.length} of ${view.answer.length} items.${part}` }
        : {};
    return E.right(
      reposPage(context, {
        ...view,
        request: { ...view.request, body: repos, ...cut },
        repos,
        total: found.length,
      }),
    );
  });
  const prStates = readNewest(handlers.listPrs, newestOf, ({ pullRequest }) => [
    pullRequest.draftId,
    pullRequest.prState,
  ]);
  const severities = readNewest(handlers.listFindings, newestOf, ({ id, severity }) => [id, severity]);
  const findings = viewOf(handlers.listFindings, listView(inTurn, findingSource, prStates, findingsPage));
  const prs = viewOf(handlers.listPrs, listView(inTurn, prSource, severities, prsPage));
  const finding = viewOf(handlers.getFinding, async (visit, { answer, ...view }) => {
    const repoName = repoNames(await readRepoNames(visit));
    const related = await prsOf(answer, visit);
    return E.right(findingPage(visit.context, { ...view, finding: answer, repoName, related }));
  });

  return [
    asset(explorerPaths.stylesheet, 'explore.css'),
    asset(explorerPaths.script, 'explore.js', revalidated),
    get(explorerPaths.overview, exploring('overview', overviewOf(inTurn))),
    get(explorerPaths.repos, exploring('repos', repos)),
    get(explorerPaths.findings, exploring('findings', findings)),
    get(explorerPaths.prs, exploring('prs', prs)),
    get(`${explorerPaths.findings}/:id`, exploring('findings', finding)),
    ...(changes === null ? [] : [get(explorerPaths.changes, showChanges(web, changes))]),
  ];
};

/** Browsers ask each time whether the script is still the same, so that it fits the page. */
const revalidated = 'public, no-cache';

const Place = new StrictObject(
  { file: t.string, line: integerFrom(1), column: integerFrom(1) },
  'place in a file',
);

const Problem = new StrictObject(
  { message: t.string, place: nullable(Place), frame: nullable(t.string) },
  'problem of a fixture',
);

/** The problems of changed fixtures that are not served: their number, and the first of them. */
const Problems = new StrictObject({ total: integerFrom(0), first: listOf(Problem) }, 'problems');
type Problems = t.TypeOf<typeof Problems>;

/** What the script of the explorer asks for again and again. */
const ChangesAnswer = new StrictObject(
  {
    /** Another text after each change of the data or the clock. */
    version: t.string,
    /** How long to wait before the next request, in milliseconds. */
    every: integerFrom(1),
    /** Null: the fixtures have none, or the client may not see them. */
    problems: nullable(Problems),
  },
  'changes',
);

/** What changes while a server runs, as far as it knows. */
type Changes = Readonly<{
  /** Another text after each change of the data or the clock, and after a new start. */
  version: () => string;
  /** What is wrong with the fixtures that were to be served last; null: nothing. */
  problems: () => Problems | null;
}>;

/** How long a page waits between two requests, in milliseconds. Pages wait longer when nothing happens. */
const everyHere = 1000;
const everyElsewhere = 10_000;

/**
 * `GET /explore/changes`: whether what the pages show has changed. A request takes one look at the session,
 * and its answer is a 304 as long as nothing changes.
 */
const showChanges = ({ responses, signedInUser }: WebContext, changes: Changes): Answer => {
  let problemsBefore = changes.problems();
  let problemsVersion = 0;
  return async (request) => {
    const user = await signedInUser(request);
    if (E.isLeft(user)) return responses.jsonFailure(request, user.left);
    // Those who may use the mock controls may also see the paths and lines of files.
    const isHere = request.mayControl;
    const [version, problems] = [changes.version(), changes.problems()];
    if (problems !== problemsBefore) [problemsBefore, problemsVersion] = [problems, problemsVersion + 1];
    const etag = `"${version}${isHere ? `-${problemsVersion}` : ''}"`;
    if (isCurrent(headerOf(request, 'if-none-match'), etag)) return { status: 304, headers: { ETag: etag } };
    const answered = responses.json(request, 200, ChangesAnswer, {
      version,
      every: isHere ? everyHere : everyElsewhere,
      problems: isHere ? problems : null,
    });
    return withHeaders(answered, { ETag: etag });
  };
};
