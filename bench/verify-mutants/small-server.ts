import type { HttpRequest, HttpResponse } from '../../src/client/fetch-send.js';
import type { Dataset } from '../../src/records/dataset.js';

/**
 * A small server of the contract that shares no code with the real one. Its only purpose is to be broken, one
 * spot at a time: `verify` has to notice. It imports types only, so that a broken copy can run in a sandbox.
 */

/** A credential; it is valid until `expiresAt`, or forever. */
export type Credential = Readonly<{ value: string; expiresAt: string | null }>;

/** The data of one user. */
export type Tenant = Pick<Dataset, 'repos' | 'scans' | 'fixDrafts' | 'pullRequests'> &
  Readonly<{ sessions: readonly Credential[]; tokens: readonly Credential[] }>;

/** Answers a request. Header names are in lower case. */
export type Answer = (request: HttpRequest) => HttpResponse;

type Query = URLSearchParams;
type Repo = Tenant['repos'][number];
type Draft = Tenant['fixDrafts'][number];
type PullRequest = Tenant['pullRequests'][number];

const severities = ['critical', 'high', 'medium', 'low'];
const findingStatuses = ['pending', 'drafting', 'escalated', 'resolved'];

/** The stored states that a value of the filter `status` matches (section 3.2). */
const prStatuses: Readonly<Record<string, readonly (string | null)[]>> = {
  open: ['open'],
  merged: ['merged'],
  closed: [null, 'closed', 'cancelled'],
};

const json = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  text: JSON.stringify(body),
});

const failure = (status: number, error: string): HttpResponse => json(status, { error });

const unauthorized = (): HttpResponse => failure(401, 'Unauthorized');
const badRequest = (): HttpResponse => failure(400, 'Bad request');

// Order

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** The newest first; at the same moment, by id. */
const newestFirst = <A>(
  rows: readonly A[],
  timeOf: (row: A) => string,
  idOf: (row: A) => string,
): readonly A[] =>
  rows.toSorted((left, right) => compare(timeOf(right), timeOf(left)) || compare(idOf(left), idOf(right)));

// Rows as the API shows them

const lastScanOf = (tenant: Tenant, repoId: string): Tenant['scans'][number] | undefined => {
  const scans = tenant.scans.filter((scan) => scan.repoId === repoId);
  return newestFirst(
    scans,
    (scan) => scan.startedAt,
    (scan) => scan.id,
  )[0];
};

const pullRequestsOf = (tenant: Tenant, repoId: string): readonly PullRequest[] => {
  const drafts = tenant.fixDrafts.filter((draft) => draft.repoId === repoId).map((draft) => draft.id);
  return tenant.pullRequests.filter((pr) => drafts.includes(pr.draftId));
};

const openAdvisories = (tenant: Tenant, repoId: string): number => {
  const open = tenant.fixDrafts.filter((draft) => draft.repoId === repoId && draft.status !== 'resolved');
  return new Set(open.map((draft) => draft.advisoryId)).size;
};

const relativeTime = (timestamp: string, now: string): string =>
  `${Math.floor((Date.parse(now) - Date.parse(timestamp)) / 86_400_000)} days ago`;

const repoView = (tenant: Tenant, now: string, repo: Repo) => {
  const scan = lastScanOf(tenant, repo.id);
  const open = pullRequestsOf(tenant, repo.id).filter((pr) => pr.prState === 'open');
  return {
    id: repo.id,
    owner: repo.owner,
    repo: repo.repo,
    defaultBranch: repo.defaultBranch,
    isDemoRow: repo.isDemoRow,
    lastScan: scan
      ? {
          id: scan.id,
          startedAt: scan.startedAt,
          finishedAt: scan.finishedAt,
          status: scan.status,
          findingsSeen: scan.findingsSeen,
          draftsOpened: scan.draftsOpened,
          error: scan.error,
        }
      : null,
    scanStatusBadge: repo.scanStatusBadge,
    openPrCount: open.length,
    status: repo.status,
    openAdvisoryCount: openAdvisories(tenant, repo.id),
    lastScanAt: scan ? scan.startedAt : null,
    lastScanRelative: scan ? relativeTime(scan.startedAt, now) : 'never',
    hasOpenFixPr: open.length > 0,
    openFixDraftId: open[0] ? open[0].draftId : null,
    ownerInitial: repo.owner.slice(0, 1).toUpperCase(),
  };
};

