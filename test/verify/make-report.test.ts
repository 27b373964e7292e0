import test from 'ava';
import { junitReport } from '../../src/verify/junit-report.js';
import { isConforming, VerifyReport } from '../../src/verify/report.js';
import { textReport } from '../../src/verify/text-report.js';
import { assertDecodes } from '../_codecs.js';
import { serve } from '../_server.js';
import { idsOf, judge, secrets, sendTo, world } from './_judge.js';
import { answers, mutated, remembering } from './_mutation.js';
import { nastyReport } from './_report.js';

test('a report decodes with its codec, its counts add up, and its checks have unique ids and valid sections', async (t) => {
  const report = await nastyReport(t);
  assertDecodes(t, VerifyReport, JSON.parse(JSON.stringify(VerifyReport.encode(report))));
  t.false(isConforming(report));
  const all = report.checks.length;
  for (const level of ['must', 'info'] as const) {
    const { passed, failed, differs, notExercised } = report[level];
    t.is(
      passed + failed + differs + notExercised,
      report.checks.filter((check) => check.level === level).length,
    );
  }
  t.is(new Set(report.checks.map(({ id }) => id)).size, all, 'ids are unique');
  for (const { id, section, statement } of report.checks) {
    t.regex(section, /^(?:\d(?:\.\d)?(?: (?:rules?|note) \d(?: and \d)?)?(?:, )?)+$/, `${id}: ${section}`);
    t.true(statement.length > 10, id);
  }
});

test('no report contains a secret, even if the server sends back the request headers', async (t) => {
  const { url } = await serve(t, world);
  const echo = answers('all', (answer, { request }) => ({
    ...answer,
    status: 400,
    text: JSON.stringify({
      error: `${'y'.repeat(120)}${JSON.stringify(request.headers)}`,
      ...request.headers,
    }),
  }));
  const report = await judge(mutated(remembering(sendTo(url)), echo));
  const all = [JSON.stringify(report), junitReport(report), ...textReport(report)].join('\n');
  t.true(all.includes('[secret]'));
  for (const secret of Object.values(secrets)) {
    for (let length = 12; length <= (secret?.length ?? 0); length += 1)
      t.false(all.includes(secret?.slice(0, length) ?? '-'), `${length} characters of ${secret}`);
  }
});

test('a failed check that a reader may doubt shows its reasoning in every report', async (t) => {
  const { url } = await serve(t, world);
  const asText = answers('repos', (answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } }));
  const report = await judge(mutated(remembering(sendTo(url)), asText));
  t.deepEqual(idsOf(report, 'failed'), ['service.json-type']);
  const reasoning = 'Clients decide by the Content-Type whether a body is JSON.';
  t.true(report.checks.some((check) => check.outcome === 'failed' && check.reasoning?.startsWith(reasoning)));
  t.true(textReport(report).join('\n').includes(`Reasoning: ${reasoning}`));
  t.true(junitReport(report).includes(`Reasoning: ${reasoning}`));
});
