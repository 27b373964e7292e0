import test from 'ava';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { junitReport } from '../../src/verify/junit-report.js';
import { isConforming, VerifyReport } from '../../src/verify/report.js';
import { curlCommand, secretRedactor } from '../../src/verify/report-text.js';
import { textReport } from '../../src/verify/text-report.js';
import { assertDecodes } from '../_codecs.js';
import { idsOf, judge, secrets, worldServer } from './_judge.js';
import {
  answersIf,
  bodies,
  envelopes,
  failures,
  field,
  items,
  mutated,
  says,
  several,
  when,
} from './_mutation.js';

const { real } = worldServer(test);

/** Text with all that XML escapes or cannot hold, and a secret at the point where reports truncate values. */
const nasty = `]]> & <b a="1">'\u0000\u0008\ud800\uffff\n\t😀 ${'x'.repeat(170)}boundary-token`;

const withNasty = field('findings', 'severity', () => nasty);

/** A report of a server with `nasty` severities, with failures and with checks that were not exercised. */
const nastyReport = (): Promise<VerifyReport> =>
  judge(mutated(real, withNasty), { expiredSession: undefined });

test('a report decodes with its codec, its counts add up, and its checks have unique ids and valid sections', async (t) => {
  const report = await nastyReport();
  assertDecodes(t, VerifyReport, JSON.parse(JSON.stringify(VerifyReport.encode(report))));
  t.false(isConforming(report));
  for (const level of ['must', 'info'] as const) {
    const { passed, failed, differs, notExercised } = report[level];
    const count = report.checks.filter((check) => check.level === level).length;
    t.is(passed + failed + differs + notExercised, count);
  }
  t.is(new Set(report.checks.map(({ id }) => id)).size, report.checks.length, 'ids are unique');
  for (const { id, section, statement } of report.checks) {
    t.regex(section, /^(?:\d(?:\.\d)?(?: (?:rules?|note) \d(?: and \d)?)?(?:, )?)+$/, `${id}: ${section}`);
    t.true(statement.length > 10, id);
  }
});

test('no report contains a secret, even if the server sends back the request headers', async (t) => {
  const echo = answersIf('all', ({ request: { headers } }) => {
    const error = `${'y'.repeat(120)}${JSON.stringify(headers)}`;
    return { status: 400, text: JSON.stringify({ error, ...headers }) };
  });
  const report = await judge(mutated(real, echo));
  const texts = [...textReport(report), ...textReport(report, { details: true })];
  const all = [JSON.stringify(report), junitReport(report), ...texts].join('\n');
  t.true(all.includes('[secret]'));
  for (const secret of Object.values(secrets)) {
    for (let length = 12; length <= (secret?.length ?? 0); length += 1)
      t.false(all.includes(secret?.slice(0, length) ?? '-'), `${length} characters of ${secret}`);
  }
});

test('a failed check that a reader may doubt shows its reasoning in every report', async (t) => {
  const asText = answersIf('repos', () => ({ headers: { 'content-type': 'text/plain' } }));
  const report = await judge(mutated(real, asText));
  t.deepEqual(idsOf(report, 'failed'), ['service.json-type']);
  const reasoning = 'Clients decide by the Content-Type whether a body is JSON.';
  t.true(report.checks.some((check) => check.outcome === 'failed' && check.reasoning?.startsWith(reasoning)));
  t.true(textReport(report, { details: true }).join('\n').includes(`Reasoning: ${reasoning}`));
  t.true(junitReport(report).includes(`Reasoning: ${reasoning}`));
});

test('the detailed text report starts with the failures and the requests that show them, and escapes control characters', async (t) => {
  const lines = textReport(await nastyReport(), { details: true });
  t.is(lines[0], 'Failed: violates the contract');
  for (const part of [
    '    findings.words (2.2): findings: severity and status have a value that the contract lists',
    '      GET /api/v1/findings?page=1&limit=100 (cookie: session)',
    '        /items/0/severity: expected one of critical, high, medium, low, got ',
    '  requires an expired session (--expired-session)',
  ])
    t.true(
      lines.some((line) => line.startsWith(part)),
      part,
    );
  t.is(lines.at(-1), 'http://judged.test: breaks the contract');
  t.false(lines.some((line) => /[\p{Cc}]/u.test(line)));
});

const renamed = field('finding', 'package', () => 'another');

/** Another discoveredAt in every seventh row. */
const withoutMilliseconds = field('findings', 'discoveredAt', (time, _, index) =>
  index % 7 === 6 ? String(time).replace(/\.\d+Z$/, 'Z') : time,
);

const compared =
  'findings.repo-id findings.paging.partition findings.severity findings.combinations finding.as-listed';

