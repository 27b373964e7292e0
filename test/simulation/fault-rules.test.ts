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
/** What becomes of requests, one after the other. */
const codes = (faults: ReturnType<typeof rulesWith>, count: number) =>
  Array.from({ length: count }, () => faults.apply(list)?.code ?? 'fine');

for (const [title, rules, expected] of [
  ['with times fails so many requests', [{ code: 503, times: 1 }], [503, 'fine', 'fine']],
  [
    'with after fails the requests after those',
    [{ code: 500, after: 2, times: 1 }],
    ['fine', 'fine', 500, 'fine'],
  ],
  [
    'with every fails each so-manieth request',
    [{ code: 500, every: 3 }],
    ['fine', 'fine', 500, 'fine', 'fine', 500],
  ],
  [
    'with after, every and times counts from the first request after those that pass',
    [{ code: 503, after: 1, every: 2, times: 2 }],
    ['fine', 'fine', 503, 'fine', 503, 'fine', 'fine'],
  ],
  ['with the probability 0 fails none', [{ code: 500, probability: 0 }], Array(50).fill('fine')],
  [
    'that is added later decides, and the others do not count the request',
    [
      { code: 500, times: 1 },
      { code: 503, times: 1 },
    ],
    [503, 500, 'fine'],
  ],
] as const)
  test(`a rule ${title}`, (t) => t.deepEqual(codes(rulesWith(...rules), expected.length), [...expected]));

test('a rule counts the requests that it is about and those that it affects, and is active until it is spent', (t) => {
  const faults = rulesWith({ operation: 'listFindings', code: 500, every: 3, times: 2 });
  faults.apply({ ...list, operation: 'listPrs' });
  for (let i = 0; i < 7; i += 1) {
    t.is(faults.areActive(), i < 6);
    faults.apply(list);
  }
  t.like(faults.list()[0], { id: 'fault-1', matched: 6, applied: 2 });
});

const page = 'GET /explore/findings/fix_1';
const prs = { operation: 'listPrs', tenant: 'usr_1', headers: { 'x-attempt': '2', accept: '*/*' } };
const forPrs = {
  operation: 'listPrs',
  tenant: 'Dana@ACME.test',
  requestHeaders: { 'X-Attempt': '2' },
  code: 500,
};

for (const [rule, request, isAffected] of [
  [forPrs, prs, true],
  [forPrs, { ...prs, operation: 'listFindings' }, false],
  [forPrs, { ...prs, tenant: null }, false],
  [forPrs, { ...prs, headers: {} }, false],
  [forPrs, { ...prs, headers: { 'x-attempt': '1' } }, false],
  [{ query: { status: 'open' }, code: 500 }, { query: 'open' }, true],
  [{ query: { status: 'open' }, code: 500 }, { query: 'closed' }, false],
  [{ query: { status: 'open' }, code: 500 }, {}, false],
  [{ id: 'fix_1', code: 500 }, { operation: 'getFinding', id: 'fix_1' }, true],
  [{ id: 'fix_1', code: 500 }, { operation: 'getFinding', id: 'fix_2' }, false],
  [{ operation: 'GET /explore/findings/:id', code: 500 }, { operation: page }, true],
  [{ operation: 'GET /explore/findings/:id', code: 500 }, { operation: `${page}/more` }, false],
  [{ operation: page, code: 500 }, { operation: 'GET /explore/findings/fix_2' }, false],
  [{ code: 500 }, { operation: page }, false],
  [{ code: 500 }, { operation: unknownOperation }, false],
  [{ delay: 5 }, { operation: unknownOperation }, true],
  [{ kind: 'empty' }, {}, true],
  [{ kind: 'empty' }, { operation: 'getFinding' }, false],
] as const)
  test(`the rule ${JSON.stringify(rule)} ${isAffected ? 'affects' : 'leaves alone'} ${JSON.stringify(request)}`, (t) => {
    const { query, ...others } = { query: undefined, ...request };
    const sent = new Map(query === undefined ? [] : [['status', [query]]]);
    t.is(rulesWith(rule).apply({ ...list, ...others, query: sent }) !== null, isAffected);
  });

