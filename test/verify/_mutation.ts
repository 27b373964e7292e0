import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { HttpRequest, HttpResponse, Send } from '../../src/client/fetch-send.js';
import { compareCodePoints } from '../../src/common/sort-and-group.js';
import type { MistakeId } from '../../src/verify/mistakes.js';
import { noResponseReason } from '../../src/verify/report-text.js';
import { isRow } from '../../src/verify/rows.js';

/** A row or a body whose fields may be anything. */
export type Row = Readonly<Record<string, unknown>>;

/** A request to a wrong server, with its target parsed. */
export type IncomingRequest = Readonly<{ request: HttpRequest; path: string; query: URLSearchParams }>;

/** The correct server. */
export type Real = (request: HttpRequest) => Promise<HttpResponse>;

/** A wrong server: how it answers, given the correct one. */
export type Mutation = (incoming: IncomingRequest, real: Real) => Promise<HttpResponse>;

/** A server with one mistake: the mistake with which its report begins, a title, and its behaviour. */
export type WrongServer = readonly [mistake: string, title: string, mutation: Mutation];

/** Behaviours, each after its mistake, a colon, and its title. */
type Servers = Readonly<Record<`${MistakeId}: ${string}`, Mutation>>;

export const serversOf = (servers: Servers): readonly WrongServer[] =>
  Object.entries(servers).map(([name, mutation]) => {
    const [mistake = '', ...title] = name.split(': ');
    return [mistake, title.join(': '), mutation];
  });

/** The same with each of some words, which stands in titles for `*`. */
export const each = <A extends string>(
  words: readonly A[],
  serversFor: (word: A) => Servers,
): readonly WrongServer[] =>
  words.flatMap((word) =>
    serversOf(serversFor(word)).map(
      ([id, title, mutation]): WrongServer => [id, title.replace('*', word), mutation],
    ),
  );

const incomingOf = (request: HttpRequest): IncomingRequest => {
  const { pathname, searchParams } = new URL(request.target, 'http://mutant.test');
  return { request, path: pathname, query: searchParams };
};

/** Several mistakes at once: each changes what the one before has returned. */
export const several =
  (...mutations: readonly Mutation[]): Mutation =>
  ({ request }, real) =>
    mutations.reduce<Real>((before, mutation) => (each) => mutation(incomingOf(each), before), real)(request);

/** The correct server behind a cache. Its clock stands still, so that its responses never change. */
export const remembering = (send: Send): Real => {
  const known = new Map<string, Promise<HttpResponse>>();
  return (request) => {
    const key = JSON.stringify(request);
    const answer = known.get(key) ?? sent(send, request);
    known.set(key, answer);
    return answer;
  };
};

/** Repeats a request whose connection failed: the server may close an idle one just when it is used again. */
const sent = async (send: Send, request: HttpRequest, repetitions = 3): Promise<HttpResponse> => {
  const answer = await send(request);
  if (E.isRight(answer)) return answer.right;
  if (repetitions === 0) throw new Error(noResponseReason(answer.left));
  return sent(send, request, repetitions - 1);
};

/** The wrong server as a sender. */
export const mutated =
  (real: Real, mutation: Mutation): Send =>
  async (request) =>
    E.right(await mutation(incomingOf(request), real));

const paths = {
  repos: /^\/api\/v1\/repos$/,
  findings: /^\/api\/v1\/findings$/,
  finding: /^\/api\/v1\/findings\/./,
  prs: /^\/api\/v1\/prs$/,
  all: /^\/api\/v1\/(?:repos|findings|prs)/,
};
export type Place = keyof typeof paths;

/** The places of operations, of those that accept tokens, and of those that send pages. */
export const places = ['repos', 'findings', 'finding', 'prs'] as const;
export const bearerPlaces = ['finding', 'prs'] as const;
export const listPlaces = ['findings', 'prs'] as const;

