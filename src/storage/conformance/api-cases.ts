import fc from 'fast-check';
import type { Dataset } from '../../records/dataset.js';
import { anId, findingsQuery, prsQuery } from './arbitraries.js';
import { type ConformanceCase, type Suite, withStorage } from './conformance-case.js';
import * as model from './contract-model.js';
import { type ModelRequest, randomTenants } from './random-tenants.js';
import { at, now } from './sample-rows.js';
import { acme, edges, many, nobody, other } from './sample-tenants.js';
import { servedPair } from './served-pair.js';

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

/** Pages that only a tenant with many rows has. */
const furtherPages = ['page=2', 'page=3&limit=7', 'page=31&limit=7', 'page=2&limit=100', 'page=3&limit=100'];

/** Enough for a list that is empty. */
const emptyPages = ['page=1', 'page=2&limit=1', 'page=0'];

/** Repositories that no tenant has. */
const unknownIds = ['unknown', '', '\u0000', 'a\u0000b', "' OR 1=1 --", 'x'.repeat(5000)];

/** Requests to every operation: pages of several sizes, every filter, and ids that do not exist. */
const requestsFor = ({ repos, fixDrafts }: Dataset): readonly string[] => {
  const isLong = fixDrafts.length > 100;
  const own = isLong ? [...pages, ...furtherPages] : pages;
  const details = isLong ? fixDrafts.filter((_, i) => i % 10 === 0) : fixDrafts;
  return [
    '/api/v1/repos',
    ...listsOf('', own),
    ...repos.flatMap(({ id }) => listsOf(`repoId=${encodeURIComponent(id)}`, own)),
    ...unknownIds.flatMap((id) => listsOf(`repoId=${encodeURIComponent(id)}`, emptyPages)),
    ...[...details.map(({ id }) => id), ...unknownIds.filter((id) => id !== '')].map(
      (id) => `/api/v1/findings/${encodeURIComponent(id)}`,
    ),
  ];
};

/** Both lists of a tenant or a repository, by page, severity and status. */
const listsOf = (filter: string, own: readonly string[]): readonly string[] => [
  ...own.flatMap((page) => [pathOf('findings', filter, page), pathOf('prs', filter, page)]),
  ...['critical', 'low'].map((severity) => pathOf('findings', filter, `severity=${severity}`)),
  ...['pending', 'resolved'].map((status) => pathOf('findings', filter, `status=${status}`, 'limit=2')),
  ...['open', 'merged', 'closed'].flatMap((status) =>
    ['', 'limit=1&page=2', 'limit=7&page=3'].map((page) => pathOf('prs', filter, `status=${status}`, page)),
  ),
];

const pathOf = (list: string, ...parameters: readonly string[]): string =>
  `/api/v1/${list}?${parameters.filter((parameter) => parameter !== '').join('&')}`;

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

/** What the API over the storage responds for a few tenants: the same bytes as over the fixture adapter. */
export const fixedTenantCases = (suite: Suite): readonly ConformanceCase[] =>
  samples.map((data) => ({
    name: `every list, page, filter and finding of the tenant ${data.user.id}`,
    run: withStorage(suite, samples, async (storage) => {
      const pair = await servedPair();
      try {
        pair.use(storage, samples);
        await pair.assertSameBytes(data.sessions[0]?.value ?? '', requestsFor(data));
      } finally {
        await pair.stop();
      }
    }),
  }));

const samples = [acme, other, nobody, many, edges];

/** The same for random tenants, which are also compared with the model of the contract. */
export const randomTenantCases = (suite: Suite): readonly ConformanceCase[] => [
  {
    name: 'any page of any findings',
    run: randomTenants(
      suite,
      severalOf(findingsQuery.map((query) => listRequest('/api/v1/findings', query, model.findings))),
    ),
  },
  {
    name: 'any page of any pull requests',
    run: randomTenants(
      suite,
      severalOf(prsQuery.map((query) => listRequest('/api/v1/prs', query, model.prs))),
    ),
  },
  {
    name: 'any repositories, and any finding by its id',
    run: randomTenants(
      suite,
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
