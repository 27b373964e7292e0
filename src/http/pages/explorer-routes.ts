import { setImmediate } from 'node:timers/promises';
import type Router from '@koa/router';
import * as t from 'io-ts';
import type { Context } from 'koa';
import * as E from '#fp-ts/Either';
import { hashCredentials } from '../../accounts/sessions-and-tokens.js';
import type { Clock } from '../../common/clock.js';
import { limitConcurrency } from '../../common/concurrency.js';
import type { Log } from '../../common/log.js';
import { decode } from '../../contract/codecs/problem.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { FindingDetail } from '../../contract/finding.js';
import { type AnyOperation, operations } from '../../contract/operations.js';
import { maxLimit, PageNumber } from '../../contract/page-and-limit.js';
import { Repo } from '../../contract/repo.js';
import {
  failurePage,
  type ShownRequest,
  type View,
  type ViewContext,
} from '../../pages/explorer/explorer-page.js';
import { findingPage, findingsPage, type PrsOfFinding } from '../../pages/explorer/findings-pages.js';
import { type ListView, type RepoChoice, repoChoice, repoNames } from '../../pages/explorer/lists.js';
import type { OverviewData, ReadRows } from '../../pages/explorer/overview.js';
import { overviewPage } from '../../pages/explorer/overview-page.js';
import { prsPage } from '../../pages/explorer/prs-page.js';
import { reposOnAPage, reposPage } from '../../pages/explorer/repos-page.js';
import type { Html } from '../../pages/html.js';
import { explorerPaths } from '../../pages/paths.js';
import type { PresentedCredentials, StorageError } from '../../storage/port.js';
import { asset, revalidated } from '../asset.js';
import { readCredentials } from '../operations/credentials.js';
import {
  failureHead,
  failureResponse,
  logFailure,
  messageOf,
  statuses,
  type Unexpected,
} from '../operations/failures.js';
import {
  type ApiDependencies,
  type ApiError,
  type Handler,
  handlers,
  type OperationRequest,
} from '../operations/handlers.js';
import { decodeInput, valuesOf } from '../operations/parameters.js';
import type { Rendered } from '../operations/rendered.js';
import { requestLog } from '../operations/request.js';
import { type OutgoingResponse, redirect, respond } from '../response.js';
import { addChanges, type Changes, type ChangesDependencies } from './explorer-changes.js';
import type { WebContext } from './web.js';
import { prefersJson } from './web-responses.js';

/** Why an operation has no answer. */
type ReadFailure = ApiError | Unexpected;

/** What an operation has answered: the body, and what its codec has made of it. */
type Answered<A> = Readonly<{ body: unknown; value: A }>;

/** Sends a request to an operation, without HTTP. */
const answerOf = async <Op extends AnyOperation>(
  handler: Handler<Op, ApiError>,
  request: OperationRequest<Op>,
): Promise<E.Either<ReadFailure, Rendered<Op['responses'][200]>>> => {
  try {
    return await handler(request)();
  } catch (cause) {
    return E.left({ _tag: 'Unexpected', cause });
  }
};

/** Sends a request to an operation, and parses the body that clients would get. */
const readBody = async <Op extends AnyOperation>(
  handler: Handler<Op, ApiError>,
  request: OperationRequest<Op>,
): Promise<E.Either<ReadFailure, unknown>> => {
  const answered = await answerOf(handler, request);
  if (E.isLeft(answered)) return answered;
  const body: unknown = JSON.parse(answered.right.json);
  return E.right(body);
};

/** Reads an operation as its clients do: the body is decoded by the codec of the contract. */
const readOperation = async <Op extends AnyOperation>(
  operation: Op,
  handler: Handler<Op, ApiError>,
  request: OperationRequest<Op>,
): Promise<E.Either<ReadFailure, Answered<t.TypeOf<Op['responses'][200]>>>> => {
  const read = await readBody(handler, request);
  if (E.isLeft(read)) return read;
  const codec: t.Decoder<unknown, t.TypeOf<Op['responses'][200]>> = operation.responses[200];
  const value = decode(codec, read.right);
  return E.isLeft(value)
    ? E.left({ _tag: 'ContractBroken', row: `the answer of ${operation.id}`, problems: value.left })
    : E.right({ body: read.right, value: value.right });
};