/** The operations, by the place of their responses. */
export const operations = {
  repos: 'listConnectedRepos',
  findings: 'listFindings',
  finding: 'getFinding',
  prs: 'listPrs',
} as const;

export const isAt = (place: Place, { path }: IncomingRequest): boolean => paths[place].test(path);

type Change<A, B> = (given: A, incoming: IncomingRequest, real: Real) => B | Promise<B>;

/** Changes the responses of one place. */
export const answers =
  (place: Place, change: Change<HttpResponse, HttpResponse>): Mutation =>
  async (incoming, real) => {
    const answer = await real(incoming.request);
    const isMeant = isAt(place, incoming) && incoming.request.method === 'GET';
    return isMeant ? change(answer, incoming, real) : answer;
  };

/** Gives responses of one place another status, other headers, or another body. */
export const answersIf = (
  place: Place,
  change: (incoming: IncomingRequest, answer: HttpResponse) => Partial<HttpResponse>,
): Mutation => answers(place, (answer, incoming) => ({ ...answer, ...change(incoming, answer) }));

/** The same for the responses of one status. */
export const failures = (place: Place, status: number, change: Partial<HttpResponse>): Mutation =>
  answersIf(place, (_, answer) => (answer.status === status ? change : {}));

/** What a refusal says, and its status with it. */
export const says = (error: string) => ({ text: JSON.stringify({ error }) });
export const refusal = (status: number, error: string) => ({ status, ...says(error) });

/** Changes the texts of responses. */
export const texts = (place: Place, change: (text: string) => string): Mutation =>
  answers(place, (answer) => ({ ...answer, text: change(answer.text) }));

/** Changes responses to paths under /api that no operation has. */
export const elsewhere =
  (change: (answer: HttpResponse, incoming: IncomingRequest) => Partial<HttpResponse>): Mutation =>
  async (incoming, real) => {
    const answer = await real(incoming.request);
    return isAt('all', incoming) && !/findings\/.+\//.test(incoming.path)
      ? answer
      : { ...answer, ...change(answer, incoming) };
  };

/** Changes the bodies of 200 responses. */
export const bodies = (place: Place, change: Change<unknown, unknown>): Mutation =>
  answers(place, async (answer, incoming, real) =>
    answer.status === 200
      ? { ...answer, text: JSON.stringify(await change(JSON.parse(answer.text), incoming, real)) }
      : answer,
  );

/** Changes the list of repositories. */
export const repoList = (change: (repos: readonly Row[]) => unknown): Mutation =>
  bodies('repos', (body) => change([...Object(body)]));

/** Repositories in the order of a text that each of them has. */
export const sorted = (repos: readonly Row[], textOf: (row: Row) => string): readonly Row[] =>
  repos.toSorted((left, right) => compareCodePoints(textOf(left), textOf(right)));

/** Changes each row of a bare array or of a page, or the one finding. */
export const rows = (place: Place, change: (row: Row, index: number) => unknown): Mutation =>
  bodies(place, (body) => {
    if (Array.isArray(body)) return body.filter(isRow).map(change);
    if (!isRow(body)) return body;
    return Array.isArray(body.items)
      ? { ...body, items: body.items.filter(isRow).map(change) }
      : change(body, 0);
  });

/** Gives rows other fields. */
export const patched = (place: Place, change: (row: Row, index: number) => Row): Mutation =>
  rows(place, (row, index) => ({ ...row, ...change(row, index) }));

/** Gives a field of each row another value. */
export const field = (
  place: Place,
  name: string,
  change: (value: unknown, row: Row, index: number) => unknown,
): Mutation => rows(place, (row, index) => ({ ...row, [name]: change(row[name], row, index) }));

/** Changes the object in a field of each row, unless it is null. */
export const inField = (place: Place, name: string, change: (value: Row) => unknown): Mutation =>
  rows(place, (row) => (row[name] === null ? row : { ...row, [name]: change(Object(row[name])) }));

