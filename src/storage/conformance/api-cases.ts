import { AssertionError } from 'node:assert/strict';
import fc from 'fast-check';
import type { Dataset } from '../../records/dataset.js';
import { anId, asFixture, findingsQuery, type ListQuery, prsQuery, tenant } from './arbitraries.js';
import { type Checks, type ConformanceCase, checkStorage, type Suite } from './conformance-case.js';
import { assertSameBytes, inAscii } from './same-bytes.js';
import { dataset } from './sample-rows.js';
import { acme, edges, many, nobody, other } from './sample-tenants.js';

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

export const fixedTenants = [acme, other, nobody, many, edges];

/** What the API over the storage responds for a few tenants: the same bytes as over the fixture adapter. */
export const fixedTenantCases: Checks = Object.fromEntries(
  fixedTenants.map((data) => [
    `every list, page, filter and finding of the tenant ${data.user.id}`,
    (storage) => assertSameBytes(storage, fixedTenants, data.sessions[0]?.value ?? '', requestsFor(data)),
  ]),
);

const severalOf = (paths: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.array(paths, { minLength: 1, maxLength: 12, size: 'max' });

const pagesOf = (list: string, queries: fc.Arbitrary<ListQuery>): fc.Arbitrary<string> =>
  queries.map((query) => {
    const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return `/api/v1/${list}?${new URLSearchParams(parameters)}`;
  });

const idPaths = anId.map((id) => `/api/v1/findings/${encodeURIComponent(id)}`);

/** The same for random tenants. */
export const randomTenantCases = (suite: Suite): readonly ConformanceCase[] =>
  Object.entries({
    'any page of any findings': severalOf(pagesOf('findings', findingsQuery)),
    'any page of any pull requests': severalOf(pagesOf('prs', prsQuery)),
    'any repositories, and any finding by its id': severalOf(idPaths).map((paths) => [
      '/api/v1/repos',
      ...paths,
    ]),
  }).map(([name, requests]) => ({ name, run: () => checkRandomTenants(suite, requests) }));

/** What a report shows of tenants: the fields that vary and that decide about orders, filters and counts. */
const shown = [
  ...['repos', 'scans', 'fixDrafts', 'pullRequests', 'id', 'owner', 'repoId', 'draftId', 'advisoryId'],
  ...['severity', 'status', 'prState', 'startedAt', 'discoveredAt', 'createdAt', 'updatedAt'],
];

const numRuns = 40;

/**
 * How long a failing example is reduced, in milliseconds: fast-check alone would go on for minutes. What has
 * been begun is not interrupted, because each storage is closed before the next is opened.
 */
const reductionTime = 1500;

/**
 * Fills a storage with two random tenants and sends random requests on behalf of the first. The bytes have to
 * be those of the reference storage.
 */
const checkRandomTenants = async (suite: Suite, requests: fc.Arbitrary<readonly string[]>): Promise<void> => {
  const property = fc.asyncProperty(tenant, tenant, requests, async (left, right, paths) => {
    const datasets = [dataset(asFixture('left', left)), dataset(asFixture('right', right))];
    await checkStorage(suite, datasets, (storage) => assertSameBytes(storage, datasets, 'left', paths));
  });
  const given = suite.seed === undefined ? {} : { seed: suite.seed };
  const found = await fc.check(property, { ...given, numRuns, endOnFailure: true });
  if (!found.failed) return;
  const { seed, counterexamplePath } = found;
  const replay = { seed, path: counterexamplePath ?? '', numRuns: 1 };
  const again = await fc.check(property, { ...replay, skipAllAfterTimeLimit: reductionTime });
  const { counterexample, errorInstance, numShrinks } = again.failed ? again : found;
  const [left, right] = counterexample ?? [];
  if (!(errorInstance instanceof AssertionError) || left === undefined || right === undefined)
    throw errorInstance;
  const message = [
    errorInstance.message,
    `the tenant left: ${inAscii(left, shown)}`,
    `the tenant right: ${inAscii(right, shown)}`,
    `found in example ${found.numRuns} of ${numRuns}, and reduced in ${numShrinks} steps`,
    `to repeat it, pass { seed: ${seed} } to storageConformance`,
  ].join('\n');
  throw new AssertionError({ message, actual: errorInstance.actual, expected: errorInstance.expected });
};
