import { readFile } from 'node:fs/promises';
import test from 'ava';
import { isConforming } from '../../src/verify/report.js';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { shippedDatasets as shipped } from '../_shipped.js';
import { idsOf, judge, sendTo, world } from './_judge.js';
import { mutated, remembering, rows } from './_mutation.js';
import { asStatus } from './_values.js';

test('our own server passes every check, and every check is exercised', async (t) => {
  const { url } = await serve(t, shipped);
  const report = await judge(sendTo(url));
  t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
  t.deepEqual(idsOf(report, 'differs'), [], textReport(report).join('\n'));
  t.deepEqual(idsOf(report, 'not exercised'), []);
  t.true(report.must.passed > 100);
  t.is(report.stopped, null);
});

test('a server that sends mapped states instead of null leaves the checks of null and cancelled unexercised', async (t) => {
  const { url } = await serve(t, world);
  const shown = rows('prs', (row) => ({ ...row, prState: asStatus(row.prState) }));
  const report = await judge(mutated(remembering(sendTo(url)), shown));
  t.deepEqual(idsOf(report, 'failed'), []);
  t.deepEqual(idsOf(report, 'not exercised'), [
    'prs.status.closed.finds-cancelled',
    'prs.status.closed.finds-null',
  ]);
});

test('an empty tenant without a second one fails no check, and the report names the missing prerequisites', async (t) => {
  const { url } = await serve(t, shipped);
  const alone = {
    otherSession: undefined,
    otherToken: undefined,
    expiredSession: undefined,
    expiredToken: undefined,
  };
  const report = await judge(sendTo(url), { ...alone, session: 'empty-session', token: 'empty-token' });
  t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
  const needed = new Set(report.checks.map((check) => check.needed));
  for (const need of [
    'a finding',
    'a pull request',
    'a connected repository',
    'a second tenant (--other-session)',
    'a second tenant (--other-token)',
    'an expired session (--expired-session)',
    'more than 100 findings',
  ]) {
    t.true(needed.has(need), need);
  }
  for (const { id, outcome, needed: need, reason } of report.checks) {
    t.is(need === null, outcome !== 'not exercised', id);
    t.is(reason === null, outcome !== 'not exercised', id);
  }
  t.false(isConforming(report));
  const [lack, last] = textReport(report).slice(-2);
  const documented = await readFile(new URL('../../../docs/verify.md', import.meta.url), 'utf8');
  t.true(documented.includes(`\n\`\`\`text lack\n${lack}\n\`\`\`\n`), lack);
  t.is(last, 'http://judged.test: too little was exercised for a verdict');
  const lenient = await judge(
    sendTo(url),
    { ...alone, session: 'empty-session', token: 'empty-token' },
    { minExercised: 30 },
  );
  t.true(isConforming(lenient));
  t.true(textReport(lenient).at(-1)?.endsWith(': keeps the contract as far as it was exercised'));
});

for (const tenant of ['acme', 'demo', 'large']) {
  test(`${tenant}: no check fails with another tenant as the second one`, async (t) => {
    const { url } = await serve(t, shipped);
    const report = await judge(sendTo(url), {
      session: `${tenant}-session`,
      token: `${tenant}-token`,
      otherSession: 'boundary-session',
      otherToken: 'boundary-token',
    });
    t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
    t.deepEqual(idsOf(report, 'differs'), [], textReport(report).join('\n'));
    t.true(isConforming(report), textReport(report).join('\n'));
  });
}
