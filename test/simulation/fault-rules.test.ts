import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { unknownOperation } from '../../src/api/request.js';
import { seededRandom } from '../../src/common/seeded-random.js';
import { faultRules } from '../../src/simulation/fault-rules.js';
import { journal } from '../../src/simulation/journal.js';
import { knownNames } from '../../src/simulation/known-names.js';

/** The names of a server with two pages and one tenant. */
const names = knownNames(journal(0));
names.serve({
  pages: ['GET /login', 'POST /login', 'GET /explore/findings/:id', 'GET /healthz'],
  tenants: () => [{ name: 'acme', id: 'usr_1', email: 'dana@acme.test' }],
});

const list = { operation: 'listFindings', tenant: null, query: new Map(), headers: {} };
const rulesWith = (...rules: readonly object[]) => {
  const faults = faultRules(seededRandom(1), names);
  for (const rule of rules) {
    const added = faults.add(rule);
    if (E.isLeft(added)) throw new Error(added.left.join('\n'));
  }
  return faults;
};
const codes = (faults: ReturnType<typeof rulesWith>, count: number) =>
  Array.from({ length: count }, () => faults.apply(list)?.code ?? 'fine');

test('a rule fails once, and the requests after it are fine', (t) => {
  const faults = rulesWith({ operation: 'listFindings', code: 503, times: 1 });
  t.true(faults.areActive());
  t.deepEqual(codes(faults, 3), [503, 'fine', 'fine']);
  t.false(faults.areActive());
  t.like(faults.list()[0], { id: 'fault-1', matched: 1, applied: 1 });
});

test('a rule fails the third request', (t) => {
  const faults = rulesWith({ code: 500, after: 2, times: 1 });
  t.deepEqual(codes(faults, 4), ['fine', 'fine', 500, 'fine']);
});

test('a rule fails every third request that it matches, after those that pass first', (t) => {
  const faults = rulesWith({ operation: 'listFindings', code: 500, every: 3 });
  const other = { ...list, operation: 'listPrs' };
  t.is(faults.apply(other), null);
  t.deepEqual(codes(faults, 7), ['fine', 'fine', 500, 'fine', 'fine', 500, 'fine']);
  t.like(faults.list()[0], { matched: 7, applied: 2 });
  const later = rulesWith({ code: 503, after: 1, every: 2, times: 2 });
  t.deepEqual(codes(later, 8), ['fine', 'fine', 503, 'fine', 503, 'fine', 'fine', 'fine']);
});

test('a rule names a tenant in any way, and is listed with the id', (t) => {
  for (const tenant of ['acme', 'usr_1', 'Dana@ACME.test']) {
    const faults = rulesWith({ code: 500, tenant });
    t.is(faults.list()[0]?.tenant, 'usr_1');
    t.is(faults.apply({ ...list, tenant: 'usr_1' })?.code, 500);
    t.is(faults.apply({ ...list, tenant: 'usr_2' }), null);
  }
});

test('a rule for the pages of a route, as the journal names it, is about each of them', (t) => {
  const faults = rulesWith({ operation: 'GET /explore/findings/:id', code: 500 });
  const code = (operation: string) => faults.apply({ ...list, operation })?.code;
  t.is(code('GET /explore/findings/fix_1'), 500);
  t.is(code('GET /explore/findings'), undefined);
  t.is(code('GET /explore/findings/fix_1/more'), undefined);
  t.is(code('POST /explore/findings/fix_1'), undefined);
  const one = rulesWith({ operation: 'GET /explore/findings/fix_1', code: 500 });
  t.is(one.apply({ ...list, operation: 'GET /explore/findings/fix_2' }), null);
  t.is(one.apply({ ...list, operation: 'GET /explore/findings/fix_1' })?.code, 500);
});

test('there are at most 1,000 rules, and those that have had their turn make room', (t) => {
  const faults = rulesWith({ code: 503, times: 1 }, ...Array.from({ length: 999 }, () => ({ delay: 1 })));
  const more = { code: 500 };
  t.deepEqual(faults.add(more), E.left(['there are at most 1000 rules, of 4 MB together: remove some']));
  t.is(faults.list().length, 1000);
  faults.apply(list);
  t.true(E.isRight(faults.add(more)));
  t.deepEqual(
    [faults.list().length, faults.list()[0]?.id, faults.list().at(-1)?.id],
    [1000, 'fault-2', 'fault-1001'],
  );
});

