import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Dataset } from '../../../src/records/dataset.js';
import type { Storage } from '../../../src/storage/port.js';
import { at, dataset, now } from '../../_data.js';
import { aStorage } from '../../_storage.js';
import { acme, nobody, other } from '../../http/_world.js';
import { anId, asFixture, findingsQuery, prsQuery, tenant } from '../../model/_arbitraries.js';
import * as model from '../../model/_model.js';
import { type ConformanceCase, holding, type OpenStorage } from './_case.js';
import { type Serving, serving } from './_serving.js';
import { edges } from './_worlds.js';

const queryOf = (query: model.ListQuery): string =>
  new URLSearchParams(Object.entries(query).map(([k, v]): [string, string] => [k, String(v)])).toString();

/** Sends the same requests to two storages and compares the bytes. */
const compare = async (
  candidate: Storage,
  datasets: readonly Dataset[],
  requests: readonly (readonly [path: string, headers: Readonly<Record<string, string>>])[],
): Promise<void> => {
  const servers = [await serving(candidate), await serving(aStorage(datasets))] as const;
  try {
    for (const [path, headers] of requests) {
      const [given, expected] = await Promise.all(servers.map((server) => server.get(path, headers)));
      assert.deepEqual(given, expected, path);
    }
  } finally {
    for (const { stop } of servers) await stop();
  }
};

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

/** Every operation, every page of a few sizes, every filter there is, and ids that nobody has. */
const everything = (world: Dataset): readonly string[] => {
  const repoIds = [
    ...world.repos.map(({ id }) => id),
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
    ...[...world.fixDrafts.map(({ id }) => id), ...repoIds.filter((id) => id !== '')].map(
      (id) => `/api/v1/findings/${encodeURIComponent(id)}`,
    ),
  ];
};

/** Two storages of any content, and any requests to them. */
const property =
  (
    open: OpenStorage,
    batch: fc.Arbitrary<readonly (readonly [path: string, expected: (left: model.Tenant) => unknown])[]>,
  ): (() => Promise<void>) =>
  () =>
    fc.assert(
      fc.asyncProperty(tenant, tenant, batch, async (left, right, requests) => {
        const datasets = [dataset(asFixture('left', left)), dataset(asFixture('right', right))];
        await holding(open, datasets, async (storage) => {
          await compare(
            storage,
            datasets,
            requests.map(([path]) => [path, { Cookie: 'session=left' }]),
          );
          await againstModel(storage, left, requests);
        })();
      }),
      { numRuns: 40 },
    );

const againstModel = async (
  storage: Storage,
  left: model.Tenant,
  requests: readonly (readonly [path: string, expected: (left: model.Tenant) => unknown])[],
): Promise<void> => {
  const server: Serving = await serving(storage);
  try {
    for (const [path, expected] of requests) {
      const { text } = await server.get(path, { Cookie: 'session=left' });
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(expected(left))), path);
    }
  } finally {
    await server.stop();
  }
};

const many = <A>(one: fc.Arbitrary<A>): fc.Arbitrary<readonly A[]> =>
  fc.array(one, { minLength: 5, maxLength: 12 });

/** What the API reads: the same bytes as from the fixture adapter, and what the model of the contract says. */
export const readingCases = (open: OpenStorage): readonly ConformanceCase[] => [
  ...[acme, other, nobody, edges].map((world) => ({
    name: `every list, page, filter and finding of the tenant ${world.user.id}`,
    run: holding(open, [acme, other, nobody, edges], async (storage) => {
      const Cookie = `session=${world.sessions[0]?.value}`;
      await compare(
        storage,
        [acme, other, nobody, edges],
        everything(world).map((path) => [path, { Cookie }]),
      );
    }),
  })),
  {
    name: 'any page of any findings',
    run: property(
      open,
      many(
        findingsQuery.map(
          (query) =>
            [
              `/api/v1/findings?${queryOf(query)}`,
              (left: model.Tenant) => model.findings(left, query),
            ] as const,
        ),
      ),
    ),
  },
  {
    name: 'any page of any pull requests',
    run: property(
      open,
      many(
        prsQuery.map(
          (query) =>
            [`/api/v1/prs?${queryOf(query)}`, (left: model.Tenant) => model.prs(left, query)] as const,
        ),
      ),
    ),
  },
  {
    name: 'any repositories, and any finding by its id',
    run: property(
      open,
      many(
        anId.map(
          (id) =>
            [
              `/api/v1/findings/${encodeURIComponent(id)}`,
              (left: model.Tenant) => model.finding(left, id),
            ] as const,
        ),
      ).map((findings) => [
        ['/api/v1/repos', (left: model.Tenant) => model.repos(left, at(now))] as const,
        ...findings,
      ]),
    ),
  },
];
