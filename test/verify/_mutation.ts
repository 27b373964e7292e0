import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { HttpRequest, HttpResponse, Send } from '../../src/client/http.js';

/** A row or a body whose fields may be anything. */
export type Row = Readonly<Record<string, unknown>>;

/** A request of the run, as mutants look at it. */
export type Asked = Readonly<{ request: HttpRequest; path: string; query: URLSearchParams }>;

/** The right server. */
export type Real = (request: HttpRequest) => Promise<HttpResponse>;

/** A wrong server: what it answers, given the right one. */
export type Mutation = (asked: Asked, real: Real) => Promise<HttpResponse>;

/** The right server, asked only once for what does not change: its clock stands. */
export const remembering = (send: Send): Real => {
  const known = new Map<string, Promise<HttpResponse>>();
  return (request) => {
    const key = JSON.stringify(request);
    const answer = known.get(key) ?? sent(send, request);
    known.set(key, answer);
    return answer;
  };
};

/** A connection that was idle for long may be closed by the server at the moment at which it is used again: then once more. */
const sent = async (send: Send, request: HttpRequest, repetitions = 3): Promise<HttpResponse> => {
  const answer = await send(request)();
  if (E.isRight(answer)) return answer.right;
  if (repetitions === 0) throw new Error(answer.left.reason);
  return sent(send, request, repetitions - 1);
};

/** The wrong server as a port. */
export const mutated =
  (real: Real, mutation: Mutation): Send =>
  (request) =>
  async () => {
    const { pathname, searchParams } = new URL(request.target, 'http://mutant.test');
    return E.right(await mutation({ request, path: pathname, query: searchParams }, real));
  };

const paths = {
  repos: /^\/api\/v1\/repos$/,
  findings: /^\/api\/v1\/findings$/,
  finding: /^\/api\/v1\/findings\/./,
  prs: /^\/api\/v1\/prs$/,
  all: /^\/api\/v1\/(?:repos|findings|prs)/,
};
export type Place = keyof typeof paths;

export const isAt = (place: Place, { path }: Asked): boolean => paths[place].test(path);

/** Answers of one place are changed. */
export const answers =
  (place: Place, change: (answer: HttpResponse, asked: Asked) => HttpResponse): Mutation =>
  async (asked, real) => {
    const answer = await real(asked.request);
    return isAt(place, asked) && asked.request.method === 'GET' ? change(answer, asked) : answer;
  };

/** Answers of one status are given another status or body. */
export const failures = (place: Place, status: number, change: Partial<HttpResponse>): Mutation =>
  answers(place, (answer) => (answer.status === status ? { ...answer, ...change } : answer));

/** Bodies of what is 200 are changed. */
export const bodies = (place: Place, change: (body: unknown, asked: Asked) => unknown): Mutation =>
  answers(place, (answer, asked) =>
    answer.status === 200
      ? { ...answer, text: JSON.stringify(change(JSON.parse(answer.text), asked)) }
      : answer,
  );

const isRow = (value: unknown): value is Row => t.UnknownRecord.is(value);

/** Each row is changed: of a bare array, of a page, or the one finding. */
export const rows = (place: Place, change: (row: Row, index: number) => unknown): Mutation =>
  bodies(place, (body) => {
    if (Array.isArray(body)) return body.filter(isRow).map(change);
    if (!isRow(body)) return body;
    return Array.isArray(body.items)
      ? { ...body, items: body.items.filter(isRow).map(change) }
      : change(body, 0);
  });

/** The body of an answer, where it is an object in JSON. */
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

/** Envelopes are changed. */
export const pages = (place: Place, change: (page: Page, asked: Asked) => unknown): Mutation =>
  bodies(place, (body, asked) => (Page.is(body) ? change(body, asked) : body));

/** Requests reach the right server changed. */
export const requests =
  (change: (asked: Asked) => Partial<HttpRequest>): Mutation =>
  (asked, real) =>
    real({ ...asked.request, ...change(asked) });

/** The parameters of a query are changed on their way. */
export const queries = (place: Place, change: (query: URLSearchParams) => void): Mutation =>
  requests((asked) => {
    if (!isAt(place, asked)) return {};
    const query = new URLSearchParams(asked.query);
    change(query);
    return { target: `${asked.path}?${query}` };
  });

/**
 * A list made anew: of all rows of the tenant, those that `select` keeps, in its order, are counted and cut into pages. What the
 * right server refuses stays refused.
 */
export const lists =
  (
    place: 'findings' | 'prs',
    select: (rows: readonly Row[], query: URLSearchParams) => readonly Row[],
  ): Mutation =>
  async (asked, real) => {
    const answer = await real(asked.request);
    if (!isAt(place, asked) || answer.status !== 200 || asked.request.method !== 'GET') return answer;
    const selected = select(await everyRow(asked, real), asked.query);
    const page = Number(asked.query.get('page') ?? 1);
    const limit = Math.min(100, Number(asked.query.get('limit') ?? 25));
    return {
      ...answer,
      text: JSON.stringify({
        items: selected.slice((page - 1) * limit, page * limit),
        page,
        limit,
        totalItems: selected.length,
        totalPages: Math.ceil(selected.length / limit),
      }),
    };
  };

/** All rows that a caller has in a list, whatever filters were asked for. */
export const everyRow = async ({ request, path }: Asked, real: Real): Promise<readonly Row[]> => {
  const from = async (page: number): Promise<readonly Row[]> => {
    const answer = await real({ ...request, target: `${path}?page=${page}&limit=100` });
    const body = bodyOf(answer);
    if (!Page.is(body)) return [];
    return page < body.totalPages ? [...body.items, ...(await from(page + 1))] : body.items;
  };
  return from(1);
};

/** Every row has the field, exactly as asked for, where it was asked for. */
export const having =
  (query: URLSearchParams, name: string) =>
  (row: Row): boolean =>
    !query.has(name) || row[name] === query.get(name);

/** The value of the session cookie of a request. */
export const sessionOf = ({ request }: Asked): string | undefined =>
  /^session=(.*)$/.exec(request.headers.Cookie ?? '')?.[1];

/** A row without a field. */
export const without = (row: Row, field: string): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== field));
