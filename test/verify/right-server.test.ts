import test from 'ava';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, shipped, world } from './_judge.js';
import { mutated, remembering, rows } from './_mutation.js';
import { asStatus } from './_values.js';

test('our own server keeps every statement, and every one is put to the test', async (t) => {
  const { url } = await serve(t, shipped);
  const report = await judge(sendTo(url));
  t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
  t.deepEqual(idsOf(report, 'differs'), [], textReport(report).join('\n'));
  t.deepEqual(idsOf(report, 'not exercised'), []);
  t.true(report.must.passed > 100);
  t.is(report.stopped, null);
});

test('what cannot be seen is not claimed: a server that shows mapped states has no null to be found', async (t) => {
  const { url } = await serve(t, world);
  const shown = rows('prs', (row) => ({ ...row, prState: asStatus(row.prState) }));
  const report = await judge(mutated(remembering(sendTo(url)), shown));
  t.deepEqual(idsOf(report, 'failed'), []);
  t.deepEqual(idsOf(report, 'not exercised'), [
    'prs.status.closed.finds-cancelled',
    'prs.status.closed.finds-null',
  ]);
});

test('a tenant with nothing, and no second one: nothing fails, and nothing is claimed of what is not there', async (t) => {
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
  for (const { id, outcome, needed: need } of report.checks)
    t.is(need === null, outcome !== 'not exercised', id);
  t.true(textReport(report).at(-1)?.endsWith(': keeps the contract as far as it was exercised'));
});

for (const tenant of ['acme', 'demo', 'large']) {
  test(`${tenant}: nothing fails beside another tenant`, async (t) => {
    const { url } = await serve(t, shipped);
    const report = await judge(sendTo(url), {
      session: `${tenant}-session`,
      token: `${tenant}-token`,
      otherSession: 'boundary-session',
      otherToken: 'boundary-token',
    });
    t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
    t.deepEqual(idsOf(report, 'differs'), [], textReport(report).join('\n'));
  });
}