const findingView = (draft: Draft) => ({
  id: draft.id,
  repoId: draft.repoId,
  advisoryId: draft.advisoryId,
  package: draft.package,
  ecosystem: draft.ecosystem,
  vulnerableRange: draft.vulnerableRange,
  fixedRange: draft.fixedRange,
  severity: draft.severity,
  reachability: draft.reachability,
  exploitSignal: draft.exploitSignal,
  status: draft.status,
  ciStatus: draft.ciStatus,
  discoveredAt: draft.discoveredAt,
  updatedAt: draft.updatedAt,
  reconciledAt: draft.reconciledAt,
});

const prView = (draft: Draft, repo: Repo, pr: PullRequest) => ({
  id: draft.id,
  repoId: repo.id,
  repo: { owner: repo.owner, repo: repo.repo },
  advisoryId: draft.advisoryId,
  package: draft.package,
  fromVersion: pr.fromVersion,
  toVersion: pr.toVersion,
  branch: pr.branch,
  hasCodemod: pr.hasCodemod,
  codemodSummary: pr.codemodSummary,
  ciStatus: pr.ciStatus,
  prUrl: pr.prUrl,
  prState: pr.prState,
  createdAt: pr.createdAt,
  updatedAt: pr.updatedAt,
  reconciledAt: pr.reconciledAt,
});

// Pages

/** A whole number from 1; null if the parameter is anything else. */
const wholeNumber = (query: Query, name: string, fallback: number): number | null => {
  const text = query.get(name);
  if (text === null) return fallback;
  return /^\d{1,15}$/.test(text) && Number(text) >= 1 ? Number(text) : null;
};

/** The parameters `page` and `limit`; null if one of them is wrong. */
const pagingOf = (query: Query): Readonly<{ page: number; limit: number }> | null => {
  const page = wholeNumber(query, 'page', 1);
  const limit = wholeNumber(query, 'limit', 25);
  return page === null || limit === null ? null : { page, limit: Math.min(limit, 100) };
};

const isAllowed = (query: Query, name: string, values: readonly string[]): boolean => {
  const value = query.get(name);
  return value === null || values.includes(value);
};

/** A page of rows. `narrow` is applied to its rows only, and does not change the totals. */
const pageOf = <A, B>(
  rows: readonly A[],
  { page, limit }: Readonly<{ page: number; limit: number }>,
  view: (row: A) => B,
  narrow: (row: A) => boolean = () => true,
): HttpResponse =>
  json(200, {
    items: rows
      .slice((page - 1) * limit, page * limit)
      .filter(narrow)
      .map(view),
    page,
    limit,
    totalItems: rows.length,
    totalPages: Math.ceil(rows.length / limit),
  });

// Operations

const listRepos = (tenant: Tenant, now: string): HttpResponse => {
  const views = tenant.repos.map((repo) => repoView(tenant, now, repo));
  const sorted = newestFirst(
    views,
    (view) => view.lastScanAt ?? '',
    (view) => view.id,
  );
  return json(200, sorted);
};

const listFindings = (tenant: Tenant, query: Query): HttpResponse => {
  const paging = pagingOf(query);
  if (paging === null) return badRequest();
  if (!isAllowed(query, 'severity', severities)) return badRequest();
  if (!isAllowed(query, 'status', findingStatuses)) return badRequest();
  const repoId = query.get('repoId');
  const severity = query.get('severity');
  const status = query.get('status');
  const drafts = newestFirst(
    tenant.fixDrafts.filter((draft) => repoId === null || draft.repoId === repoId),
    (draft) => draft.discoveredAt,
    (draft) => draft.id,
  );
  return pageOf(
    drafts,
    paging,
    findingView,
    (draft) =>
      (severity === null || draft.severity === severity) && (status === null || draft.status === status),
  );
};

