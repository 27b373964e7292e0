import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { HttpRequest, HttpResponse, Send } from '../../../src/client/fetch-send.js';
import { noResponseReason } from '../../../src/contract-tools/report-text.js';
import type { MistakeId } from '../../../src/contract-tools/verify/mistakes.js';

/** A row or a body whose fields may be anything. */
export type Row = Readonly<Record<string, unknown>>;

/** A request to a wrong server, with its target parsed. */
export type IncomingRequest = Readonly<{ request: HttpRequest; path: string; query: URLSearchParams }>;

/** The correct server. */
export type Real = (request: HttpRequest) => Promise<HttpResponse>;

/** A wrong server: how it answers, given the correct one. */
export type Mutation = (incoming: IncomingRequest, real: Real) => Promise<HttpResponse>;

/**
 * A server with one mistake: its name, which begins with the id of the mistake, its behavior, and the checks
 * that it must fail.
 */
export type Mutant<Name extends string = `${MistakeId}: ${string}`> = readonly [
  name: Name,
  mutation: Mutation,
  ...fails: readonly string[],
];

/** Several mistakes at once: each changes what the one before has returned. */
export const several =
  (...mutations: readonly Mutation[]): Mutation =>
  (incoming, server) =>
    mutations.reduce<typeof server>(
      (before, mutation) => (request) => {
        const { pathname, searchParams } = new URL(request.target, 'http://mutant.test');
        return mutation({ request, path: pathname, query: searchParams }, before);
      },
      server,
    )(incoming.request);

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
  async (request) => {
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

/** The operations, by the place of their responses. */
export const operations = {
  repos: 'listConnectedRepos',
  findings: 'listFindings',
  finding: 'getFinding',
  prs: 'listPrs',
} as const;

export const isAt = (place: Place, { path }: IncomingRequest): boolean => paths[place].test(path);

/** Changes the responses of one place. */
export const answers =
  (place: Place, change: (answer: HttpResponse, incoming: IncomingRequest) => HttpResponse): Mutation =>
  async (incoming, real) => {
    const answer = await real(incoming.request);
    return isAt(place, incoming) && incoming.request.method === 'GET' ? change(answer, incoming) : answer;
  };

/** Gives responses of one status another status or body. */
export const failures = (place: Place, status: number, change: Partial<HttpResponse>): Mutation =>
  answers(place, (answer) => (answer.status === status ? { ...answer, ...change } : answer));

/** Changes the bodies of 200 responses. */
export const bodies = (
  place: Place,
  change: (body: unknown, incoming: IncomingRequest) => unknown,
): Mutation =>
  answers(place, (answer, incoming) =>
    answer.status === 200
      ? { ...answer, text: JSON.stringify(change(JSON.parse(answer.text), incoming)) }
      : answer,
  );

const isRow = (value: unknown): value is Row => t.UnknownRecord.is(value);

/** Changes each row of a bare array or of a page, or the one finding. */
export const rows = (place: Place, change: (row: Row, index: number) => unknown): Mutation =>
  bodies(place, (body) => {
    if (Array.isArray(body)) return body.filter(isRow).map(change);
    if (!isRow(body)) return body;
    return Array.isArray(body.items)
      ? { ...body, items: body.items.filter(isRow).map(change) }
      : change(body, 0);
  });

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
export const pages = (place: Place, change: (page: Page, incoming: IncomingRequest) => unknown): Mutation =>
  bodies(place, (body, incoming) => (Page.is(body) ? change(body, incoming) : body));

/** Changes requests before they reach the correct server. */
export const requests =
  (change: (incoming: IncomingRequest) => Partial<HttpRequest>): Mutation =>
  (incoming, real) =>
    real({ ...incoming.request, ...change(incoming) });

/** Changes query parameters before they reach the correct server. */
export const queries = (place: Place, change: (query: URLSearchParams) => void): Mutation =>
  requests((incoming) => {
    if (!isAt(place, incoming)) return {};
    const query = new URLSearchParams(incoming.query);
    change(query);
    return { target: `${incoming.path}?${query}` };
  });

/**
 * Computes a list anew: `select` picks and orders the rows of the tenant, which are then counted and cut into
 * pages. What the correct server refuses stays refused.
 */
export const lists =
  (
    place: 'findings' | 'prs',
    select: (rows: readonly Row[], query: URLSearchParams) => readonly Row[],
  ): Mutation =>
  async (incoming, real) => {
    const answer = await real(incoming.request);
    if (!isAt(place, incoming) || answer.status !== 200 || incoming.request.method !== 'GET') return answer;
    const selected = select(await everyRow(incoming, real), incoming.query);
    const page = Number(incoming.query.get('page') ?? 1);
    const limit = Math.min(100, Number(incoming.query.get('limit') ?? 25));
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

/** Whether a row matches a filter exactly; every row does if the request has no such filter. */
export const having =
  (query: URLSearchParams, name: string) =>
  (row: Row): boolean =>
    !query.has(name) || row[name] === query.get(name);

/** The value of the session cookie of a request. */
export const sessionOf = ({ request }: IncomingRequest): string | undefined =>
  /^session=(.*)$/.exec(request.headers.Cookie ?? '')?.[1];

/** A row without a field. */
export const without = (row: Row, field: string): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== field));
