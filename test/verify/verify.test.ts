import { readFile } from 'node:fs/promises';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { HttpResponse, Send } from '../../src/client/fetch-send.js';
import { isConforming } from '../../src/verify/report.js';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { shippedDatasets as shipped } from '../_shipped.js';
import { alone, idsOf, judge, secrets, sendTo, tryToJudge, worldServer } from './_judge.js';
import {
  answers,
  asStatus,
  failures,
  isAt,
  type Mutation,
  mutated,
  pages,
  type Row,
  rows,
} from './_mutation.js';

const { send, real } = worldServer(test);

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
  const shown = rows('prs', (row) => ({ ...row, prState: asStatus(row.prState) }));
  const report = await judge(mutated(real, shown));
  t.deepEqual(idsOf(report, 'failed'), []);
  t.deepEqual(idsOf(report, 'not exercised'), [
    'prs.status.closed.finds-cancelled',
    'prs.status.closed.finds-null',
  ]);
});

test('an empty tenant without a second one fails no check, and the report names the missing prerequisites', async (t) => {
  const { url } = await serve(t, shipped);
  const empty = { ...alone, session: 'empty-session', token: 'empty-token' };
  const report = await judge(sendTo(url), empty);
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
  const lenient = await judge(sendTo(url), empty, { minExercised: 30 });
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
    const report = await judge(mutated(real, after(count, both)));
    t.deepEqual(idsOf(report, 'failed'), []);
  });
}

test('a permanent violation is reported even if the data changes during the run', async (t) => {
  const wrong: Mutation = async (incoming, real) =>
    rows('finding', (row) => ({ ...row, package: 'another' }))(incoming, (request) =>
      both({ ...incoming, request }, real),
    );
  const report = await judge(mutated(real, after(10, wrong)));
  t.deepEqual(idsOf(report, 'failed'), ['finding.as-listed']);
});

test('a violation that cannot be confirmed because requests ran out is neither a failure nor a success', async (t) => {
  const wrong = pages('prs', (page) => ({
    ...page,
    items: [...page.items].map((row: Row) => ({ ...row, package: 'x' })),
  }));
  const whole = await judge(send);
  const report = await judge(mutated(real, wrong), {}, whole.requests);
  t.deepEqual(idsOf(report, 'failed'), []);
  const unconfirmed = report.checks.filter(({ reason }) => reason === 'unconfirmed');
  t.true(unconfirmed.map(({ id }) => id).includes('prs.finding-package'));
  t.false(isConforming(report));
  t.true(textReport(report).at(-1)?.endsWith(': could not be checked completely'));
});

test('checks for which there are no requests left are not exercised, and those of single responses come first', async (t) => {
  const short = await judge(send, {}, 100);
  t.is(short.requests, 100);
  t.deepEqual(idsOf(short, 'failed'), []);
  t.is(short.stopped, null);
  t.false(isConforming(short));
  const spent = short.checks.filter(({ reason }) => reason === 'requests');
  t.true(spent.length > 20);
  for (const { needed } of spent) t.is(needed, 'more requests than --max-requests allows (100)');
  const passed = idsOf(short, 'passed');
  for (const id of ['repos.array', 'finding.unknown', 'credentials.listPrs.none'])
    t.true(passed.includes(id), id);
});

test('the order of the results does not depend on how many checks run at once', async (t) => {
  const [one, many] = [await judge(send, {}, { concurrency: 1 }), await judge(send, {}, { concurrency: 16 })];
  t.deepEqual(many, one);
});

test('a body that is nested too deeply fails a check, and does not end the run', async (t) => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const nested = answers('findings', (answer) => ({
    ...answer,
    text: answer.text.replace('"items":[', `"items":[${deep},`),
  }));
  const report = await judge(mutated(real, nested));
  const check = report.checks.find(({ id }) => id === 'service.json-body');
  t.is(check?.violations[0]?.expected, 'JSON that is not nested more than 500 levels deep');
  t.is(report.stopped, null);
});

