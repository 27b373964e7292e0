import { AssertionError, deepEqual } from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import * as t from 'io-ts';
import type { Storage } from '../../accounts/account-storage.js';
import { observedStorage } from '../../accounts/storage-calls.js';
import { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord } from '../../api/row-records.js';
import { valueAt } from '../../common/json.js';
import { Described, Nullable } from '../../contract/codecs/combinators.js';
import { Identifier } from '../../contract/codecs/text-and-numbers.js';
import { isDate } from '../../contract/codecs/timestamp.js';
import { FindingStatus, Severity, valuesOf } from '../../contract/enums.js';
import type { Dataset } from '../../fixtures/dataset.js';
import { fixtureStorage } from '../../fixtures/fixture-storage.js';
import { memoryStateStore } from '../../fixtures/state-store.js';
import { apiRows, createService, fetchDoor } from '../../start/core.js';
import { type Checks, type ConformanceCase, checkStorage, type Suite } from './conformance-case.js';
import {
  acme,
  aDraft,
  aPullRequest,
  aRepo,
  aScan,
  asFixture,
  at,
  dataset,
  edges,
  many,
  nobody,
  now,
  other,
} from './sample-tenants.js';

if (fc.uniqueArray === undefined)
  throw new Error('triage-api/storage/conformance needs fast-check 3 or later');

type FixtureRow = Readonly<Record<string, unknown>>;

/** The rows of a tenant, undecoded. */
type Tenant = Readonly<Record<'repos' | 'scans' | 'fixDrafts' | 'pullRequests', readonly FixtureRow[]>>;

/** The parameters of a list. */
type ListQuery = Readonly<
  Partial<Record<'page' | 'limit', number> & Record<'repoId' | 'severity' | 'status', string>>
>;

/** Few ids, so that tenants share them. Some sort differently by code point and by UTF-16 unit. */
const ids = ['a', 'b', 'B', 'ä', '\uffee', '😀', 'a/b', '%61', 'z z'];

/** Few moments, so that many rows tie. */
const moment = fc.constantFrom(
  '2026-11-20T11:59:59.999Z',
  '2026-11-20T11:00:00.000Z',
  '2026-11-20T11:00:00.001Z',
  '2026-11-13T12:00:00.000Z',
  '2025-01-01T00:00:00.000Z',
  '2027-01-01T00:00:00.000Z',
);

const text = fc.string({ unit: 'grapheme', maxLength: 5 });
const severity = fc.constantFrom(...valuesOf(Severity));
const findingStatus = fc.constantFrom(...valuesOf(FindingStatus));
const prState = fc.constantFrom('open', 'merged', 'closed', 'cancelled', null, 'draft', 'Open', '');

/** Up to `maxRows` rows with unique ids. */
const keyed = <A>(maxRows: number, fields: fc.Arbitrary<A>): fc.Arbitrary<(readonly [string, A])[]> =>
  fc.uniqueArray(
    fc.tuple(
      fc.tuple(fc.constantFrom(...ids), fc.nat(maxRows)).map(([id, n]) => `${id}${n || ''}`),
      fields,
    ),
    { maxLength: maxRows, size: '+1', selector: ([id]) => id },
  );

/** Which of the rows is referred to: as no row depends on another one, a tenant is reduced quickly. */
const reference = fc.nat(1000);
const idAt = (rows: readonly FixtureRow[], n: number): string => String(rows[n % rows.length]?.id);

/** Any value of a field; null: ids are not up to chance. */
const anyValue = (codec: t.Mixed): fc.Arbitrary<unknown> | null => {
  if (codec instanceof Described) return anyValue(codec.codec);
  if (codec instanceof Nullable) return fc.option(anyValue(codec.codec) ?? fc.constant(null));
  if (codec instanceof t.KeyofType) return fc.constantFrom(...Object.keys(codec.keys));
  if (codec === Identifier) return null;
  return isDate(codec) ? moment : codec.is('') ? text : codec.is(true) ? fc.boolean() : fc.nat(100);
};