/** A page of a list, as the API answers it. */
type Page<Row> = Readonly<{ items: readonly Row[]; totalItems: number; totalPages: number }>;

/** Reads the page with this number, of the maximum size. */
type ReadPage<Row> = (page: number) => Promise<E.Either<ReadFailure, Page<Row>>>;

/**
 * Reads a list page by page, up to so many rows, with other requests in between. It ends early when
 * `isEnough` says so: nobody waits any more, or everything was found.
 */
const readPages = async <Row>(
  readPage: ReadPage<Row>,
  maxRows: number,
  isEnough: (rows: readonly Row[]) => boolean,
): Promise<E.Either<ReadFailure, ReadRows<Row>>> => {
  const rows: Row[] = [];
  let total = 0;
  for (let page = 1; page <= Math.ceil(maxRows / maxLimit); page += 1) {
    const read = await readPage(page);
    if (E.isLeft(read)) return read;
    const { items, totalItems, totalPages } = read.right;
    rows.push(...items);
    total = totalItems;
    if (page >= totalPages || isEnough(rows)) break;
    await setImmediate();
  }
  return E.right({ rows: rows.slice(0, maxRows), total });
};

type ListRepos = Handler<typeof operations.listConnectedRepos, ApiError>;

/** Reads the list of repositories, of any length. Its items are not decoded yet: few of them may be shown. */
const readRepoItems = async (
  handler: ListRepos,
  credentials: PresentedCredentials,
): Promise<E.Either<ReadFailure, readonly unknown[]>> => {
  const read = await readBody(handler, { credentials, path: {}, query: {} });
  if (E.isLeft(read)) return read;
  return t.UnknownArray.is(read.right) ? E.right(read.right) : E.left(broken([]));
};

/** So many repositories are decoded before others have their turn. */
const inOneGo = 500;

/** Decodes repositories; a long list in several goes, with other requests in between. */
const decodeRepos = async (items: readonly unknown[]): Promise<E.Either<ReadFailure, readonly Repo[]>> => {
  const repos: Repo[] = [];
  for (let start = 0; start < items.length; start += inOneGo) {
    if (start > 0) await setImmediate();
    const decoded = decode(t.readonlyArray(Repo), items.slice(start, start + inOneGo));
    if (E.isLeft(decoded)) return E.left(broken(decoded.left));
    repos.push(...decoded.right);
  }
  return E.right(repos);
};

const broken = (problems: Extract<ReadFailure, { _tag: 'ContractBroken' }>['problems']): ReadFailure => ({
  _tag: 'ContractBroken',
  row: 'the answer of listConnectedRepos',
  problems,
});

const Named = t.type({ id: t.string, owner: t.string, repo: t.string });

/** Reads the names of repositories. */
type ReadRepoNames = (
  credentials: PresentedCredentials,
) => Promise<E.Either<ReadFailure, readonly RepoChoice[]>>;

/**
 * Returns a function that reads the names of repositories, and remembers those of an answer for as long as
 * the API keeps it: parsing thousands of repositories for each page of findings would take too long.
 */
const readRepoNames = (handler: ListRepos): ReadRepoNames => {
  const known = new WeakMap<object, readonly RepoChoice[]>();
  return async (credentials) => {
    const read = await answerOf(handler, { credentials, path: {}, query: {} });
    if (E.isLeft(read)) return read;
    const names = known.get(read.right) ?? namesIn(JSON.parse(read.right.json));
    known.set(read.right, names);
    return E.right(names);
  };
};

/** The names in a list of repositories; what has none is left out. */
const namesIn = (body: unknown): readonly RepoChoice[] =>
  t.UnknownArray.is(body) ? body.filter(Named.is).map(repoChoice) : [];

/** Why a view cannot be shown, and the request that failed; null: one of several, or none in particular. */
type ViewProblem = Readonly<{ failure: ReadFailure; request: RequestOf | null }>;

/** A request to an operation of the API, as a view shows it. */
type RequestOf = Readonly<{ operation: AnyOperation; target: string }>;

