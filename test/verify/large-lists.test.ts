import test from 'ava';
import { isConforming } from '../../src/verify/report.js';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, shipped } from './_judge.js';
import { enlarged } from './_large.js';
import { failures, mutated, pages, queries, remembering, rows } from './_mutation.js';

/** What the command line allows by default. */
const maxRequests = 1000;

const tenantsWith = (findings: number) =>
  shipped.map((tenant) => (tenant.user.id === 'usr_boundary' ? enlarged(tenant, findings) : tenant));

for (const findings of [10_000, 60_000]) {
  test(`${findings} findings: nearly every statement is exercised within the default budget, and mistakes are found`, async (t) => {
    const { url } = await serve(t, tenantsWith(findings));
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

    const unauthorized = {
      'credentials.listPrs.none': failures('all', 401, { text: '{"error":"unauthorized"}' }),
    };
    const others = {
      'findings.words': rows('findings', (row) => ({ ...row, severity: 'none' })),
      'prs.status.open.only': queries('prs', (query) => query.delete('status')),
      'findings.paging.total': pages('findings', (page) => ({ ...page, totalItems: page.totalItems + 1 })),
    };
    for (const [id, mutation] of Object.entries(
      findings < 60_000 ? { ...unauthorized, ...others } : unauthorized,
    )) {
      const report = await judge(mutated(real, mutation), {}, { maxRequests });
      t.true(idsOf(report, 'failed').includes(id), `${id}: ${textReport(report).join('\n')}`);
    }
  });
}

test('another seed looks at other pages, and --all-pages at all of them', async (t) => {
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
