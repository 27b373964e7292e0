import { readFile } from 'node:fs/promises';
import test from 'ava';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { shippedDatasets as shipped } from '../_shipped.js';
import { judge, sendTo } from './_judge.js';
import { failures, mutated, remembering } from './_mutation.js';
import { nastyReport } from './_report.js';
import { prFilterMutants } from './checks/mutants/_pr-filter-mutants.js';

test('the text report starts with the failures and the requests that show them, and escapes control characters', async (t) => {
  const lines = textReport(await nastyReport(t));
  t.is(lines[0], 'Failed: violates the contract');
  t.true(
    lines.includes(
      '  findings.words (2.2): findings: severity and status have a value that the contract lists',
    ),
  );
  t.true(lines.includes('    GET /api/v1/findings?page=1&limit=100 (cookie: session)'));
  t.true(
    lines.some((line) =>
      line.startsWith('      /items/0/severity: expected one of critical, high, medium, low, got '),
    ),
  );
  t.true(lines.includes('  requires an expired session (--expired-session)'));
  t.regex(lines.at(-1) ?? '', /^http:\/\/judged\.test: breaks the contract$/);
  for (const line of lines) t.false(/[\p{Cc}]/u.test(line), line);
});

test('the failure in docs/verify.md is printed exactly like that', async (t) => {
  const { url } = await serve(t, shipped);
  const wrong = prFilterMutants.find(([name]) => name === 'prs: totals are counted before the filter');
  const [, mutation = failures('all', 500, {})] = wrong ?? [];
  const printed = textReport(await judge(mutated(remembering(sendTo(url)), mutation))).join('\n');
  const page = await readFile(new URL('../../../docs/verify.md', import.meta.url), 'utf8');
  const [, shown = 'nothing'] = /^```text\n([\s\S]*?)\n```$/m.exec(page) ?? [];
  t.true(printed.includes(shown), printed);
});