/** A page, or why there is none. */
type Viewed = E.Either<ViewProblem, Html>;

/** What a view is made for: on whose behalf it reads, and what the page shows besides. */
type Visit = Readonly<{ credentials: PresentedCredentials; context: ViewContext }>;

type Dependencies = Pick<WebContext, 'responses' | 'signedInUser'> &
  Readonly<{ clock: Clock; log: Log; changes: Changes | null }>;

/**
 * A view of the explorer for the user who is signed in by cookie; others are sent to the login page, which
 * leads back. A failure has a page too, with the status that the API answers.
 */
const exploring =
  ({ responses, signedInUser, clock, log, changes }: Dependencies) =>
  <C extends Context>(view: View, show: (ctx: C, visit: Visit) => Promise<Viewed>) =>
    respond(async (ctx: C): Promise<OutgoingResponse> => {
      const now = clock();
      // Read first: the page shows this state, or a later one.
      const version = changes?.version() ?? null;
      const origin = `${ctx.protocol}://${ctx.host}`;
      const failed = async (
        { failure, request }: Readonly<{ failure: ReadFailure | StorageError; request: RequestOf | null }>,
        context: ViewContext,
      ): Promise<OutgoingResponse> => {
        if (failure._tag === 'Unauthorized') return signIn(ctx);
        logFailure(requestLog(log, ctx), request?.operation.id ?? 'explore', failure);
        const [status, message] = [statuses[failure._tag], messageOf(failure)];
        const shown: ShownRequest | null = request && { ...request, status, body: { error: message } };
        return {
          ...failureHead(failure, ['session']),
          body: failurePage(context, { view, status, message, request: shown, retry: ctx.url }),
        };
      };
      const user = await signedInUser(ctx)();
      if (E.isLeft(user)) {
        const page = await responses.pageContext(ctx);
        return failed({ failure: user.left, request: null }, { page, now, origin, version });
      }
      const credentials = hashCredentials(readCredentials(ctx.req.headers, ['session']), timestampAt(now));
      if (user.right === null || E.isLeft(credentials)) return signIn(ctx);
      const context: ViewContext = { page: await responses.pageContext(ctx), now, origin, version };
      const viewed = await show(ctx, { credentials: credentials.right, context });
      return E.isLeft(viewed) ? failed(viewed.left, context) : { status: 200, body: viewed.right };
    });

/** The login page, which leads back; a 401 for clients that prefer JSON. */
const signIn = (ctx: Context): OutgoingResponse =>
  prefersJson(ctx)
    ? failureResponse({ _tag: 'Unauthorized' })
    : redirect(`/login?next=${encodeURIComponent(ctx.url)}`);

/** What the routes of the explorer share. */
type ExploreContext = Readonly<{
  /** The operations of the API, as functions. */
  api: ReturnType<typeof handlers>;
  repoNamesOf: ReadRepoNames;
  strict: boolean;
  exploring: ReturnType<typeof exploring>;
}>;

/** So many rows of each list are counted; docs/explore.md names the number. */
const maxRows = 10_000;

/** So many overviews are made at once; others wait. Each may read 200 pages. */
const overviewsAtOnce = 2;

const { listFindings, listPrs } = operations;

/** `GET /explore`. */
const addOverview = (router: Router, { api, exploring }: ExploreContext): void => {
  const inTurn = limitConcurrency(overviewsAtOnce);

  const read = async (
    credentials: PresentedCredentials,
    isGone: () => boolean,
  ): Promise<E.Either<ReadFailure, OverviewData>> => {
    const items = await readRepoItems(api.listConnectedRepos, credentials);
    if (E.isLeft(items)) return items;
    const repos = await decodeRepos(items.right);
    if (E.isLeft(repos)) return repos;
    const findings = await readPages(
      async (page) => {
        const query = { page, limit: maxLimit, repoId: undefined, severity: undefined, status: undefined };
        const answered = await readOperation(listFindings, api.listFindings, {
          credentials,
          path: {},
          query,
        });
        return E.isLeft(answered) ? answered : E.right(answered.right.value);
      },
      maxRows,
      isGone,
    );
    if (E.isLeft(findings)) return findings;
    const prs = await readPages((page) => prPage(api.listPrs, credentials, page), maxRows, isGone);
    if (E.isLeft(prs)) return prs;
    const open = await prPage(api.listPrs, credentials, 1, 'open');
    if (E.isLeft(open)) return open;
    return E.right({
      repos: repos.right,
      findings: findings.right,
      prs: prs.right,
      openPrs: open.right.totalItems,
    });
  };

  router.get(
    explorerPaths.overview,
    exploring('overview', async (ctx, { credentials, context }) => {
      const isGone = (): boolean => ctx.res.destroyed;
      const data = await inTurn(() => read(credentials, isGone));
      return E.isLeft(data)
        ? E.left({ failure: data.left, request: null })
        : E.right(overviewPage(context, data.right));
    }),
  );
};

