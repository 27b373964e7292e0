import type { Json } from '../contract/codecs/json-value.js';
import type { operations } from '../contract/operations.js';
import type { JsonObject } from './json.js';

type Operations = typeof operations;
type ParametersOf<Op extends Operations[keyof Operations]> =
  | keyof Op['pathParameters']['type']['props']
  | keyof Op['queryParameters']['type']['props'];

/** The tenant of the shipped fixtures that has what the examples name, and its credentials. */
export const exampleTenant = {
  name: 'acme',
  session: 'acme-session',
  token: 'acme-token',
} as const;

const page = { page: 1, limit: 25, repoId: 'repo_storefront' };

const examples: {
  readonly [Id in keyof Operations]: Readonly<Record<ParametersOf<Operations[Id]>, Json>>;
} = {
  listConnectedRepos: {},
  listFindings: { ...page, severity: 'high', status: 'drafting' },
  getFinding: { id: 'fix_0001' },
  listPrs: { ...page, status: 'open' },
};

/**
 * An example of each parameter, by operation id. Together, those of one operation make a request that is
 * answered 200 with at least one row, because most tools send all of them at once. A test sends these
 * requests.
 */
export const parameterExamples: Readonly<Record<string, JsonObject>> = examples;
