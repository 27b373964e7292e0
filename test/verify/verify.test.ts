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
  answersIf,
  asStatus,
  field,
  type IncomingRequest,
  type Mutation,
  mutated,
  requests,
  several,
  texts,
} from './_mutation.js';

const { send, real } = worldServer(test);

for (const tenant of ['boundary', 'acme', 'demo', 'large']) {
  test(`${tenant}: our own server passes every check with another tenant as the second one`, async (t) => {
    const { url } = await serve(t, shipped);
    const own = { session: `${tenant}-session`, token: `${tenant}-token` };
    const others = { otherSession: secrets.session, otherToken: secrets.token };
    const report = await judge(sendTo(url), tenant === 'boundary' ? {} : { ...own, ...others });
    t.deepEqual([...idsOf(report, 'failed'), ...idsOf(report, 'differs')], [], textReport(report).join('\n'));
    t.true(isConforming(report), textReport(report).join('\n'));
    if (tenant === 'boundary') t.deepEqual(idsOf(report, 'not exercised'), []);
  });
}

test('a server that sends mapped states instead of null leaves the checks of null and cancelled unexercised', async (t) => {
  const report = await judge(mutated(real, field('prs', 'prState', asStatus)));
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
  const own = ['a finding', 'a pull request', 'a connected repository', 'more than 100 findings'];
  const tenants = ['a second tenant (--other-session)', 'a second tenant (--other-token)'];
  for (const need of [...own, ...tenants, 'an expired session (--expired-session)'])
    t.true(needed.has(need), need);
  for (const { id, outcome, needed: need, reason } of report.checks) {
    const isExercised = outcome !== 'not exercised';
    t.deepEqual([need === null, reason === null], [isExercised, isExercised], id);
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

/** Applies a mutation after `count` requests, as if data changed during the run. */
const after = (count: number, mutation: Mutation): Mutation => {
  let seen = 0;
  return (incoming, real) => {
    seen += 1;
    return seen > count ? mutation(incoming, real) : real(incoming.request);
  };
};

/** CI has run: findings have a new ciStatus, in the list and in the detail. */
const ciPasses = several(
  ...(['findings', 'finding'] as const).map((place) => field(place, 'ciStatus', () => 'changed')),
);
const renamed = field('finding', 'package', () => 'another');

for (const [count, mutation, ...failed] of [
  ...[20, 30, 45, 60, 90].map((count) => [count, ciPasses] as const),
  [10, several(ciPasses, renamed), 'finding.as-listed'],
] as const) {
  test(`data that changes once, after ${count} requests, is no violation, and hides none: ${failed}`, async (t) => {
    const report = await judge(mutated(real, after(count, mutation)));
    t.deepEqual(idsOf(report, 'failed'), failed);
  });
}

test('a violation that cannot be confirmed because requests ran out is neither a failure nor a success', async (t) => {
  const wrong = field('prs', 'package', () => 'x');
  const report = await judge(mutated(real, wrong), {}, { maxRequests: (await judge(send)).requests });
  t.deepEqual(idsOf(report, 'failed'), []);
  const unconfirmed = report.checks.filter(({ reason }) => reason === 'unconfirmed');
  t.true(unconfirmed.map(({ id }) => id).includes('prs.finding-package'));
  t.false(isConforming(report));
  t.true(textReport(report).at(-1)?.endsWith(': could not be checked completely'));
});

test('checks for which there are no requests left are not exercised, and those of single responses come first', async (t) => {
  const short = await judge(send, {}, { maxRequests: 100 });
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
  const nested = texts('findings', (text) => text.replace('"items":[', `"items":[${deep},`));
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

const pass = 'pass the URL under which the server has /api/v1/repos';
const login = 'https://judged.test/login';

for (const [name, stranger, line] of [
  ['HTML', always(200, html, { 'content-type': 'text/html' }), `(200 with HTML); ${pass}`],
  ['JSON of something else', always(200, '{"hello":"world"}'), `(200); ${pass}`],
  ['paths that are not found', always(404, '{"error":"Not found"}'), `(404); ${pass}`],
  [
    'a redirection',
    always(302, '', { location: login }),
    `(302); it redirects to ${login}: the URL may be another one, or the session may not be accepted`,
  ],
] as const) {
  test(`verify refuses the URL of a server that is not this API: ${name}`, async (t) => {
    t.deepEqual(await tryToJudge(stranger), E.left([`--url: no response looks like the API v1 ${line}`]));
  });
}

test('a redirection that repeats a credential is reported without it', async (t) => {
  const result = await tryToJudge(always(302, '', { location: `/login?next=${secrets.session}` }));
  t.false(JSON.stringify(result).includes(secrets.session));
});

const mayBe = 'expired or belong to another server';
const sessionHint = `it may have ${mayBe}; the cookie may have another name (--cookie)`;
const tokenHint = `it may be revoked, have ${mayBe}`;

const wrongOnes = { token: 'wrong-token', otherSession: 'wrong-session', otherToken: 'none' };

for (const [server, over, status, all] of [
  [send, { session: 'acme-session-expired' }, 401, 'session'],
  [send, wrongOnes, 401, 'token other-session other-token'],
  [always(403, '{"error":"Forbidden"}'), alone, 403, 'session token'],
] as const) {
  test(`each credential that no operation accepts is named: ${all}, ${status}`, async (t) => {
    const hintOf = (name: string) => (name.endsWith('session') ? sessionHint : tokenHint);
    const lines = all
      .split(' ')
      .map((name) => `--${name}: no operation accepts it (${status}); ${hintOf(name)}`);
    t.deepEqual(await tryToJudge(server, over), E.left(lines));
  });
}

const isPrs = ({ path }: IncomingRequest): boolean => path.endsWith('/prs');

/** Servers that are wrong in most operations, and nevertheless judged. */
for (const [name, mutation, fails] of [
  [
    'two operations are not found',
    requests((incoming) => (isPrs(incoming) ? {} : { target: '/api/v1/nothing' })),
    'repos.array',
  ],
  [
    'every body is HTML but for one operation',
    answersIf('all', (incoming) => (isPrs(incoming) ? {} : { text: html })),
    'service.json-body',
  ],
] as const) {
  test(`a server is judged although ${name}`, async (t) => {
    const report = await judge(mutated(real, mutation));
    t.true(idsOf(report, 'failed').includes(fails), idsOf(report, 'failed').join(' '));
  });
}
