import type { SafeMethod } from '../../client/fetch-send.js';
import { type ApiRequest, anonymous, operationRequest, type Query } from '../../client/outgoing-request.js';
import { FindingStatus, PrStatus, Severity } from '../../contract/enums.js';
import { type AnyOperation, operations } from '../../contract/operations.js';
import { type Auth, bySession } from './test-credentials.js';

/** A request as data: its credentials are names, which are looked up when it is sent. */
export type RequestSpec = Omit<ApiRequest, 'auth'> & Readonly<{ auth: Auth }>;

/** Query parameters by name; an array repeats a parameter. */
export type QueryValues = Readonly<Record<string, string | number | readonly string[]>>;

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

export const allOperations: readonly AnyOperation[] = Object.values(operations);

/** The two lists that are served in pages. */
export type ListName = 'findings' | 'prs';

/** Their operations, and the sections of the contract about them. */
export const listOperations = { findings: operations.listFindings, prs: operations.listPrs } as const;
export const listNames: readonly ListName[] = ['findings', 'prs'];
export const listSection: Readonly<Record<ListName, string>> = { findings: '4.2', prs: '4.4' };

/** One filter for each value of an enum. */
const filtersBy = (name: string, { keys }: Readonly<{ keys: object }>): readonly QueryValues[] =>
  Object.keys(keys).map((value) => ({ [name]: value }));

export const severityFilters = filtersBy('severity', Severity);
export const findingStatusFilters = filtersBy('status', FindingStatus);
export const prStatusFilters = filtersBy('status', PrStatus);

export const listRequest = (name: ListName, query: QueryValues = {}, auth: Auth = bySession): RequestSpec =>
  requestTo(listOperations[name], { query, auth });

export const findingRequest = (id: string, auth: Auth = bySession): RequestSpec =>
  requestTo(operations.getFinding, { id, auth });
