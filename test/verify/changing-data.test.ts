import test from 'ava';
import { junitReport } from '../../src/verify/junit-report.js';
import { isConforming } from '../../src/verify/report.js';
import { textReport } from '../../src/verify/text-report.js';
import { alternating, changingServer, evolving, type Versions } from './_changing.js';
import { idsOf, judge } from './_judge.js';
import { failures, type Mutation, mutated, pages, rows } from './_mutation.js';

/** Without a mistake. */
const right: Mutation = (incoming, real) => real(incoming.request);

const kinds: readonly (readonly [name: string, Versions, every: readonly number[]])[] = [
  ['always new', evolving, [1, 3, 8, 40]],
  ['one of two', alternating, [1, 2, 5]],
];

for (const [name, versions, intervals] of kinds) {
  for (const every of intervals) {
    test(`a right server whose data changes with every ${every} requests, and is ${name}, fails nothing`, async (t) => {
      const server = await changingServer(t, every, versions);
      const options = { concurrency: every % 2 === 0 ? 4 : 1, maxRequests: 1000 };
      const report = await judge(mutated(server, right), {}, options);
      t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
      t.is(report.stopped, null);
    });
  }
}

test('what single responses show is a failure however often the data changes', async (t) => {
  const server = await changingServer(t, 3, evolving);
  const unauthorized = failures('all', 401, { text: '{"error":"unauthorized"}' });
  const report = await judge(mutated(server, unauthorized));
  t.true(idsOf(report, 'failed').includes('credentials.listPrs.none'));
  const negative = await judge(
    mutated(
      server,
      rows('findings', (row) => ({ ...row, severity: 'none' })),
    ),
  );
  t.true(idsOf(negative, 'failed').includes('findings.words'));
});

test('comparisons that fail whenever the data is quiet are failures, although it changes now and then', async (t) => {
  const server = await changingServer(t, 60, evolving);
  const wrong = pages('prs', (page) => ({ ...page, totalItems: page.totalItems + 1 }));
  const report = await judge(mutated(server, wrong), {}, { maxRequests: 5000 });
  t.true(idsOf(report, 'failed').includes('prs.paging.total'), textReport(report).join('\n'));
});

test('comparisons that nobody can decide are reported as changing data in all reports', async (t) => {
  const server = await changingServer(t, 1, evolving);
  const report = await judge(mutated(server, right));
  const undecided = idsOf(report, 'changing data');
  t.true(undecided.includes('finding.as-listed'), undecided.join(' '));
  t.is(report.must.changingData + report.info.changingData, undecided.length);
  t.false(isConforming(report));
  const text = textReport(report).join('\n');
  t.regex(text, /^Changing data: responses disagree, but never stayed the same long enough to tell$/m);
  t.regex(text, /^must: \d+ passed, 0 failed, \d+ with changing data, \d+ not exercised$/m);
  t.regex(text, /\d+ have data that changes all the time/);
  t.regex(
    junitReport(report),
    /<skipped message="changing data: responses disagree, but never stay the same">/,
  );
});
