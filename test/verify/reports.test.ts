import { readFile } from 'node:fs/promises';
import test from 'ava';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { secretRedactor } from '../../src/client/redact-secrets.js';
import { junitReport } from '../../src/verify/junit-report.js';
import { isConforming, VerifyReport } from '../../src/verify/report.js';
import { textReport } from '../../src/verify/text-report.js';
import { assertDecodes } from '../_codecs.js';
import { serve } from '../_server.js';
import { judge, secrets, sendTo, shipped, world } from './_judge.js';
import { answers, failures, mutated, remembering, rows } from './_mutation.js';
import { prFilterMutants } from './mutants/_pr-filter-mutants.js';

/** Everything that XML has a meaning for, or cannot hold, in one text; and a secret that would be cut in half. */
const nasty = `]]> & <b a="1">'\u0000\u0008\ud800\uffff\n\t😀 ${'x'.repeat(170)}boundary-token`;

const reportOf = async (t: Parameters<typeof serve>[0]) => {
  const { url } = await serve(t, world);
  const wrong = rows('findings', (row) => ({ ...row, severity: nasty }));
  return judge(mutated(remembering(sendTo(url)), wrong), { expiredSession: undefined });
};

type Element = Readonly<{ name: string; attributes: SaxesTagPlain['attributes'] }>;

/** The elements of a document; throws where it is not well-formed. */
const parse = (xml: string): readonly Element[] => {
  const elements: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => elements.push({ name, attributes }));
  parser.write(xml).close();
  return elements;
};

test('the JSON is what its codec says', async (t) => {
  const report = await reportOf(t);
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

test('the JUnit file is well-formed, and its figures are those of its cases', async (t) => {
  const report = await reportOf(t);
  const elements = parse(junitReport(report));
  const count = (name: string): number => elements.filter((element) => element.name === name).length;
  const [root] = elements;
  t.is(root?.name, 'testsuites');
  t.is(Number(root?.attributes.tests), count('testcase'));
  t.is(Number(root?.attributes.failures), count('failure'));
  t.is(Number(root?.attributes.skipped), count('skipped'));
  t.is(Number(root?.attributes.errors), 0);
  t.is(count('failure'), report.must.failed);
  t.true(count('failure') > 0 && count('skipped') > 0);
  const suites = elements.filter(({ name }) => name === 'testsuite');
  t.is(
    suites.reduce((sum, { attributes }) => sum + Number(attributes.tests), 0),
    count('testcase'),
  );
  const stopped = parse(junitReport({ ...report, stopped: 'gone <away>' }));
  t.is(stopped.find(({ name }) => name === 'error')?.attributes.message, 'gone <away>');
  t.throws(() => parse('<a b="<"/>'), undefined, 'the parser is strict');
});

test('for people: what failed comes first, with the request that shows it, each line one line', async (t) => {
  const lines = textReport(await reportOf(t));
  t.is(lines[0], 'Failed: the contract says otherwise');
  t.true(lines.includes('  findings.words (2.2): findings: severity and status are words of the contract'));
  t.true(lines.includes('    GET /api/v1/findings?page=1&limit=100 (cookie: session)'));
  t.true(
    lines.some((line) =>
      line.startsWith('      /items/0/severity: expected one of critical, high, medium, low, got '),
    ),
  );
  t.true(lines.includes('  it takes an expired session (--expired-session)'));
  t.regex(lines.at(-1) ?? '', /^http:\/\/judged\.test: breaks the contract$/);
  for (const line of lines) t.false(/[\p{Cc}]/u.test(line), line);
});

test('no secret is in any report, though the server sends back what it is sent', async (t) => {
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

test('secrets are taken out however they are escaped, the longest first', (t) => {
  const redact = secretRedactor(['abcd', 'abcdef', 'a+/=b']);
  t.is(redact('abcdef abcd a%2B%2F%3Db a+/=b'), '[secret] [secret] [secret] [secret]');
});

test('the failure that the documents show is what is printed', async (t) => {
  const { url } = await serve(t, shipped);
  const wrong = prFilterMutants.find(([name]) => name === 'prs: totals before the filter');
  const [, mutation = failures('all', 500, {})] = wrong ?? [];
  const printed = textReport(await judge(mutated(remembering(sendTo(url)), mutation))).join('\n');
  const page = await readFile(new URL('../../../docs/verify.md', import.meta.url), 'utf8');
  const [, shown = 'nothing'] = /^```text\n([\s\S]*?)\n```$/m.exec(page) ?? [];
  t.true(printed.includes(shown), printed);
});
