import test from 'ava';
import { isConforming } from '../../src/verify/report.js';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, world } from './_judge.js';
import { answers, isAt, type Mutation, mutated, pages, type Row, remembering, rows } from './_mutation.js';

/** Applies a mutation after `count` requests, as if data changed during the run. */
const after = (count: number, mutation: Mutation): Mutation => {
  let seen = 0;
  return (incoming, real) => {
    seen += 1;
    return seen > count ? mutation(incoming, real) : real(incoming.request);
  };
};

/** CI has run: findings have a new ciStatus, in the list and in the detail. */
const ciPasses = rows('findings', (row) => ({ ...row, ciStatus: 'changed' }));
const ciPassesInDetail = rows('finding', (row) => ({ ...row, ciStatus: 'changed' }));
const both: Mutation = (incoming, real) =>
  (isAt('finding', incoming) ? ciPassesInDetail : ciPasses)(incoming, real);

for (const count of [20, 30, 45, 60, 90]) {
  test(`data that changes once, after ${count} requests, is no violation`, async (t) => {
    const { url } = await serve(t, world);
    const report = await judge(mutated(remembering(sendTo(url)), after(count, both)));
    t.deepEqual(idsOf(report, 'failed'), []);
  });
}

test('a permanent violation is reported even if the data changes during the run', async (t) => {
  const { url } = await serve(t, world);
  const wrong: Mutation = async (incoming, real) =>
    rows('finding', (row) => ({ ...row, package: 'another' }))(incoming, (request) =>
      both({ ...incoming, request }, real),
    );
  const report = await judge(mutated(remembering(sendTo(url)), after(10, wrong)));
  t.deepEqual(idsOf(report, 'failed'), ['finding.as-listed']);
});

test('a violation that cannot be confirmed because requests ran out is neither a failure nor a success', async (t) => {
  const { url } = await serve(t, world);
  const wrong = pages('prs', (page) => ({
    ...page,
    items: [...page.items].map((row: Row) => ({ ...row, package: 'x' })),
  }));
  const whole = await judge(sendTo(url));
  const report = await judge(mutated(remembering(sendTo(url)), wrong), {}, whole.requests);
  t.deepEqual(idsOf(report, 'failed'), []);
  const unconfirmed = report.checks.filter(({ reason }) => reason === 'unconfirmed');
  t.true(unconfirmed.map(({ id }) => id).includes('prs.finding-package'));
  t.false(isConforming(report));
  t.true(textReport(report).at(-1)?.endsWith(': could not be checked completely'));
});

test('checks for which there are no requests left are not exercised, and cheap ones come first', async (t) => {
  const { url } = await serve(t, world);
  const short = await judge(sendTo(url), {}, 60);
  t.is(short.requests, 60);
  t.deepEqual(idsOf(short, 'failed'), []);
  t.is(short.stopped, null);
  t.false(isConforming(short));
  const spent = short.checks.filter(({ reason }) => reason === 'requests');
  t.true(spent.length > 20);
  for (const { needed } of spent) t.is(needed, 'more requests than --max-requests allows (60)');
  const passed = idsOf(short, 'passed');
  for (const id of ['repos.array', 'finding.unknown', 'credentials.listPrs.none'])
    t.true(passed.includes(id), id);
});

test('the order of the results does not depend on how many checks run at once', async (t) => {
  const { url } = await serve(t, world);
  const [one, many] = [
    await judge(sendTo(url), {}, { concurrency: 1 }),
    await judge(sendTo(url), {}, { concurrency: 16 }),
  ];
  t.deepEqual(many, one);
});

test('a body that is nested too deeply leaves a check unexercised and does not end the run', async (t) => {
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