const prPage = async (
  handler: Handler<typeof listPrs, ApiError>,
  credentials: PresentedCredentials,
  page: number,
  status?: 'open',
) => {
  const query = { page, limit: status === undefined ? maxLimit : 1, repoId: undefined, status };
  const answered = await readOperation(listPrs, handler, { credentials, path: {}, query });
  return E.isLeft(answered) ? answered : E.right(answered.right.value);
};

const operation = operations.listConnectedRepos;

/** The one parameter that is not the API's: which part of the list a page shows. */
const OwnQuery = t.type({ part: PageNumber });

/** `GET /explore/repos`. */
const addRepos = (router: Router, { api, strict, exploring }: ExploreContext): void => {
  router.get(
    explorerPaths.repos,
    exploring('repos', async (ctx, { credentials, context }) => {
      const others = new URLSearchParams(ctx.querystring);
      others.delete('part');
      const target = `${operation.path}${others.size === 0 ? '' : `?${others}`}`;
      const request = { operation, target };
      const own = decode(OwnQuery, { part: ctx.query.part });
      const { input, ignored } = decodeInput(
        operation,
        { path: {}, query: valuesOf(others.toString()) },
        strict,
      );
      if (E.isLeft(input)) return E.left({ failure: input.left, request });
      if (E.isLeft(own)) {
        return E.left({ failure: { _tag: 'InvalidParameters', problems: own.left }, request: null });
      }
      const { part } = own.right;
      const items = await readRepoItems(api.listConnectedRepos, credentials);
      if (E.isLeft(items)) return E.left({ failure: items.left, request });
      const total = items.right.length;
      const body = items.right.slice((part - 1) * reposOnAPage, part * reposOnAPage);
      const repos = await decodeRepos(body);
      if (E.isLeft(repos)) return E.left({ failure: repos.left, request });
      const cut = body.length < total ? { part: `${body.length} of ${total} items.` } : {};
      return E.right(
        reposPage(context, {
          request: { ...request, status: 200, body, ...cut },
          repos: repos.right,
          total,
          part,
          ignored,
        }),
      );
    }),
  );
};

/** `GET /explore/findings` and `GET /explore/prs`: the parameters are those of the API. */
const addLists = (router: Router, context: ExploreContext): void => {
  const { api, exploring } = context;
  const findings = listView(context, operations.listFindings, api.listFindings, findingsPage);
  const prs = listView(context, operations.listPrs, api.listPrs, prsPage);
  router.get(explorerPaths.findings, exploring('findings', findings));
  router.get(explorerPaths.prs, exploring('prs', prs));
};

const listView = <Op extends AnyOperation>(
  { strict, repoNamesOf }: ExploreContext,
  operation: Op,
  handler: Handler<Op, ApiError>,
  pageOf: (
    context: ViewContext,
    view: ListView<t.TypeOf<Op['queryParameters']>, t.TypeOf<Op['responses'][200]>>,
  ) => Html,
) => {
  return async (ctx: Context, { credentials, context }: Visit): Promise<Viewed> => {
    const target = `${operation.path}${ctx.querystring === '' ? '' : `?${ctx.querystring}`}`;
    const request = { operation, target };
    const { input, ignored } = decodeInput(operation, { path: {}, query: valuesOf(ctx.querystring) }, strict);
    if (E.isLeft(input)) return E.left({ failure: input.left, request });
    const { path, query } = input.right;
    const answered = await readOperation(operation, handler, { credentials, path, query });
    if (E.isLeft(answered)) return E.left({ failure: answered.left, request });
    const { body, value } = answered.right;
    // A list is shown even if the names of its repositories cannot be read.
    const repos = await repoNamesOf(credentials);
    return E.right(
      pageOf(context, {
        request: { ...request, status: 200, body },
        query,
        answer: value,
        ignored,
        repos: E.isLeft(repos) ? [] : repos.right,
      }),
    );
  };
};