/** What the first violation of some checks names. */
for (const [what, mutation, ids, violation] of [
  [
    'the field that differs, wherever rows or bodies are compared as a whole',
    withoutMilliseconds,
    compared,
    /^(?:\/items\/\d+)?\/discoveredAt: "[^"]*Z".*, got "[^"]*Z"$/,
  ],
  [
    'the field that a token sees otherwise',
    when(({ request }) => request.headers.Authorization !== undefined, renamed),
    'credentials.getFinding.same-scope',
    /^\/package: .*, got "another"$/,
  ],
  [
    'which row is missing',
    items(
      'prs',
      (_, query, _page, index) => index > 0 || query.get('status') !== 'open' || !query.has('repoId'),
    ),
    'prs.combinations',
    /^\/items.*: (?:the row "\w+"|\d+ items|".*"), which follows from GET /,
  ],
  [
    'the id that should be in the place of the first one of a page that a filter reverses',
    envelopes('findings', ({ items }, { query }) =>
      query.has('status') ? { items: items.toReversed() } : {},
    ),
    'findings.combinations',
    /^\/items\/0\/id: "\w+", which follows from GET .*, got "\w+"$/,
  ],
  ...[(total: number) => `${total}`, () => undefined].map(
    (wrong) =>
      [
        `totalItems if it is ${wrong(1)}`,
        envelopes('findings', ({ totalItems }) => ({ totalItems: wrong(totalItems) })),
        'findings.envelope.fields findings.paging.total',
        /^\/totalItems: /,
      ] as const,
  ),
] as const) {
  test(`a violation names ${what}`, async (t) => {
    const { checks } = await judge(mutated(real, mutation));
    for (const id of ids.split(' ')) {
      const [first] = checks.find((check) => check.id === id)?.violations ?? [];
      t.regex(`${first?.path}: ${first?.expected}, got ${first?.got}`, violation, id);
    }
  });
}

const fourMistakes = several(
  field('findings', 'discoveredAt', (time) => String(time).slice(0, 10)),
  items('prs', ({ prState }, query) => query.get('status') !== 'closed' || prState !== null),
  bodies('repos', (items) => [...Object(items)].reverse()),
  failures('all', 401, says('unauthorized')),
);

test('of a server with four mistakes, the three gravest are told, with a command each, and the fourth is counted', async (t) => {
  const report = await judge(mutated(real, fourMistakes));
  t.true(report.must.failed > 20, String(report.must.failed));
  t.deepEqual(
    report.mistakes.map(({ id }) => id),
    ['closed-null', 'repo-order', 'timestamp', 'refusal-body'],
  );
  const lines = textReport(report);
  const told = report.mistakes.slice(0, 3).map((mistake) => {
    const { curl, path, expected, got } = mistake.example;
    return [
      `  ${mistake.sentence} (${mistake.section}; ${mistake.gravity})`,
      `    ${curl}`,
      `      ${path}: expected ${expected}, got ${got}`,
    ];
  });
  t.deepEqual(lines.slice(0, 12), ['To fix, the gravest first', ...told.flat(), '  and 1 more', '']);
  t.true(lines.includes('--details shows every failure, what differs, and what was not exercised'));

  const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
  const details = textReport(report, { details: true });
  for (const { id } of failed)
    t.true(
      details.some((line) => line.trimStart().startsWith(`${id} (`)),
      id,
    );
  t.is(junitReport(report).match(/<failure /g)?.length, failed.length);
});

/** The elements of a document. Throws if it is not well-formed. */
const parse = (xml: string): readonly SaxesTagPlain[] => {
  const elements: SaxesTagPlain[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (element) => elements.push(element));
  parser.write(xml).close();
  return elements;
};

test('the JUnit report is well-formed, and its counts match its test cases', async (t) => {
  const report = await nastyReport();
  const elements = parse(junitReport(report));
  const named = (name: string) => elements.filter((element) => element.name === name);
  const [tests, failures, skipped] = ['testcase', 'failure', 'skipped'].map((name) =>
    String(named(name).length),
  );
  t.like(elements[0], { name: 'testsuites', attributes: { tests, failures, skipped, errors: '0' } });
  t.is(failures, String(report.must.failed));
  t.true(Number(failures) > 0 && Number(skipped) > 0);
  const sums = named('testsuite').reduce((sum, { attributes }) => sum + Number(attributes.tests), 0);
  t.is(sums, Number(tests));
  const stopped = parse(junitReport({ ...report, stopped: 'gone <away>' }));
  t.is(stopped.find(({ name }) => name === 'error')?.attributes.message, 'gone <away>');
  t.throws(() => parse('<a b="<"/>'), undefined, 'the parser is strict');
});

test('a request is shown as a command in which secrets are variables, and what is invented as it is', (t) => {
  for (const [name, shown] of [
    ['expired session', '$TRIAGE_EXPIRED_SESSION'],
    ['session without its end', '<session without its end>'],
    ['invalid session', 'secret'],
  ] as const) {
    const auth = { session: { name, value: 'secret' }, bearer: null };
    const request = { method: 'GET' as const, path: "/api/v1/findings/it's", query: [], auth };
    const command = `curl -i -H "Cookie: sid=${shown}" 'http://a.test/api/v1/findings/it%27s'`;
    t.is(curlCommand('http://a.test', 'sid', request), command);
  }
});

test('secrets are redacted plain and URL-encoded, and longer ones first', (t) => {
  const redact = secretRedactor(['abcd', 'abcdef', 'a+/=b']);
  t.is(redact('abcdef abcd a%2B%2F%3Db a+/=b'), '[secret] [secret] [secret] [secret]');
});