/** Gives scans that took place other fields. */
export const scans = (change: (scan: Row) => Row): Mutation =>
  inField('repos', 'lastScan', (scan) => ({ ...scan, ...change(scan) }));

/** Changes the repositories that were never scanned. */
export const neverScanned = (change: Row): Mutation =>
  patched('repos', (row) => (row.lastScan === null ? change : {}));

/** A last scan that never took place: the contract leaves open what such a repository shows. */
export const emptyScan: Row = {
  id: '',
  startedAt: null,
  finishedAt: null,
  status: 'none',
  findingsSeen: 0,
  draftsOpened: 0,
  error: null,
};

/** The body of a response if it is a JSON object, else an empty object. */
export const bodyOf = ({ text }: HttpResponse): Row => {
  if (!text.startsWith('{')) return {};
  const body: unknown = JSON.parse(text);
  return isRow(body) ? body : {};
};

const Page = t.type({
  items: t.array(t.UnknownRecord),
  page: t.number,
  limit: t.number,
  totalItems: t.number,
  totalPages: t.number,
});
type Page = t.TypeOf<typeof Page>;

/** Changes envelopes. */
export const pages = (place: Place, change: Change<Page, unknown>): Mutation =>
  bodies(place, (body, ...rest) => (Page.is(body) ? change(body, ...rest) : body));

/** Gives envelopes other fields. */
export const envelopes = (place: Place, change: Change<Page, Row>): Mutation =>
  pages(place, async (page, ...rest) => ({ ...page, ...(await change(page, ...rest)) }));

/** Keeps some items of pages. */
export const items = (
  place: Place,
  isKept: (row: Row, query: URLSearchParams, page: Page, index: number) => boolean,
): Mutation =>
  envelopes(place, (page, { query }) => ({
    items: page.items.filter((row, index) => isKept(row, query, page, index)),
  }));

/** Keeps those that some filters of a request select. */
export const matching = (place: Place, names?: readonly string[]): Mutation =>
  items(place, (row, query) => selected([row], query, names).length > 0);

/** Changes requests before they reach the correct server. */
export const requests =
  (change: (incoming: IncomingRequest) => Partial<HttpRequest>): Mutation =>
  (incoming, real) =>
    real({ ...incoming.request, ...change(incoming) });

/** A mistake that only those requests show that meet a condition. */
export const when =
  (isMeant: (incoming: IncomingRequest) => boolean, mutation: Mutation): Mutation =>
  (incoming, real) =>
    isMeant(incoming) ? mutation(incoming, real) : real(incoming.request);

/** Answers those requests of one place that meet a condition as if they had other headers. */
export const headed = (
  place: Place,
  isMeant: (incoming: IncomingRequest) => boolean,
  headers: Readonly<Record<string, string>>,
): Mutation => requests((incoming) => (isAt(place, incoming) && isMeant(incoming) ? { headers } : {}));

/** The headers of the tenant whose lists are judged, and of the second one. */
export const [own, others] = [{ Cookie: 'session=boundary-session' }, { Cookie: 'session=large-session' }];

/** Answers those requests of one place that meet a condition as those of the first tenant's session. */
export const letIn = (place: Place, isWelcome: (incoming: IncomingRequest) => boolean): Mutation =>
  headed(place, isWelcome, own);

/** The target of the same request with another query. */
const targetWith = ({ path, query }: IncomingRequest, change: (query: URLSearchParams) => void): string => {
  const changed = new URLSearchParams(query);
  change(changed);
  return `${path}?${changed}`;
};

/** Changes query parameters before they reach the correct server. */
export const queries = (place: Place, change: (query: URLSearchParams) => void): Mutation =>
  requests((incoming) => (isAt(place, incoming) ? { target: targetWith(incoming, change) } : {}));

