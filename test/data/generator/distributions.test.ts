import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { groupBy } from '../../../src/common/sort-and-group.js';
import { formatProblem } from '../../../src/contract/codecs/problem.js';
import type { TenantSpec } from '../../../src/data/generator/tenant-plan.js';
import { tenantRows } from '../../../src/data/generator/tenant-rows.js';
import { validateDataset } from '../../../src/fixtures/validate-dataset.js';
import { unbelievable } from '../../_believable.js';
import { aSpec, fixtureText, tally } from './_generated.js';

const rowsOf = (changes: Partial<TenantSpec>) => {
  const { repos, scans, fixDrafts, pullRequests } = tenantRows(aSpec(changes));
  return {
    repos: Array.from(repos),
    scans: Array.from(scans),
    drafts: Array.from(fixDrafts),
    prs: Array.from(pullRequests),
  };
};

const severities = ['critical', 'high', 'low', 'medium'];

/** Values of which each occurs, however small a tenant is, by the collection and the field. */
const everyValue = [
  ['drafts', 'severity', ...severities],
  ['drafts', 'status', 'drafting', 'escalated', 'pending', 'resolved'],
  ['prs', 'prState', 'cancelled', 'closed', 'merged', null, 'open'],
  ['repos', 'scanStatusBadge', 'attention', 'failed', 'healthy', 'never_scanned', 'partial', 'scanning'],
  ['repos', 'status', 'blocked', 'clear', 'fix_open', 'needs_review', 'not_scanned'],
  ['scans', 'status', 'completed', 'failed', 'partial', 'running'],
  ['prs', 'hasCodemod', false],
] as const;

type Expected = readonly [collection: keyof ReturnType<typeof rowsOf>, field: string, ...values: unknown[]];

/** The values that do not occur. */
const missing = (rows: ReturnType<typeof rowsOf>, expected: readonly Expected[]) =>
  expected.flatMap(([collection, field, ...values]) => {
    const found = new Set(rows[collection].map((row): unknown => Reflect.get(row, field)));
    return values.filter((value) => !found.has(value)).map((value) => [collection, field, value]);
  });

for (const seed of [0, 1, 2, 3, 4, 5, 6, 7])
  test(`seed ${seed}: every severity, status and state occurs in a small tenant`, (t) => {
    const rows = rowsOf({ seed, findings: 100, prs: 30, repos: 10 });
    t.deepEqual(missing(rows, everyValue), []);
    t.true(rows.scans.some(({ error }) => error !== null));
    t.true(rows.prs.some(({ codemodSummary }) => codemodSummary.includes('\n')));
  });

/** What need not be true to life: a scan may be running, an update have no pull request, and so on. */
const mayBe = /still running|has an error unless|a pull request was merged|has seen the findings/;

for (const seed of [0, 1, 2, 3])
  test(`seed ${seed}: the data is true to life`, (t) => {
    const spec = aSpec({ seed, repos: 20, findings: 400, prs: 120 });
    const dataset = validateDataset(JSON.parse(fixtureText(spec)));
    if (E.isLeft(dataset)) throw new Error(dataset.left.map(formatProblem).join('\n'));
    t.deepEqual(
      unbelievable(dataset.right).filter((each) => !mayBe.test(each)),
      [],
    );
  });

test('a scan opened the drafts it discovered, and saw those that nobody had resolved', (t) => {
  const { repos, scans, drafts } = rowsOf({ findings: 500 });
  const draftsOf = groupBy(drafts, ({ repoId }) => repoId);
  for (const { repoId, startedAt, finishedAt, status, findingsSeen, draftsOpened } of scans) {
    const own = draftsOf.get(repoId) ?? [];
    const known = own.filter(({ discoveredAt }) => discoveredAt <= finishedAt);
    t.is(draftsOpened, known.filter(({ discoveredAt }) => discoveredAt >= startedAt).length);
    const open = known.filter((draft) => draft.status !== 'resolved' || draft.updatedAt > startedAt);
    t.is(findingsSeen, status === 'failed' ? 0 : open.length);
  }
  const scanned = new Set(scans.map(({ repoId }) => repoId));
  for (const { id, scanStatusBadge } of repos)
    t.is(scanned.has(id), scanStatusBadge !== 'never_scanned' || draftsOf.has(id));
});

test('a few repositories have most findings, and most are of medium severity', (t) => {
  const { drafts } = rowsOf({ findings: 5000, repos: 40 });
  const perRepo = Array.from(tally(drafts.map(({ repoId }) => repoId)).values()).sort((l, r) => r - l);
  t.true(perRepo.slice(0, 5).reduce((sum, count) => sum + count, 0) > 2500);
  const counts = tally(drafts.map(({ severity }) => severity));
  const [critical = 0, high = 0, low = 0, medium = 0] = severities.map((severity) => counts.get(severity));
  t.true(medium > high && high > low && high > critical && medium > 2000);
});

test('the first findings of a repository have different advisories', (t) => {
  const { drafts } = rowsOf({ findings: 60 });
  for (const own of groupBy(drafts, ({ repoId }) => repoId).values()) {
    const few = own
      .slice(0, 12)
      .map((draft) => `${draft.advisoryId} ${draft.package} ${draft.vulnerableRange}`);
    t.is(new Set(few).size, few.length);
  }
});
