import test from 'ava';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, shipped } from './_judge.js';

test('our own server keeps every statement, and every one is put to the test', async (t) => {
  const { url } = await serve(t, shipped);
  const report = await judge(sendTo(url));
  t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
  t.deepEqual(idsOf(report, 'differs'), [], textReport(report).join('\n'));
  t.deepEqual(idsOf(report, 'not exercised'), []);
  t.log(textReport(report).join('\n'));
});