const getFinding = (tenant: Tenant, id: string): HttpResponse => {
  const draft = tenant.fixDrafts.find((each) => each.id === id);
  if (draft === undefined) return failure(404, 'finding not found');
  const prCount = tenant.pullRequests.filter((pr) => pr.draftId === id).length;
  return json(200, { ...findingView(draft), prCount });
};

const listPrs = (tenant: Tenant, query: Query): HttpResponse => {
  const paging = pagingOf(query);
  if (paging === null) return badRequest();
  if (!isAllowed(query, 'status', Object.keys(prStatuses))) return badRequest();
  const repoId = query.get('repoId');
  const status = query.get('status');
  const states = status === null ? null : prStatuses[status];
  const rows = tenant.pullRequests.flatMap((pr) => {
    const draft = tenant.fixDrafts.find((each) => each.id === pr.draftId);
    const repo = tenant.repos.find((each) => each.id === draft?.repoId);
    if (draft === undefined || repo === undefined) return [];
    if (repoId !== null && repo.id !== repoId) return [];
    if (states && !states.includes(pr.prState)) return [];
    return [{ draft, repo, pr }];
  });
  const sorted = newestFirst(
    rows,
    ({ pr }) => pr.createdAt,
    ({ pr }) => pr.id,
  );
  return pageOf(sorted, paging, ({ draft, repo, pr }) => prView(draft, repo, pr));
};

// Credentials

const isValid = (credentials: readonly Credential[], value: string, now: string): boolean =>
  credentials.some(
    (credential) =>
      credential.value === value && (credential.expiresAt === null || credential.expiresAt > now),
  );

const cookieOf = (headers: HttpRequest['headers']): string | undefined =>
  /(?:^|; )session=([^;]+)/.exec(headers.cookie ?? '')?.[1];

const tokenOf = (headers: HttpRequest['headers']): string | undefined =>
  /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];

/** The user whose session a request has. */
const bySession = (tenants: readonly Tenant[], request: HttpRequest, now: string): Tenant | undefined => {
  const value = cookieOf(request.headers);
  return value === undefined ? undefined : tenants.find((tenant) => isValid(tenant.sessions, value, now));
};

/** The user whose token a request has, and otherwise the one whose session it has. */
const byEither = (tenants: readonly Tenant[], request: HttpRequest, now: string): Tenant | undefined => {
  const value = tokenOf(request.headers);
  const owner =
    value === undefined ? undefined : tenants.find((tenant) => isValid(tenant.tokens, value, now));
  return owner ?? bySession(tenants, request, now);
};

// Routes

/** The decoded id of a path `/api/v1/findings/{id}`; undefined if the path is another one. */
const idIn = (path: string): string | undefined => {
  const encoded = /^\/api\/v1\/findings\/([^/]+)$/.exec(path)?.[1];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
};

type Route = Readonly<{ caller: Tenant | undefined; respond: (tenant: Tenant) => HttpResponse }>;

const routeOf = (tenants: readonly Tenant[], now: string, request: HttpRequest): Route | undefined => {
  const [path = '', search = ''] = request.target.split('?');
  const query = new URLSearchParams(search);
  const id = idIn(path);
  if (path === '/api/v1/repos')
    return { caller: bySession(tenants, request, now), respond: (tenant) => listRepos(tenant, now) };
  if (path === '/api/v1/findings')
    return { caller: bySession(tenants, request, now), respond: (tenant) => listFindings(tenant, query) };
  if (id !== undefined)
    return { caller: byEither(tenants, request, now), respond: (tenant) => getFinding(tenant, id) };
  if (path === '/api/v1/prs')
    return { caller: byEither(tenants, request, now), respond: (tenant) => listPrs(tenant, query) };
  return undefined;
};

/** A server of this data, at this moment. */
export const smallServer =
  (tenants: readonly Tenant[], now: string): Answer =>
  (request) => {
    const route = routeOf(tenants, now, request);
    if (route === undefined) return failure(404, 'Not found');
    if (request.method === 'OPTIONS') return { status: 204, headers: { allow: 'GET' }, text: '' };
    return route.caller === undefined ? unauthorized() : route.respond(route.caller);
  };