/** Any values of the fields of a row. `known`: those that cases depend on. */
const anyRow = (fields: t.Props, known: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) => {
  const values = Object.entries(fields).flatMap(([name, codec]) => {
    const value = anyValue(codec);
    return value === null ? [] : [[name, value] as const];
  });
  return fc.record({ ...Object.fromEntries(values), ...known });
};

const repo = anyRow(RepoRecord.props, { owner: text.filter((owner) => owner.trim() === owner) });
const scan = anyRow(ScanRecord.props);
const draft = anyRow(FixDraftRecord.props, { advisoryId: fc.constantFrom('A', 'B') });
const pullRequest = anyRow(PullRequestRecord.props, { prState });

/** A tenant with valid references. */
const tenant: fc.Arbitrary<Tenant> = fc
  .record({
    repos: keyed(8, repo),
    scans: keyed(8, fc.tuple(reference, scan)),
    drafts: keyed(40, fc.tuple(reference, draft)),
    pullRequests: keyed(40, fc.tuple(reference, pullRequest)),
  })
  .map((rows) => {
    const repos = rows.repos.map(([id, over]) => aRepo(id, over));
    const [scans, drafts] = repos.length === 0 ? [[], []] : [rows.scans, rows.drafts];
    const fixDrafts = drafts.map(([id, [n, over]]) => aDraft(id, idAt(repos, n), over));
    const pullRequests = fixDrafts.length === 0 ? [] : rows.pullRequests;
    return {
      repos,
      scans: scans.map(([id, [n, over]]) => aScan(id, idAt(repos, n), over)),
      fixDrafts,
      pullRequests: pullRequests.map(([id, [n, over]]) => aPullRequest(id, idAt(fixDrafts, n), over)),
    };
  });

const paging = { page: fc.integer({ min: 1, max: 6 }), limit: fc.constantFrom(1, 2, 7, 25, 100, 101, 5000) };
const anId = fc.constantFrom(...ids, 'unknown');
const findingsQuery: fc.Arbitrary<ListQuery> = fc.record(
  { ...paging, repoId: anId, severity, status: findingStatus },
  { requiredKeys: [] },
);
const prsQuery: fc.Arbitrary<ListQuery> = fc.record(
  { ...paging, repoId: anId, status: fc.constantFrom('open', 'merged', 'closed') },
  { requiredKeys: [] },
);

/** What random cases, and tests of fixtures, are made of. */
export const arbitrary = { row: anyRow, tenant, id: anId, findingsQuery, prsQuery };

/** The number of requests that are sent at the same time, so that a remote storage takes less time. */
const inFlight = 4;

/** Asserts that the API over a storage responds as over the fixture adapter with the same tenants. */
const assertSameBytes = async (
  storage: Storage,
  datasets: readonly Dataset[],
  session: string,
  paths: readonly string[],
): Promise<void> => {
  const [candidate, reference] = [apiOver(storage), apiOver(referenceStorage(datasets))];
  const compare = async (path: string): Promise<void> => {
    const [actual, expected] = [await candidate.get(path, session), await reference.get(path, session)];
    const difference = differenceOf(actual, expected);
    if (difference === null) return;
    const reasons = candidate.errors.slice(0, 2).map((error) => `\nreason: ${error}`);
    throw new AssertionError({
      message: `GET ${cut(path, 300)} as ${session}\n${difference}${reasons.join('')}`,
    });
  };
  for (let i = 0; i < paths.length; i += inFlight) {
    const results = await Promise.allSettled(paths.slice(i, i + inFlight).map(compare));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
};

/** The fixture adapter, whose responses every other storage must reproduce byte for byte. */
const referenceStorage = (datasets: readonly Dataset[]): Storage => {
  const stateStore = memoryStateStore();
  const settings = { clock: () => at(now), log: () => {}, stateStore, maxSignUps: 100 };
  return fixtureStorage(settings, datasets).storage;
};

type Answered = Readonly<{ status: number; text: string }>;

/** The API over a storage, with the clock standing at `now`. `errors`: why responses have status 5xx. */
const apiOver = (storage: Storage) => {
  const errors: string[] = [];
  const log = (level: string, event: string, details: unknown): void => {
    if (level === 'error' || level === 'warn') errors.push(`${event} ${inspect(details, { depth: 6 })}`);
  };
  const observed = observedStorage(storage, (call) => (failure) => {
    if (failure !== null) errors.push(`${call} failed with ${inspect(failure, { depth: 6 })}`);
  });
  const respond = fetchDoor(createService({ rows: apiRows(observed, { log }), clock: () => at(now), log }));
  return {
    errors,
    get: async (path: string, session: string): Promise<Answered> => {
      const headers = { Cookie: `session=${session}` };
      const answer = await respond(new Request(`http://api.test${path}`, { headers }));
      return { status: answer.status, text: await answer.text() };
    },
  };
};

/** How a response differs from the expected one; null if not at all. */
const differenceOf = (actual: Answered, expected: Answered): string | null => {
  if (actual.status !== expected.status)
    return `status ${actual.status} instead of ${expected.status}: ${cut(actual.text)}`;
  if (actual.text === expected.text) return null;
  const [got, right] = [parsed(actual.text), parsed(expected.text)];
  // An order, or rows that are missing, are seen at a glance.
  const [ids, rightIds] = [idsOf(got), idsOf(right)];
  if (ids !== rightIds) return `ids expected ${rightIds}\nids got      ${ids}`;
  try {
    deepEqual(got, right);
    return 'the same values in other bytes, or a long text with another end';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** The value of a JSON text as reports show it; the text itself if it is none. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? cut(value) : value));
  } catch {
    return cut(text);
  }
};

