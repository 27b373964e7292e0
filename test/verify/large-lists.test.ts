import test from 'ava';
import { type Timestamp, timestampAt } from '../../src/contract/codecs/timestamp.js';
import type { Dataset } from '../../src/fixtures/dataset.js';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { isConforming } from '../../src/verify/report.js';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { shippedDatasets as shipped } from '../_shipped.js';
import { failedChecks, idsOf, judge, sendTo } from './_judge.js';
import {
  failures,
  isAt,
  type Mutation,
  mutated,
  pages,
  queries,
  remembering,
  requests,
  rows,
} from './_mutation.js';

const day = 24 * 60 * 60 * 1000;

/** A timestamp some days before, so that the copies of a row are not next to each other. */
const earlier = (timestamp: Timestamp, days: number): Timestamp =>
  timestampAt(Date.parse(timestamp) - days * day);

/** A tenant with copies of its findings and pull requests, until it has so many findings. */
const enlarged = (tenant: Dataset, findings: number): Dataset => {
  const copies = Array.from({ length: Math.ceil(findings / tenant.fixDrafts.length) }, (_, index) => index);
  const suffix = (copy: number): string => (copy === 0 ? '' : `_copy_${copy}`);
  const fixDrafts = copies
    .flatMap((copy) =>
      tenant.fixDrafts.map((draft) => ({
        ...draft,
        id: `${draft.id}${suffix(copy)}`,
        discoveredAt: earlier(draft.discoveredAt, copy),
      })),
    )
    .slice(0, findings);
  const ids = new Set(fixDrafts.map(({ id }) => id));
  const pullRequests = copies
    .flatMap((copy) =>
      tenant.pullRequests.map((pr) => ({
        ...pr,
        id: `${pr.id}${suffix(copy)}`,
        draftId: `${pr.draftId}${suffix(copy)}`,
        createdAt: earlier(pr.createdAt, copy),
      })),
    )
    .filter(({ draftId }) => ids.has(draftId));
  return { ...tenant, fixDrafts, pullRequests };
};

/** A filter has no effect next to another parameter. */
const withBoth = (place: 'findings' | 'prs', ignored: string, other: string): Mutation =>
  queries(place, (query) => {
    if (query.has(other)) query.delete(ignored);
  });

/** Ids of findings are compared in lower case. */
const lowerCase: Mutation = requests((incoming) =>
  isAt('finding', incoming) ? { target: incoming.path.toLowerCase() } : {},
);

/** totalItems counts one more after the first page. */
const largerAfterFirst = pages('prs', (page) => ({
  ...page,
  totalItems: page.totalItems + Number(page.page > 1),
}));

/** status=closed finds no pull request whose state is null. */
const closedWithoutNull = pages('prs', (page, { query }) =>
  query.get('status') === 'closed'
    ? { ...page, items: page.items.filter(({ prState }) => prState !== null) }
    : page,
);

/** What the command line allows by default. */
const maxRequests = 1000;

const tenantsWith = (findings: number) =>
  shipped.map((tenant) => (tenant.user.id === 'usr_boundary' ? enlarged(tenant, findings) : tenant));

/** Mistakes that some pages of a list show, by the check that has to find them. */
const mistakes: readonly (readonly [check: string, mutation: Mutation])[] = [
  ['findings.words', rows('findings', (row) => ({ ...row, severity: 'none' }))],
  ['findings.paging.total', pages('findings', (page) => ({ ...page, totalItems: page.totalItems + 1 }))],
  ['findings.combinations', withBoth('findings', 'status', 'severity')],
  ['prs.combinations', withBoth('prs', 'status', 'repoId')],
  ['prs.combinations-totals', largerAfterFirst],
  ['prs.repo-names', rows('prs', (row) => ({ ...row, repo: { ...Object(row.repo), owner: 'another' } }))],
  ['prs.status.open.only', queries('prs', (query) => query.delete('status'))],
  ['prs.status.closed.finds-null', closedWithoutNull],
  ['finding.id-exact', lowerCase],
];

test('of 30,000 findings, nearly every statement is exercised within the default budget, and mistakes are found', async (t) => {
  const { url } = await serve(t, tenantsWith(30_000));
  const real = remembering(sendTo(url));
  const right = await judge(
    mutated(real, (incoming) => real(incoming.request)),
    {},
    { maxRequests },
  );
  t.deepEqual(idsOf(right, 'failed'), [], textReport(right).join('\n'));
  t.true(isConforming(right), textReport(right).join('\n'));
  t.deepEqual(
    right.checks.filter(({ reason }) => reason === 'requests').map(({ id }) => id),
    [],
  );
  t.is(right.seed, 1);
  t.true(
    textReport(right).includes('large lists were sampled: --seed 1 repeats it, --all-pages fetches all'),
  );

  for (const [id, mutation] of mistakes) {
    const checks = allChecks.filter((check) => check.id === id);
    t.deepEqual(await failedChecks(checks, mutated(real, mutation)), [id]);
  }
});

test('a wrong 401 is found although a large list takes many requests', async (t) => {
  const { url } = await serve(t, tenantsWith(10_000));
  const unauthorized = failures('all', 401, { text: '{"error":"unauthorized"}' });
  const report = await judge(mutated(remembering(sendTo(url)), unauthorized), {}, { maxRequests });
  t.true(idsOf(report, 'failed').includes('credentials.listPrs.none'), textReport(report).join('\n'));
});

test('verify reads other pages of a large list with another seed, and all with --all-pages', async (t) => {
  const { url } = await serve(t, tenantsWith(3000));
  const targets = async (options: Readonly<{ seed?: number; allPages?: boolean }>) => {
    const sent = new Set<string>();
    const real = remembering(sendTo(url));
    const report = await judge(
      mutated(real, (incoming) => {
        sent.add(incoming.request.target);
        return real(incoming.request);
      }),
      {},
      { ...options, maxRequests: 5000 },
    );
    t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
    return { sent, report };
  };
  const [first, second, all] = [
    await targets({ seed: 1 }),
    await targets({ seed: 2 }),
    await targets({ allPages: true }),
  ];
  t.notDeepEqual([...first.sent].sort(), [...second.sent].sort());
  t.is(all.report.seed, null);
  for (let page = 1; page <= 30; page += 1)
    t.true(all.sent.has(`/api/v1/findings?page=${page}&limit=100`), String(page));
});
