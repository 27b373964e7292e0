import type { SafeMethod } from '../client/fetch-send.js';
import { anonymous, type OutgoingRequest, operationRequest, type Query } from '../client/outgoing-request.js';
import { onceFor } from '../common/lru.js';
import { FindingStatus, PrStatus, Severity } from '../contract/enums.js';
import { type AnyOperation, operations } from '../contract/operations.js';
import type { Exchange } from './exchange.js';
import { isRow, type Located } from './rows.js';
import { type Auth, bySession } from './test-credentials.js';

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
