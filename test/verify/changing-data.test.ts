import test from 'ava';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, world } from './_judge.js';
import { answers, isAt, type Mutation, mutated, pages, type Row, remembering, rows } from './_mutation.js';

/** From the `count`th request on, answers of this kind are changed: as when data changes while it is read. */
const after = (count: number, mutation: Mutation): Mutation => {
  let seen = 0;
  return (asked, real) => {
    seen += 1;
    return seen > count ? mutation(asked, real) : real(asked.request);
  };
};

/** The CI has run: findings say so, in lists and by themselves. */
const ciPasses = rows('findings', (row) => ({ ...row, ciStatus: 'changed' }));
const ciPassesInDetail = rows('finding', (row) => ({ ...row, ciStatus: 'changed' }));
const both: Mutation = (asked, real) => (isAt('finding', asked) ? ciPassesInDetail : ciPasses)(asked, real);

for (const count of [20, 30, 45, 60, 90]) {
  test(`data that changes once, after ${count} requests, is no violation`, async (t) => {
    const { url } = await serve(t, world);
    const report = await judge(mutated(remembering(sendTo(url)), after(count, both)));
    t.deepEqual(idsOf(report, 'failed'), []);
  });
}

test('a violation that stays is one, although the data changes, too', async (t) => {
  const { url } = await serve(t, world);
  const wrong: Mutation = async (asked, real) =>
    rows('finding', (row) => ({ ...row, package: 'another' }))(asked, (request) =>
      both({ ...asked, request }, real),
    );
  const report = await judge(mutated(remembering(sendTo(url)), after(10, wrong)));
  t.deepEqual(idsOf(report, 'failed'), ['finding.as-listed']);
});

test('when requests run out before a violation could be confirmed, it stands; the rest is not exercised', async (t) => {
  const { url } = await serve(t, world);
  const wrong = pages('prs', (page) => ({
    ...page,
    items: [...page.items].map((row: Row) => ({ ...row, package: 'x' })),
  }));
  const whole = await judge(sendTo(url));
  const report = await judge(mutated(remembering(sendTo(url)), wrong), {}, whole.requests);
  t.true(idsOf(report, 'failed').includes('prs.finding-package'));
  const short = await judge(sendTo(url), {}, 20);
  t.is(short.requests, 20);
  t.deepEqual(idsOf(short, 'failed'), []);
  t.is(short.stopped, null);
  const spent = short.checks.filter(({ needed }) => needed === 'more requests than the 20 of --max-requests');
  t.true(spent.length > 50);
  t.true(short.must.passed > 0);
});

test('a body nested beyond measure ends a check, not the run', async (t) => {
  const { url } = await serve(t, world);
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const nested = answers('findings', (answer) => ({
    ...answer,
    text: answer.text.replace('"items":[', `"items":[${deep},`),
  }));
  const report = await judge(mutated(remembering(sendTo(url)), nested));
  t.true(idsOf(report, 'failed').includes('findings.envelope.items'));
  t.is(report.stopped, null);
});