const idsOf = (body: unknown): string => {
  const items = valueAt(body, ['items']) ?? body;
  return inAscii(Array.isArray(items) ? items.map((item) => valueAt(item, ['id'])) : null);
};

const cut = (text: string, max = 80): string =>
  text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text;

/** JSON, of the named fields only, that tells characters apart which look alike, such as both forms of é. */
const inAscii = (value: unknown, fields?: string[]): string =>
  (JSON.stringify(value, fields) ?? 'nothing').replace(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

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

const withRepos = (paths: readonly string[]) => ['/api/v1/repos', ...paths];

const idPaths = anId.map((id) => `/api/v1/findings/${encodeURIComponent(id)}`);

/** The same for random tenants. */
export const randomTenantCases = (suite: Suite): readonly ConformanceCase[] =>
  Object.entries({
    'any page of any findings': severalOf(pagesOf('findings', findingsQuery)),
    'any page of any pull requests': severalOf(pagesOf('prs', prsQuery)),
    'any repositories, and any finding by its id': severalOf(idPaths).map(withRepos),
  }).map(([name, requests]) => ({ name, run: () => checkRandomTenants(suite, requests) }));

/** What a report shows of tenants: the fields that vary and that decide about orders, filters and counts. */
const shown = [
  ...['repos', 'scans', 'fixDrafts', 'pullRequests', 'id', 'owner', 'repoId', 'draftId', 'advisoryId'],
  ...['severity', 'status', 'prState', 'startedAt', 'discoveredAt', 'createdAt', 'updatedAt'],
];

const numRuns = 40;

/** How long a failing example is reduced, in milliseconds: fast-check alone would go on for minutes. */
const reductionTime = 1500;

/** Fills a storage with two random tenants, and sends random requests on behalf of the first. */
const checkRandomTenants = async (suite: Suite, requests: fc.Arbitrary<readonly string[]>): Promise<void> => {
  let checked = Promise.resolve();
  const property = fc.asyncProperty(tenant, tenant, requests, (left, right, paths) => {
    const datasets = [dataset(asFixture('left', left)), dataset(asFixture('right', right))];
    checked = checkStorage(suite, datasets, (storage) => assertSameBytes(storage, datasets, 'left', paths));
    return checked;
  });
  const given = suite.seed === undefined ? {} : { seed: suite.seed };
  const found = await fc.check(property, { ...given, numRuns, endOnFailure: true });
  if (!found.failed) return;
  const { seed, counterexamplePath } = found;
  const replay = { seed, path: counterexamplePath ?? '', numRuns: 1 };
  const again = await fc.check(property, { ...replay, interruptAfterTimeLimit: reductionTime });
  // The storage of the example that was interrupted is still open.
  await checked.catch(() => {});
  const { counterexample, errorInstance, numShrinks } = again.counterexample === null ? found : again;
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