/** A server that answers everything in the same way. */
const always =
  (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Send =>
  async () =>
    E.right<never, HttpResponse>({ status, text, headers });

const html = '<!doctype html><title>Hello</title>';

const strangers: readonly (readonly [name: string, Send, line: string])[] = [
  [
    'HTML',
    always(200, html, { 'content-type': 'text/html' }),
    '(200 with HTML); pass the URL under which the server has /api/v1/repos',
  ],
  [
    'JSON of something else',
    always(200, '{"hello":"world"}'),
    '(200); pass the URL under which the server has /api/v1/repos',
  ],
  [
    'paths that are not found',
    always(404, '{"error":"Not found"}'),
    '(404); pass the URL under which the server has /api/v1/repos',
  ],
  [
    'a redirection',
    always(302, '', { location: 'https://judged.test/login' }),
    '(302); it redirects to https://judged.test/login: the URL may be another one, or the session may not be accepted',
  ],
];

for (const [name, stranger, line] of strangers) {
  test(`verify refuses the URL of a server that is not this API: ${name}`, async (t) => {
    t.deepEqual(await tryToJudge(stranger), E.left([`--url: no response looks like the API v1 ${line}`]));
  });
}

test('a redirection that repeats a credential is reported without it', async (t) => {
  const result = await tryToJudge(always(302, '', { location: `/login?next=${secrets.session}` }));
  t.false(JSON.stringify(result).includes(secrets.session));
});

const sessionHint =
  'it may have expired or belong to another server; the cookie may have another name (--cookie)';
const tokenHint = 'it may be revoked, have expired or belong to another server';

test('each credential that no operation accepts is named', async (t) => {
  t.deepEqual(
    await tryToJudge(send, { session: 'acme-session-expired' }),
    E.left([`--session: no operation accepts it (401); ${sessionHint}`]),
  );
  t.deepEqual(
    await tryToJudge(send, { token: 'wrong-token', otherSession: 'wrong-session', otherToken: 'none' }),
    E.left([
      `--token: no operation accepts it (401); ${tokenHint}`,
      `--other-session: no operation accepts it (401); ${sessionHint}`,
      `--other-token: no operation accepts it (401); ${tokenHint}`,
    ]),
  );
  t.deepEqual(
    await tryToJudge(always(403, '{"error":"Forbidden"}'), alone),
    E.left([
      `--session: no operation accepts it (403); ${sessionHint}`,
      `--token: no operation accepts it (403); ${tokenHint}`,
    ]),
  );
});

/** Servers that are wrong in most operations, and nevertheless judged. */
const judged: Readonly<Record<string, readonly [Mutation, fails: string]>> = {
  'the session is refused by two operations': [
    (incoming, real) =>
      incoming.path.endsWith('/repos') || incoming.request.headers.Authorization !== undefined
        ? real(incoming.request)
        : real({ ...incoming.request, headers: {} }),
    'findings.page',
  ],
  'two operations are not found': [
    (incoming, real) =>
      incoming.path.endsWith('/prs')
        ? real(incoming.request)
        : real({ ...incoming.request, target: '/api/v1/nothing' }),
    'repos.array',
  ],
  'one operation refuses the token': [
    (incoming, real) =>
      incoming.path.endsWith('/prs') && incoming.request.headers.Authorization !== undefined
        ? real({ ...incoming.request, headers: {} })
        : real(incoming.request),
    'credentials.listPrs.bearer',
  ],
  'every response is a failure of the server': [
    failures('all', 200, { status: 500, text: html }),
    'repos.array',
  ],
  'every body is HTML but for one operation': [
    answers('all', (answer, { path }) => (path.endsWith('/prs') ? answer : { ...answer, text: html })),
    'service.json-body',
  ],
};

for (const [name, [mutation, fails]] of Object.entries(judged)) {
  test(`a server is judged although ${name}`, async (t) => {
    const report = await judge(mutated(real, mutation));
    t.true(idsOf(report, 'failed').includes(fails), idsOf(report, 'failed').join(' '));
  });
}
