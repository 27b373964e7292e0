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
  envelopes,
  field,
  inField,
  isAt,
  items,
  type Mutation,
  mutated,
  queries,
  remembering,
  requests,
} from './_mutation.js';

const day = 24 * 60 * 60 * 1000;

/** A tenant with copies of its findings and pull requests, until it has so many findings. */
const enlarged = (tenant: Dataset, findings: number): Dataset => {
  const copies = Array.from({ length: Math.ceil(findings / tenant.fixDrafts.length) }, (_, index) => ({
    idOf: (id: string): string => (index === 0 ? id : `${id}_copy_${index}`),
    // Some days before, so that the copies of a row are not next to each other.
    earlier: (moment: Timestamp): Timestamp => timestampAt(Date.parse(moment) - index * day),
  }));
  const fixDrafts = copies
    .flatMap(({ idOf, earlier }) =>
      tenant.fixDrafts.map((draft) => {
        return { ...draft, id: idOf(draft.id), discoveredAt: earlier(draft.discoveredAt) };
      }),
    )
    .slice(0, findings);
  const ids = new Set(fixDrafts.map(({ id }) => id));
  const pullRequests = copies
    .flatMap(({ idOf, earlier }) =>
      tenant.pullRequests.map((pr) => {
        const [id, draftId] = [idOf(pr.id), idOf(pr.draftId)];
        return { ...pr, id, draftId, createdAt: earlier(pr.createdAt) };
      }),
    )
    .filter(({ draftId }) => ids.has(draftId));
  return { ...tenant, fixDrafts, pullRequests };
};

/** A filter has no effect next to another parameter. */
const withBoth = (place: 'findings' | 'prs', ignored: string, other: string): Mutation =>
  queries(place, (query) => query.has(other) && query.delete(ignored));

/** Ids of findings are compared in lower case. */
const lowerCase: Mutation = requests((incoming) =>
  isAt('finding', incoming) ? { target: incoming.path.toLowerCase() } : {},
);

const closedWithoutNull = items(
  'prs',
  ({ prState }, query) => query.get('status') !== 'closed' || prState !== null,
);

const tenantsWith = (findings: number) =>
  shipped.map((tenant) => (tenant.user.id === 'usr_boundary' ? enlarged(tenant, findings) : tenant));

/** Mistakes that some pages of a list show, by the check that has to find them. */
const mistakes: readonly (readonly [check: string, mutation: Mutation])[] = [
  ['findings.words', field('findings', 'severity', () => 'none')],
  ['findings.paging.total', envelopes('findings', ({ totalItems }) => ({ totalItems: totalItems + 1 }))],
  ['findings.combinations', withBoth('findings', 'status', 'severity')],
  ['prs.combinations', withBoth('prs', 'status', 'repoId')],
  [
    'prs.combinations-totals',
    envelopes('prs', ({ totalItems, page }) => ({ totalItems: totalItems + Number(page > 1) })),
  ],
  ['prs.repo-names', inField('prs', 'repo', (repo) => ({ ...repo, owner: 'another' }))],
  ['prs.status.open.only', queries('prs', (query) => query.delete('status'))],
  ['prs.status.closed.finds-null', closedWithoutNull],
  ['finding.id-exact', lowerCase],
];

test('of 10,000 findings, nearly every statement is exercised within the default budget, and mistakes are found', async (t) => {
  const { url } = await serve(t, tenantsWith(10_000));
  const real = remembering(sendTo(url));
  const right = await judge(sendTo(url), {}, { maxRequests: 1000 });
  t.deepEqual(idsOf(right, 'failed'), [], textReport(right).join('\n'));
  t.true(isConforming(right), textReport(right).join('\n'));
  t.deepEqual(
    right.checks.filter(({ reason }) => reason === 'requests').map(({ id }) => id),
    [],
  );
  const hint = 'large lists were sampled: --seed 1 repeats it, --all-pages fetches all';
  t.true(textReport(right).includes(hint));

  for (const [id, mutation] of mistakes) {
    const checks = allChecks.filter((check) => check.id === id);
    t.deepEqual(await failedChecks(checks, mutated(real, mutation)), [id]);
  }
});

test('verify reads other pages of a large list with another seed, and all with --all-pages', async (t) => {
  const { url } = await serve(t, tenantsWith(3000));
  const real = remembering(sendTo(url));
  const pagesWith = async (options: Readonly<{ seed?: number; allPages?: boolean }>) => {
    const targets = new Set<string>();
    const noting: Mutation = ({ request }, server) => {
      targets.add(request.target);
      return server(request);
    };
    const report = await judge(mutated(real, noting), {}, { ...options, maxRequests: 5000 });
    t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
    t.is(report.seed, options.allPages ? null : (options.seed ?? 1));
    return Array.from({ length: 30 }, (_, index) => index + 1).filter((page) =>
      targets.has(`/api/v1/findings?page=${page}&limit=100`),
    );
  };
  const [first, second] = [await pagesWith({ seed: 1 }), await pagesWith({ seed: 2 })];
  t.notDeepEqual(first, second);
  for (const pages of [first, second])
    t.true(pages.length < 30 && [1, 2, 29, 30].every((page) => pages.includes(page)));
  t.is((await pagesWith({ allPages: true })).length, 30);
});
