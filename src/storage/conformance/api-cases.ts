import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Dataset } from '../../records/dataset.js';
import type { Storage } from '../port.js';
import { anId, asFixture, findingsQuery, prsQuery, tenant } from './arbitraries.js';
import { type ConformanceCase, type OpenStorage, withStorage } from './conformance-case.js';
import * as model from './contract-model.js';
import { referenceStorage } from './reference-storage.js';
import { at, dataset, now } from './sample-rows.js';
import { acme, edges, nobody, other } from './sample-tenants.js';
import { serveStorage } from './serve-storage.js';

const pages = [
  'page=1',
  'page=2&limit=1',
  'page=3&limit=2',
  'limit=2',
  'page=2&limit=2',
  'page=99',
  'limit=100',
  'page=9007199254740991&limit=100',
  'page=0',
  'limit=x',
];

/** Requests to every operation: pages of several sizes, every filter, and ids that do not exist. */
const requestsFor = ({ repos, fixDrafts }: Dataset): readonly string[] => {
  const repoIds = [
    ...repos.map(({ id }) => id),
    'unknown',
    '',
    '\u0000',
    'a\u0000b',
    "' OR 1=1 --",
    'x'.repeat(5000),
  ];
  const filters = ['', ...repoIds.map((id) => `repoId=${encodeURIComponent(id)}`)];
  return [
    '/api/v1/repos',
    ...filters.flatMap((filter) => [
      ...pages.map((page) => `/api/v1/findings?${filter}&${page}`),
      ...pages.map((page) => `/api/v1/prs?${filter}&${page}`),
      ...['critical', 'low'].map((severity) => `/api/v1/findings?${filter}&severity=${severity}`),
      ...['pending', 'resolved'].map((status) => `/api/v1/findings?${filter}&status=${status}&limit=2`),
      ...['open', 'merged', 'closed'].flatMap((status) => [
        `/api/v1/prs?${filter}&status=${status}`,
        `/api/v1/prs?${filter}&status=${status}&limit=1&page=2`,
      ]),
    ]),
    ...[...fixDrafts.map(({ id }) => id), ...repoIds.filter((id) => id !== '')].map(
      (id) => `/api/v1/findings/${encodeURIComponent(id)}`,
    ),
  ];
};

/**
 * Sends the same requests to a storage and to the reference storage, and asserts that status and bytes are
 * equal. Returns the bodies in the order of the requests.
 */
const assertSameBytes = async (
  candidate: Storage,
  datasets: readonly Dataset[],
  session: string | undefined,
  paths: readonly string[],
): Promise<readonly string[]> => {
  const servers = [await serveStorage(candidate), await serveStorage(referenceStorage(datasets))] as const;
  const bodies: string[] = [];
  try {
    for (const path of paths) {
      const [actual, expected] = await Promise.all(
        servers.map((server) => server.get(path, { Cookie: `session=${session}` })),
      );
      assert.deepEqual(actual, expected, path);
      bodies.push(actual?.text ?? '');
    }
  } finally {
    for (const { stop } of servers) await stop();
  }
  return bodies;
};

/** A path, and the body that the contract requires for it. */
type ModelRequest = readonly [path: string, expected: (data: model.Tenant) => unknown];

/** Fills a storage with two random tenants and sends random requests on behalf of the first. */
const property =
  (open: OpenStorage, requests: fc.Arbitrary<readonly ModelRequest[]>): (() => Promise<void>) =>
  () =>
    fc.assert(
      fc.asyncProperty(tenant, tenant, requests, async (left, right, batch) => {
        const datasets = [dataset(asFixture('left', left)), dataset(asFixture('right', right))];
        const paths = batch.map(([path]) => path);
        await withStorage(open, datasets, async (storage) => {
          const bodies = await assertSameBytes(storage, datasets, 'left', paths);
          for (const [i, [path, expected]] of batch.entries()) {
            assert.deepEqual(JSON.parse(bodies[i] ?? ''), JSON.parse(JSON.stringify(expected(left))), path);
          }
        })();
      }),
      { numRuns: 40 },
    );

const severalOf = <A>(one: fc.Arbitrary<A>): fc.Arbitrary<readonly A[]> =>
  fc.array(one, { minLength: 5, maxLength: 12 });

const listRequest = (
  path: string,
  query: model.ListQuery,
  expected: (data: model.Tenant, query: model.ListQuery) => unknown,
): ModelRequest => {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return [`${path}?${new URLSearchParams(parameters)}`, (data) => expected(data, query)];
};

/**
 * The API over the storage: the same bytes as over the fixture adapter, and what the model of the contract
 * says.
 */
export const apiCases = (open: OpenStorage): readonly ConformanceCase[] => [
  ...[acme, other, nobody, edges].map((data) => ({
    name: `every list, page, filter and finding of the tenant ${data.user.id}`,
    run: withStorage(open, [acme, other, nobody, edges], async (storage) => {
      await assertSameBytes(
        storage,
        [acme, other, nobody, edges],
        data.sessions[0]?.value,
        requestsFor(data),
      );
    }),
  })),
  {
    name: 'any page of any findings',
    run: property(
      open,
      severalOf(findingsQuery.map((query) => listRequest('/api/v1/findings', query, model.findings))),
    ),
  },
  {
    name: 'any page of any pull requests',
    run: property(open, severalOf(prsQuery.map((query) => listRequest('/api/v1/prs', query, model.prs)))),
  },
  {
    name: 'any repositories, and any finding by its id',
    run: property(
      open,
      severalOf(
        anId.map(
          (id): ModelRequest => [
            `/api/v1/findings/${encodeURIComponent(id)}`,
            (data) => model.finding(data, id),
          ],
        ),
      ).map((findings): readonly ModelRequest[] => [
        ['/api/v1/repos', (data) => model.repos(data, at(now))],
        ...findings,
      ]),
    ),
  },
];