const { getFinding } = operations;

/** So many pull requests of a repository are looked through for those of a finding. */
const maxPrs = 2000;

/** `GET /explore/findings/:id`. */
const addFinding = (router: Router, { api, strict, repoNamesOf, exploring }: ExploreContext): void => {
  /** The pull requests of a finding, among those of its repository; null: they cannot be read. */
  const prsOf = async (
    { id, repoId, prCount }: FindingDetail,
    credentials: PresentedCredentials,
    isGone: () => boolean,
  ): Promise<PrsOfFinding | null> => {
    if (prCount === 0) return { prs: [], read: 0, total: 0 };
    const read = await readPages(
      async (page) => {
        const query = { page, limit: maxLimit, repoId, status: undefined };
        const answered = await readOperation(operations.listPrs, api.listPrs, {
          credentials,
          path: {},
          query,
        });
        return E.isLeft(answered) ? answered : E.right(answered.right.value);
      },
      maxPrs,
      (rows) => isGone() || rows.filter((pr) => pr.id === id).length >= prCount,
    );
    if (E.isLeft(read)) return null;
    const { rows, total } = read.right;
    return { prs: rows.filter((pr) => pr.id === id), read: rows.length, total };
  };

  router.get(
    `${explorerPaths.findings}/:id`,
    exploring('findings', async (ctx, { credentials, context }) => {
      const { id = '' } = ctx.params;
      const query = ctx.querystring === '' ? '' : `?${ctx.querystring}`;
      const request = {
        operation: getFinding,
        target: `${getFinding.path.replace('{id}', () => encodeURIComponent(id))}${query}`,
      };
      const { input, ignored } = decodeInput(
        getFinding,
        { path: { id }, query: valuesOf(ctx.querystring) },
        strict,
      );
      if (E.isLeft(input)) return E.left({ failure: input.left, request });
      const answered = await readOperation(getFinding, api.getFinding, { credentials, ...input.right });
      if (E.isLeft(answered)) return E.left({ failure: answered.left, request });
      const { body, value: finding } = answered.right;
      const repos = await repoNamesOf(credentials);
      return E.right(
        findingPage(context, {
          request: { ...request, status: 200, body },
          finding,
          ignored,
          repoName: repoNames(E.isLeft(repos) ? [] : repos.right),
          related: await prsOf(finding, credentials, () => ctx.res.destroyed),
        }),
      );
    }),
  );
};

export type ExploreDependencies = Pick<WebContext, 'readAsset' | 'responses' | 'signedInUser'> &
  ApiDependencies &
  Pick<ChangesDependencies, 'maySeeFiles'> &
  Readonly<{
    log: Log;
    strict: boolean;
    /** What changes while the server runs; null: it cannot tell. */
    changes: Changes | null;
  }>;

/** The pages of the explorer, which read the operations of the API on behalf of the user who is signed in. */
export const addExplore = (router: Router, dependencies: ExploreDependencies): void => {
  const { strict, readAsset } = dependencies;
  const api = handlers(dependencies);
  const context: ExploreContext = {
    api,
    repoNamesOf: readRepoNames(api.listConnectedRepos),
    strict,
    exploring: exploring(dependencies),
  };
  router.get(
    explorerPaths.stylesheet,
    asset('text/css; charset=utf-8', () => readAsset('explore.css')),
  );
  router.get(
    explorerPaths.script,
    asset('text/javascript; charset=utf-8', () => readAsset('explore.js'), revalidated),
  );
  const { changes } = dependencies;
  if (changes !== null) addChanges(router, { ...dependencies, changes });
  addOverview(router, context);
  addRepos(router, context);
  addLists(router, context);
  addFinding(router, context);
};