test('rules have at most 4 MB together, as bytes of JSON', (t) => {
  const large = { code: 500, body: 'é'.repeat(2 ** 20 - 100) };
  const faults = rulesWith(large);
  t.true(E.isLeft(faults.add({ ...large, body: `${large.body}${'é'.repeat(200)}` })));
  t.true(E.isRight(faults.add(large)));
  t.true(E.isLeft(faults.add(large)));
  faults.clear();
  t.true(E.isRight(faults.add(large)));
});

test('a rule with a probability fails about as many, the same with the same seed', (t) => {
  const rule = { code: 500, probability: 0.05 };
  const results = codes(rulesWith(rule), 2000);
  const failed = results.filter((code) => code === 500).length;
  t.true(failed > 60 && failed < 140, String(failed));
  t.deepEqual(codes(rulesWith(rule), 2000), results);
  t.deepEqual(codes(rulesWith({ code: 500, probability: 0 }), 100), Array(100).fill('fine'));
});

test('delays add up, and the last rule with an outcome decides; the others do not count the request', (t) => {
  const faults = rulesWith({ code: 500, times: 1 }, { delay: 100 }, { code: 503, delay: 20, times: 1 });
  t.like(faults.apply(list), { code: 503, delay: 120, kind: null, rules: ['fault-3', 'fault-2'] });
  t.like(faults.apply(list), { code: 500, delay: 100, kind: null, rules: ['fault-2', 'fault-1'] });
  t.like(faults.apply(list), { code: null, delay: 100, kind: null, rules: ['fault-2'] });
});

test('a jitter adds up to so many milliseconds', (t) => {
  const faults = rulesWith({ delay: 100, jitter: 50 });
  const delays = Array.from({ length: 200 }, () => faults.apply(list)?.delay ?? 0);
  t.true(delays.every((delay) => delay >= 100 && delay <= 150));
  t.true(new Set(delays).size > 20);
});

test('a rule is about its operation, tenant, query and request headers only', (t) => {
  const faults = rulesWith({
    operation: 'listPrs',
    tenant: 'usr_1',
    query: { status: 'open' },
    requestHeaders: { 'X-Attempt': '2' },
    code: 500,
  });
  const request = {
    operation: 'listPrs',
    tenant: 'usr_1',
    query: new Map([['status', ['open']]]),
    headers: { 'x-attempt': '2', accept: '*/*' },
  };
  t.true(faults.needTenant('listPrs'));
  t.false(faults.needTenant('listFindings'));
  t.is(faults.apply(request)?.code, 500);
  const others = [
    { operation: 'listFindings' },
    { tenant: null },
    { query: new Map() },
    { headers: {} },
    { headers: { 'x-attempt': '1' } },
  ];
  for (const other of others) t.is(faults.apply({ ...request, ...other }), null);
});

test('a kind that stands for a status brings what is sent with it, unless the rule has its own', (t) => {
  const sent = (rule: object) => rulesWith(rule).apply(list);
  t.like(sent({ kind: 'gateway' }), { code: 502, kind: 'gateway' });
  t.regex(String(sent({ kind: 'gateway' })?.instead.body), /^<html>.*502 Bad Gateway/s);
  t.deepEqual(sent({ kind: 'gateway', body: null, headers: { 'X-A': '1' } })?.instead, {
    body: null,
    headers: { 'X-A': '1' },
    retryAfter: undefined,
  });
  t.is(sent({ kind: 'timeout' })?.code, 504);
  t.is(sent({ kind: 'forbidden' })?.code, 403);
  t.like(sent({ kind: 'maintenance' }), { code: 503, instead: { retryAfter: 120 } });
  t.like(sent({ kind: 'maintenance', retryAfter: 5 }), { code: 503, instead: { retryAfter: 5 } });
});

test('a rule without an operation leaves alone what cannot answer so, and every page', (t) => {
  const faults = rulesWith({ operation: 'getFinding', code: 404 }, { kind: 'empty' });
  t.is(faults.apply({ ...list, operation: 'getFinding' })?.code, 404);
  t.is(faults.apply(list)?.kind, 'empty');
  t.is(faults.apply({ ...list, operation: 'POST /login' }), null);
  t.is(faults.apply({ ...list, operation: unknownOperation }), null);
  t.is(rulesWith({ delay: 5 }).apply({ ...list, operation: unknownOperation })?.delay, 5);
  t.is(
    rulesWith({ operation: 'POST /login', code: 503 }).apply({ ...list, operation: 'POST /login' })?.code,
    503,
  );
});

test('rules are removed one by one or all at once', (t) => {
  const faults = rulesWith({ code: 500 }, { code: 503 });
  t.true(faults.remove('fault-2'));
  t.false(faults.remove('fault-2'));
  t.deepEqual(codes(faults, 1), [500]);
  faults.clear();
  t.deepEqual(faults.list(), []);
  t.false(faults.areActive());
});