/** The body that the correct server sends for the same request with another query. */
export const bodyWith = async (
  incoming: IncomingRequest,
  real: Real,
  change: (query: URLSearchParams) => void,
): Promise<Row> => bodyOf(await real({ ...incoming.request, target: targetWith(incoming, change) }));

/** All rows of the caller in a list, regardless of the filters in the request. */
export const everyRow = async ({ request, path }: IncomingRequest, real: Real): Promise<readonly Row[]> => {
  const from = async (page: number): Promise<readonly Row[]> => {
    const answer = await real({ ...request, target: `${path}?page=${page}&limit=100` });
    const body = bodyOf(answer);
    if (!Page.is(body)) return [];
    return page < body.totalPages ? [...body.items, ...(await from(page + 1))] : body.items;
  };
  return from(1);
};

/** Picks and orders rows. */
type Select = (rows: readonly Row[], query: URLSearchParams) => readonly Row[];

/**
 * Computes a list anew: `select` picks and orders the rows of the tenant, which are then counted and cut into
 * pages. What the correct server refuses stays refused.
 */
export const lists = (place: 'findings' | 'prs', select: Select): Mutation =>
  bodies(place, async (_, incoming, real) => {
    const chosen = select(await everyRow(incoming, real), incoming.query);
    const page = Number(incoming.query.get('page') ?? 1);
    const limit = Math.min(100, Number(incoming.query.get('limit') ?? 25));
    return {
      items: chosen.slice((page - 1) * limit, page * limit),
      page,
      limit,
      totalItems: chosen.length,
      totalPages: Math.ceil(chosen.length / limit),
    };
  });

/** The status of a stored state; other states are returned as they are. */
export const asStatus = (state: unknown): string =>
  state === null || state === 'cancelled' ? 'closed' : text(state);

/** The rows that these filters of a request select. Stored states of pull requests count as statuses. */
export const selected = (
  all: readonly Row[],
  query: URLSearchParams,
  names: readonly string[] = ['repoId', 'severity', 'status'],
): readonly Row[] =>
  all.filter((row) =>
    names.every((name) => {
      const value = name === 'status' && 'prState' in row ? asStatus(row.prState) : row[name];
      return !query.has(name) || value === query.get(name);
    }),
  );

/** Findings in another order, which may depend on the query. */
export const findingsBy = (order: Select): Mutation =>
  several(
    lists('findings', (all, query) => order(selected(all, query, ['repoId']), query)),
    matching('findings'),
  );

/** Pull requests in another order, which may depend on the query. */
export const prsBy = (order: Select): Mutation =>
  lists('prs', (all, query) => order(selected(all, query), query));

/** Pull requests with another rule for the filter status. */
export const prsOf = (isIn: (state: unknown, status: string) => boolean): Mutation =>
  lists('prs', (all, query) =>
    selected(all, query, ['repoId']).filter(
      ({ prState }) => !query.has('status') || isIn(prState, query.get('status') ?? ''),
    ),
  );

export const text = (value: unknown): string => String(value);

/** The header Authorization of a request, its bearer token, and its session; empty if there is none. */
export const authorizationOf = ({ request }: IncomingRequest): string => request.headers.Authorization ?? '';
export const bearerOf = (incoming: IncomingRequest): string =>
  /^Bearer (.*)$/.exec(authorizationOf(incoming))?.[1] ?? '';
export const sessionOf = ({ request }: IncomingRequest): string =>
  /^session=(.*)$/.exec(request.headers.Cookie ?? '')?.[1] ?? '';

/** A row without a field. */
export const without = (row: Row, name: string): Row =>
  Object.fromEntries(Object.entries(row).filter(([each]) => each !== name));

/** An HTML error page, and a plain text, which servers send by mistake. */
export const html = { text: '<!doctype html><title>Oops</title>', headers: { 'content-type': 'text/html' } };
export const plain = (words: string) => ({ text: words, headers: { 'content-type': 'text/plain' } });