test('there are at most 1,000 rules, and those that are spent make room', (t) => {
  const faults = rulesWith({ code: 503, times: 1 }, ...Array.from({ length: 999 }, () => ({ delay: 1 })));
  const more = { code: 500 };
  t.deepEqual(faults.add(more), E.left(['there are at most 1000 rules, of 4 MB together: remove some']));
  faults.apply(list);
  t.true(E.isRight(faults.add(more)));
  const ids = faults.list().map(({ id }) => id);
  t.deepEqual([ids.length, ids[0], ids.at(-1)], [1000, 'fault-2', 'fault-1001']);
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

test('delays of all rules add up, each with up to its jitter at random', (t) => {
  const faults = rulesWith(
    { code: 500, times: 1 },
    { delay: 100, jitter: 50 },
    { code: 503, delay: 200, times: 1 },
  );
  const [first, second, ...others] = Array.from({ length: 200 }, () => faults.apply(list));
  t.like(first, { code: 503, kind: null, rules: ['fault-3', 'fault-2'] });
  t.true((first?.delay ?? 0) >= 300);
  t.like(second, { code: 500, kind: null, rules: ['fault-2', 'fault-1'] });
  const delays = others.map((applied) => (applied?.code === null ? applied.delay : 0));
  t.true(delays.every((delay) => delay >= 100 && delay <= 150));
  t.true(new Set(delays).size > 20);
});

const invalid: readonly (readonly [rule: unknown, problem: RegExp])[] = [
  [{}, /^a rule needs a code, a delay, a jitter, a kind, headers, bytesPerSecond, alter or then$/],
  [[], /^expected fault rule, got an array of 0$/],
  [{ code: 200 }, /^code 200 needs a body, such .* an empty one$/],
  [{ code: 201, body: '' }, /^\/code: expected 200 or a status from 300 to 599, got 201$/],
  [
    { bytesPerSecond: 0, code: 600, every: 0, oops: 1, probability: 1.5, retryAfter: -1, times: 0 },
    /^\/code: .*\n\/retryAfter: .*\n\/bytesPerSecond: .*\n\/times: .*\n\/every: .* 0\n\/prob.* 1, got 1.5\n\/oops: unk/,
  ],
  [{ kind: 'gateway', code: 503 }, /^kind "gateway" cannot be combined with a code: it is a 502$/],
  [{ delay: 1, body: {} }, /^body needs a code$/],
  [{ kind: 'drop', headers: {}, retryAfter: 1 }, /^headers needs a code\nretryAfter needs a code$/],
  [{ code: 500, headers: { 'Content-Length': '1' } }, /^headers: "Content-Length" cannot be sent by a rule$/],
  [{ code: 500, headers: { A: 'x\r\ny' } }, /\/headers\/A: expected the value of a header/],
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
  [{ operation: 'getFinding', kind: 'empty' }, /^kind "empty" is for lists, and getFinding is none$/],
  [{ kind: 'empty', code: 500 }, /^kind "empty" cannot be combined with a code/],
  [
    { code: 302, headers: { location: null, 'X-Triage-Simulated': null } },
    /^code 302 is a redirect, and needs the header "location"\nheaders: "X-Triage-Simulated" cannot be sent/,
  ],
  [{ code: 304, headers: { location: '/' } }, /^code: 304 is the answer to `If-None-Match`/],
  [{ alter: { page: null }, code: 500 }, /^alter changes a 200, and cannot be combined/],
  [{ alter: { page: null }, kind: 'truncate' }, /^alter changes a 200, and cannot be combined/],
  [
    { operation: 'POST /login', bytesPerSecond: 5, id: 'x' },
    /^bytesPerSecond is for .*\nid is for operations/,
  ],
  [{ operation: 'POST /login', headers: { A: 'b' } }, /^headers of a page need a code$/],
  [{ operation: 'listPrs', id: 'fix_1', code: 500 }, /^id is for one finding, and listPrs is a list$/],
];

for (const [rule, problem] of invalid) {
  test(`the invalid rule ${JSON.stringify(rule)} is refused with its problems`, (t) => {
    const faults = faultRules(() => 0, names);
    const added = faults.add(rule);
    t.true(E.isLeft(added));
    if (E.isLeft(added)) t.regex(added.left.join('\n'), problem);
    t.deepEqual(faults.list(), []);
  });
}
