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
import { type Handler, handlers, type Input, readBody } from '../api/handlers.js';
import { isCurrent } from '../api/headers.js';
import { decodeInput } from '../api/parameters.js';
import { headerOf, pathWithQuery, requestLog, type ServiceRequest } from '../api/request.js';
import { withHeaders } from '../api/response.js';
import type { PresentedCredentials, TriageStorage } from '../api/storage-port.js';
import type { Clock, ClockOf } from '../common/clock.js';
import { limitConcurrency } from '../common/concurrency.js';
import { queryOf } from '../common/query-values.js';
import { nextTurn } from '../common/timers.js';
import { listOf, nullable } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { integerFrom } from '../contract/codecs/text-and-numbers.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { FindingDetail } from '../contract/finding.js';
import type { AnyOperation, BodyOf, PrsQuery } from '../contract/operations.js';
import { maxLimit, type PageInfo } from '../contract/page-and-limit.js';
import { failurePage, type ShownRequest, type View, type ViewContext } from './explorer/explorer-page.js';
import { findingPage, findingsPage, type PrStates, type PrsOfFinding } from './explorer/findings-pages.js';
import { type ListView, type RepoChoice, repoChoice, repoNames } from './explorer/lists.js';
import { overviewPage, type ReadRows } from './explorer/overview-page.js';
import { prsPage } from './explorer/prs-page.js';
import { maxShownRepos, reposPage } from './explorer/repos-page.js';
import type { Html } from './html.js';
import { explorerPaths } from './paths.js';
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
const readPages = async <PageRow>(
  readPage: (
    page: number,
  ) => Promise<E.Either<ReadFailure, PageInfo & Readonly<{ items: readonly PageRow[] }>>>,
  maxRows: number,
  isEnough: (rows: readonly PageRow[]) => boolean,
): Promise<E.Either<ReadFailure, ReadRows<PageRow>>> => {
  const rows: PageRow[] = [];
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
const readPrs = (visit: Visit, query: Partial<PrsQuery>) =>
  read(visit, handlers.listPrs, { path: {}, query: { ...everything, ...query } });

const readRepos = (visit: Visit) => read(visit, handlers.listConnectedRepos, { path: {}, query: {} });

/** The names of repositories. A view is shown without them if they cannot be read. */
const readRepoNames = async (visit: Visit): Promise<readonly RepoChoice[]> => {
  const repos = await readRepos(visit);
  return E.isLeft(repos) ? [] : repos.right.map(repoChoice);
};

/** So many rows of the other list are read to say what a row belongs to. */
const maxJoined = 500;

/** The states of the newest pull requests, by finding. A page is shown without what cannot be read. */
const readPrStates = async (visit: Visit, repoId: string | undefined): Promise<PrStates> => {
  const read = await readPages(
    (page) => readPrs(visit, { page, repoId }),
    maxJoined,
    () => false,
  );
  // The newest comes first, and is the last to be put into the map.
  const newestLast = E.isLeft(read) ? [] : read.right.rows.toReversed();
  return new Map(newestLast.map(({ id, prState }) => [id, prState]));
};

/** The severities of the newest findings, by their ids. */
const readSeverities = async (visit: Visit, repoId: string | undefined) => {
  const query = { ...everything, repoId };
  const found = await readPages(
    (page) => read(visit, handlers.listFindings, { path: {}, query: { ...query, page } }),
    maxJoined,
    () => false,
  );
  return new Map((E.isLeft(found) ? [] : found.right.rows).map(({ id, severity }) => [id, severity]));
};

/** Why a view cannot be shown, and the request that failed; null: one of several, or none in particular. */
type ViewProblem = Readonly<{
  failure: ReadFailure;
  request: Readonly<{ operation: AnyOperation; target: string }> | null;
}>;

type Viewed = Promise<E.Either<ViewProblem, Html>>;

/**
 * A view of the explorer for the user who is signed in by cookie; others are sent to the login page, which
 * leads back. A failure has a page too, with the status that the API answers.
 */
const viewFor = ({ responses, signedInUser }: WebContext, dependencies: ExploreDependencies) => {
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
      const context: ViewContext = { page, now, origin, version, mayControl: request.mayControl };
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
      answered: Omit<ListView<t.TypeOf<Op['queryParameters']>, BodyOf<Op>>, 'repos'>,
    ) => Viewed,
  ) =>
  async (visit: Visit): Viewed => {
    const { operation } = handler;
    const {
      params,
      request: { querystring },
    } = visit;
    const path = operation.path.replace('{id}', () => encodeURIComponent(params.id ?? ''));
    const request = { operation, target: querystring === '' ? path : `${path}?${querystring}` };
    const { input, ignored } = decodeInput(operation, { path: params, query: queryOf(querystring) }, strict);
    if (E.isLeft(input)) return E.left({ failure: input.left, request });
    const answered = await read(visit, handler, input.right);
    if (E.isLeft(answered)) return E.left({ failure: answered.left, request });
    const answer = answered.right;
    const shown = { ...request, status: 200, body: answer };
    return show(visit, { request: shown, query: input.right.query, answer, ignored });
  };

/** So many rows of each list are counted; docs/fixtures.md names the number. */
const maxRows = 10_000;

/** So many overviews are made at once; others wait. Each may read 200 pages. */
const overviewsAtOnce = 2;

const overviewOf = () => {
  const inTurn = limitConcurrency(overviewsAtOnce);
  return async (visit: Visit): Viewed =>
    pipe(
      await inTurn(() => readOverview(visit)),
      E.mapLeft((failure) => ({ failure, request: null })),
    );
};

const readOverview = async (visit: Visit): Promise<E.Either<ReadFailure, Html>> => {
  const isGone = (): boolean => visit.request.signal.aborted;
  const readFindings = (page: number) =>
    read(visit, handlers.listFindings, { path: {}, query: { ...everything, page } });
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

  const repos = viewOf(handlers.listConnectedRepos, async ({ context }, view) => {
    const total = view.answer.length;
    const repos = view.answer.slice(0, maxShownRepos);
    const cut = repos.length < total ? { part: `The first ${repos.length} of ${total} items.` } : {};
    return E.right(
      reposPage(context, { ...view, request: { ...view.request, body: repos, ...cut }, repos, total }),
    );
  });
  const findings = viewOf(handlers.listFindings, async (visit, view) =>
    E.right(
      findingsPage(
        visit.context,
        { ...view, repos: await readRepoNames(visit) },
        await readPrStates(visit, view.query.repoId),
      ),
    ),
  );
  const prs = viewOf(handlers.listPrs, async (visit, view) =>
    E.right(
      prsPage(
        visit.context,
        { ...view, repos: await readRepoNames(visit) },
        await readSeverities(visit, view.query.repoId),
      ),
    ),
  );
  const finding = viewOf(handlers.getFinding, async (visit, { answer, ...view }) => {
    const repoName = repoNames(await readRepoNames(visit));
    const related = await prsOf(answer, visit);
    return E.right(findingPage(visit.context, { ...view, finding: answer, repoName, related }));
  });

  return [
    asset(explorerPaths.stylesheet, 'explore.css'),
    asset(explorerPaths.script, 'explore.js', revalidated),
    get(explorerPaths.overview, exploring('overview', overviewOf())),
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