const wrong: readonly (readonly [rule: unknown, problem: RegExp])[] = [
  [{}, /^a rule needs a code, a delay, a jitter, a kind, headers, bytesPerSecond or alter$/],
  [{ oops: 1, code: 500 }, /unknown key/],
  [{ code: 200 }, /\/code: expected integer from 300 to 599, got 200/],
  [{ code: 600 }, /\/code: expected integer from 300 to 599, got 600/],
  [{ kind: 'gateway', code: 503 }, /^kind "gateway" cannot be combined with a code: it is a 502$/],
  [{ delay: 1, body: {} }, /^body needs a code$/],
  [{ kind: 'drop', headers: {}, retryAfter: 1 }, /^headers needs a code\nretryAfter needs a code$/],
  [{ code: 500, headers: { 'Content-Length': '1' } }, /^headers: "Content-Length" cannot be sent by a rule$/],
  [{ code: 500, headers: { A: 'x\r\ny' } }, /\/headers\/A: expected the value of a header/],
  [{ code: 500, retryAfter: -1 }, /\/retryAfter: expected/],
  [
    { operation: 'listPr', code: 500 },
    /^operation: expected one of listConnectedRepos, .*, GET \/explore\/findings\/:id, got "listPr"; did you mean "listPrs"\?$/,
  ],
  [{ operation: 'POST /logni', code: 500 }, /, got "POST \/logni"; did you mean "POST \/login"\?$/],
  [{ operation: 'GET /explore/repos', code: 500 }, /, got "GET \/explore\/repos"$/],
  [{ tenant: 'acmee', code: 500 }, /^tenant: expected one of acme, got "acmee"; did you mean "acme"\?$/],
  [{ tenant: 'dana@acme.tst', code: 500 }, /; did you mean "dana@acme.test"\?$/],
  [
    { operation: 'listPrs', query: { pgae: '2' }, code: 500 },
    /^query: expected one of page, limit, repoId, status, got "pgae"; did you mean "page"\?$/,
  ],
  [{ query: { severty: 'high' }, code: 500 }, /^query: expected .*; did you mean "severity"\?$/],
  [{ operation: 'listPrs', query: { severity: 'high' }, code: 500 }, /^query: expected .*, got "severity"$/],
  [
    { operation: 'getFinding', query: { page: '1' }, code: 500 },
    /^query: there is none, so "page" is unknown$/,
  ],
  [{ operation: 'GET /__admin/faults', code: 500 }, /^operation: expected one of /],
  [{ operation: 'GET /healthz', kind: 'hang' }, /^operation: expected one of /],
  [{ operation: 'POST /login', kind: 'truncate' }, /^kind "truncate" is for operations of the API$/],
  [{ operation: 'POST /login', code: 500, tenant: 'usr_1' }, /^tenant is for operations of the API$/],
  [{ operation: 'getFinding', kind: 'empty' }, /^kind "empty" is for lists, and getFinding is none$/],
  [{ kind: 'empty', code: 500 }, /^kind "empty" cannot be combined with a code/],
  [{ code: 500, probability: 1.5 }, /\/probability: expected number from 0 to 1, got 1.5/],
  [{ code: 500, times: 0 }, /\/times: expected integer from 1, got 0/],
  [{ code: 302 }, /^code 302 is a redirect, and needs the header "location"$/],
  [{ code: 304, headers: { location: '/' } }, /^code: 304 is the answer to `If-None-Match`/],
  [{ alter: { page: null }, code: 500 }, /^alter changes a 200, and cannot be combined/],
  [{ alter: { page: null }, kind: 'truncate' }, /^alter changes a 200, and cannot be combined/],
  [
    { operation: 'POST /login', bytesPerSecond: 5, id: 'x' },
    /^bytesPerSecond is for .*\nid is for operations/,
  ],
  [{ operation: 'POST /login', headers: { A: 'b' } }, /^headers of a page need a code$/],
  [{ operation: 'listPrs', id: 'fix_1', code: 500 }, /^id is for one finding, and listPrs is a list$/],
  [{ bytesPerSecond: 0 }, /\/bytesPerSecond: expected integer from 1, got 0/],
  [{ code: 500, every: 0 }, /\/every: expected integer from 1, got 0/],
  [[], /./],
];

for (const [rule, problem] of wrong) {
  test(`${JSON.stringify(rule)} is no rule`, (t) => {
    const faults = faultRules(() => 0, names);
    const added = faults.add(rule);
    t.true(E.isLeft(added));
    if (E.isLeft(added)) t.regex(added.left.join('\n'), problem);
    t.deepEqual(faults.list(), []);
  });
}
