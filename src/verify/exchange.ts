import * as E from '#fp-ts/Either';
import type { HttpResponse, RequestError, SafeMethod } from '../client/fetch-send.js';
import {
  anonymous,
  type OutgoingRequest,
  operationRequest,
  type Query,
  toHttpRequest,
} from '../client/outgoing-request.js';
import { parseJson } from '../common/json.js';
import { onceFor } from '../common/lru.js';
import { FindingStatus, PrStatus, Severity } from '../contract/enums.js';
import { type AnyOperation, operations } from '../contract/operations.js';
import { defaultLimit, defaultPage, maxLimit } from '../contract/page-and-limit.js';
import { integerField, isRow, type Located } from './rows.js';
import { type Auth, bySession } from './test-credentials.js';
import type { ThrottledSender } from './throttle.js';

/** A request as data: its credentials are names, which are looked up when it is sent. */
export type RequestSpec = Omit<OutgoingRequest, 'auth'> & Readonly<{ auth: Auth }>;

/** Query parameters by name; an array repeats a parameter. */
export type QueryValues = Readonly<Record<string, string | number | readonly string[]>>;

/** The values that parameters are given. */
export type Factors = Readonly<Record<string, readonly (string | number)[]>>;

type Options = Readonly<{ id?: string; query?: QueryValues; auth?: Auth; method?: SafeMethod }>;

/** An id that no finding has, and one that no repository has. */
export const unknownFindingId = 'triage-api-verify-no-such-finding';
export const unknownRepoId = 'triage-api-verify-no-such-repo';

/** A request to an operation, by default with the session and without parameters. */
export const requestTo = (
  operation: AnyOperation,
  { id = unknownFindingId, query = {}, auth = bySession, method = 'GET' }: Options = {},
): RequestSpec => ({
  method,
  path: operationRequest(operation, { path: { id } }, anonymous).path,
  query: queryOf(query),
  auth,
});

const queryOf = (values: QueryValues): Query =>
  Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as const),
  );

/** The two lists that are served in pages. */
export type ListName = 'findings' | 'prs';

/** Their operations, sections of the contract, and the values of their filters besides repoId. */
export const lists: Readonly<
  Record<ListName, Readonly<{ operation: AnyOperation; section: string; filters: Factors }>>
> = {
  findings: {
    operation: operations.listFindings,
    section: '4.2',
    filters: { severity: Object.keys(Severity.keys), status: Object.keys(FindingStatus.keys) },
  },
  prs: { operation: operations.listPrs, section: '4.4', filters: { status: Object.keys(PrStatus.keys) } },
};
export const listNames: readonly ListName[] = ['findings', 'prs'];

/** The names of the filters of a list, as a statement enumerates them. */
export const filterNames = (name: ListName): string =>
  ['repoId', ...Object.keys(lists[name].filters)].join(', ');

/** One filter for each value of these parameters, or of all. */
export const filtersBy = (name: ListName, only?: 'severity' | 'status'): readonly QueryValues[] =>
  Object.entries(lists[name].filters).flatMap(([parameter, values]) =>
    only === undefined || only === parameter ? values.map((value) => ({ [parameter]: value })) : [],
  );

export const listRequest = (name: ListName, query: QueryValues = {}, auth: Auth = bySession): RequestSpec =>
  requestTo(lists[name].operation, { query, auth });

export const findingRequest = (id: string, auth: Auth = bySession): RequestSpec =>
  requestTo(operations.getFinding, { id, auth });

/** A request and its response; `body` is the parsed JSON, or undefined if the response is not JSON. */
export type Exchange = Readonly<{ request: OutgoingRequest; response: HttpResponse; body: unknown }>;

/** Sends a request. */
export const exchange = async (
  sender: ThrottledSender,
  cookieName: string,
  request: OutgoingRequest,
): Promise<E.Either<RequestError, Exchange>> => {
  const sent = await sender.send(toHttpRequest(cookieName, request));
  if (E.isLeft(sent)) return sent;
  return E.right({ request, response: sent.right, body: parseJson(sent.right.text) });
};

export const allOperations: readonly AnyOperation[] = Object.values(operations);

const patterns = allOperations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The operation that a path belongs to. */
export const operationOf = (path: string): AnyOperation | undefined =>
  patterns.find(({ pattern }) => pattern.test(path))?.operation;

/** Whether the contract gives the body: of a 200, of a 401, and of a finding that is not found. */
export const isGiven = ({ request, response: { status } }: Exchange): boolean =>
  status === 200 || status === 401 || (status === 404 && operationOf(request.path)?.id === 'getFinding');

/** The content types that mean JSON: application/json, text/json, and every type that ends in +json. */
export const jsonType = /^(?:(?:application|text)\/json|[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json) *(?:;|$)/i;

/** A page of a list: its envelope is `value`. */
export type Page = Located & Readonly<{ items: readonly Located<unknown>[] }>;

/** A response as a page; null unless it is a 200 with items. */
export const asPage = onceFor(({ request, response: { status }, body }: Exchange): Page | null => {
  if (status !== 200 || !isRow(body) || !Array.isArray(body.items)) return null;
  return {
    request,
    path: [],
    value: body,
    items: body.items.map((value: unknown, index) => ({ value, request, path: ['items', String(index)] })),
  };
});

/** The number of items that a page says the list has; 0 if it says none that can be used. */
export const totalItems = (page: Page | null | undefined): number =>
  integerField(page?.value ?? {}, 'totalItems') ?? 0;

/** The page that a request asks for, and its size; `isCovered`: the contract says what it gets. */
export const requestedPage = ({ request: { query } }: Page) => {
  const parameters = new Map(query);
  const number = Number(parameters.get('page') ?? defaultPage);
  const size = Number(parameters.get('limit') ?? defaultLimit);
  const areWhole = [number, size].every((each) => Number.isSafeInteger(each) && each >= 1);
  return {
    ...{ number, size, hasPage: parameters.has('page'), hasLimit: parameters.has('limit') },
    isCovered: areWhole && size <= maxLimit && parameters.size === query.length,
  };
};
