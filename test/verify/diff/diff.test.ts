import test, { type ExecutionContext } from 'ava';
import { anonymous, operationRequest } from '../../../src/client/outgoing-request.js';
import { operations } from '../../../src/contract/operations.js';
import { matchRows, valueDifferences } from '../../../src/verify/compare.js';
import { compareResponses } from '../../../src/verify/compare-responses.js';
import { type DiffReport, diff, diffText, isEqual } from '../../../src/verify/diff.js';
import { isRow } from '../../../src/verify/rows.js';
import { at, now } from '../../_data.js';
import { serve } from '../../_server.js';
import { shippedDatasets as shipped } from '../../_shipped.js';
import { sendTo, world } from '../_judge.js';
import {
  answersIf,
  bodies,
  envelopes,
  failures,
  field,
  findingsBy,
  type Mutation,
  mutated,
  queries,
  type Real,
  refusal,
  remembering,
  rows,
  says,
  several,
  texts,
  without,
} from '../_mutation.js';
import { rightServers } from '../checks/_right-servers.js';

type Options = Readonly<{ left: string; session: string; token: string | null; values: boolean }>;

/** Compares a correct server, on the left, with a mutated one, whose session and token are used. */
const compareWith = (
  real: Real,
  mutation: Mutation,
  { left = 'acme', values = false, ...right }: Partial<Options> = {},
): Promise<DiffReport> => {
  const own = { url: 'http://server.test', session: `${left}-session`, token: `${left}-token` };
  return diff(
    { ...own, send: mutated(real, unchanged) },
    { ...own, send: mutated(real, mutation), ...right },
    {
      throttleOptions: { gap: 0, maxRequests: 500, clock: () => at(now), sleep: async () => {} },
      cookieName: 'session',
      values,
      onProgress: () => {},
    },
  );
};

/** The same with a server of its own. */
const compare = async (t: ExecutionContext, mutation: Mutation, options: Partial<Options> = {}) => {
  const { url } = await serve(t, shipped);
  return compareWith(remembering(sendTo(url)), mutation, options);
};

const unchanged: Mutation = ({ request }, real) => real(request);

const differencesOf = ({ differences }: DiffReport): readonly string[] =>
  differences.map(({ kind, where, left, right }) => `${kind} ${where}: ${left} / ${right}`);

for (const [what, options] of [
  ['not even in values', { values: true }],
  ['for another tenant', { session: 'large-session', token: 'large-token' }],
  ['without a token', { token: null }],
  ['for a tenant without rows', { session: 'empty-session' }],
] as const) {
  test(`a server does not differ from itself, ${what}`, async (t) => {
    const report = await compare(t, unchanged, options);
    t.deepEqual(differencesOf(report), []);
    t.true(isEqual(report) && report.compared > 50);
  });
}

/** A body or row with every timestamp so many milliseconds later. */
const later = (body: unknown, milliseconds: number): unknown =>
  JSON.parse(
    JSON.stringify(body).replaceAll(
      /"(\d{4}-[\d-]+T[\d:.]+Z)"/g,
      (_, time) => `"${new Date(Date.parse(time) + milliseconds).toISOString()}"`,
    ),
  );

test('dates that all differ by one offset are one difference, which says --now, and hide no other', async (t) => {
  const wheres = async (...mutations: readonly Mutation[]) =>
    (await compare(t, several(...mutations), { values: true })).differences.map(({ where }) => where);
  const shifted = bodies('all', (body) => later(body, 60 * 60 * 1000));
  const one = 'every timestamp, by 3600 s: pass both servers the same --now';
  t.deepEqual(await wheres(shifted), [one]);
  const renamed = field('prs', 'package', () => 'another');
  t.deepEqual(await wheres(renamed, shifted), [one, '/items/*/package']);
  const some = await wheres(bodies('findings', (body) => later(body, 1000)));
  t.true(some.includes('/items/*/discoveredAt') && !some.join().includes('every timestamp'));
});

const deep = `{"items":${'['.repeat(501)}${']'.repeat(501)}}`;

const beyondMaximum = (change: Parameters<typeof failures>[2]): Mutation =>
  answersIf('findings', ({ query }) => (Number(query.get('limit')) > 100 ? change : {}));

/** Another scan in place of the last one of the first `count` repositories, which began at the same time. */
const tiedScans = (count: number): Mutation =>
  field('repos', 'lastScan', (scan, _, index) =>
    index < count && isRow(scan) ? { ...scan, id: `other_${index}`, findingsSeen: 99 } : scan,
  );

const challenge = 'the WWW-Authenticate header of a 401';
const ofError = '/error: "Unauthorized" / ';

/** Servers that answer otherwise, and the lines that report it. Decisions change no verdict. */
const table: readonly (readonly [
  name: string,
  mutation: Mutation,
  lines: string | readonly string[],
  options?: Partial<Options>,
])[] = [
  ['a different status', failures('all', 401, { status: 403 }), 'status : 401 / 403'],
  [
    'a different error message',
    failures('finding', 404, says('Not found')),
    'value /error: "finding not found" / "Not found"',
  ],
  [
    'JSON that is labelled as a web page',
    answersIf('repos', () => ({ headers: { 'content-type': 'text/html' } })),
    'shape : JSON / JSON with the content-type text/html',
  ],
  ['a missing field', rows('prs', (row) => without(row, 'branch')), 'shape /items/*/branch: string / absent'],
  [
    'a field that is only sometimes present',
    rows('findings', (row) => (row.reconciledAt === null ? without(row, 'reconciledAt') : row)),
    'shape /items/*/reconciledAt: null or string / absent or string',
  ],
  [
    'a number as a string, in its shape alone',
    field('finding', 'prCount', String),
    'shape /prCount: number / string',
    { values: true },
  ],
  ['a body that is not JSON', failures('repos', 200, { text: '<p>' }), 'shape : JSON / not JSON'],
  [
    'a body that is nested too deeply',
    failures('repos', 200, { text: deep }),
    'shape : JSON / nested more than 500 levels deep',
  ],
  ['a page that is not named in its envelope', envelopes('prs', () => ({ page: 1 })), 'value /page: 2 / 1'],
  [
    'a total of the page instead of the list',
    envelopes('prs', ({ items }) => ({ totalItems: items.length, totalPages: 1 })),
    'value /totalItems: 34 / 25',
  ],
  [
    'a limit that is not cut',
    envelopes('findings', (_, { query }) => ({ limit: Number(query.get('limit') ?? 25) })),
    'value /limit: 100 / 1000',
  ],
  [
    'repositories in another order',
    bodies('repos', (body) => [...Object(body)].reverse()),
    'order /*: "repo_bff" / "repo_pipeline"',
  ],
  [
    'a filter that finds everything for an unknown repository',
    queries('findings', (query) => query.delete('repoId')),
    'rows /items/*: no such row / "fix_0007"',
  ],
  [
    'a wrong filter',
    queries('findings', (query) => query.get('severity') === 'high' && query.set('severity', 'low')),
    'rows /items/*: "fix_0025" / no such row',
    { values: true },
  ],
  [
    'a filter of pull requests that finds others',
    queries('prs', (query) => query.get('status') === 'closed' && query.set('status', 'merged')),
    'rows /items/*: "fix_0005" / no such row',
    { values: true },
  ],
  [
    'secrets that a server sends back, redacted',
    failures('all', 401, says('not acme-session, not acme-token')),
    `value ${ofError}"not [secret], not [secret]"`,
  ],
  [
    'a 401 without a challenge, as a decision',
    failures('all', 401, { headers: { 'content-type': 'application/json' } }),
    `decision ${challenge}`,
  ],
  [
    'which of two scans that began together is the last one, as a decision',
    tiedScans(1),
    'decision the value of lastScan',
    { values: true },
  ],
  [
    'what the contract leaves open, as a decision',
    beyondMaximum(refusal(400, 'at most 100')),
    'decision a limit above 100',
    { values: true },
  ],
  [
    'a status of 500 where the contract is silent, as a difference',
    beyondMaximum(refusal(500, '?')),
    'status : 200 / 500',
  ],
  [
    'wordings of different statuses as different mistakes, and that of a 400 as a decision',
    answersIf('all', (_, { status }) => (status >= 400 ? says('no') : {})),
    [
      'value /error: "finding not found" / "no"',
      `value ${ofError}"no"`,
      'decision a page or limit that is not a whole number of at least 1',
      'decision a status that the contract does not list',
    ],
  ],
  [
    'findings in another order, as a decision',
    findingsBy((all) => all.toReversed()),
    'decision the order of findings',
    { left: 'large', values: true },
  ],
];

for (const [name, mutation, lines, options] of table) {
  test(`diff reports in one line: ${name}`, async (t) => {
    const report = await compare(t, mutation, options);
    const decisions = report.decisions.map(({ where }) => `decision ${where}`);
    const isOfDecisions = [lines].flat().some((line) => line.startsWith('decision '));
    t.deepEqual([...differencesOf(report), ...(isOfDecisions ? decisions : [])], [lines].flat());
    t.is(isEqual(report), report.differences.length === 0);
  });
}

/** Servers whose stored values differ, so that their data does. */
const otherData =
  /^(?:other words for badges|scores (?:in percent|below zero)|prState as\sthe filter names it)$/;

/** One whose order depends on the size of pages: `diff` cannot tell it from one with other rows. */
const otherOrder = 'findings: pages of an odd size are in another order';

test('servers that keep the contract and choose otherwise where it is silent differ in decisions alone', async (t) => {
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  for (const [name, mutation] of rightServers.filter(([each]) => each !== otherOrder)) {
    const options = { left: 'boundary', values: !otherData.test(name) };
    const report = await compareWith(real, mutation, options);
    t.deepEqual(report.differences, [], name);
  }
});

test('another last scan is a difference unless the scans began together', async (t) => {
  const renamed = await compare(t, tiedScans(1000), { values: true });
  t.true(differencesOf(renamed).some((line) => line.startsWith('value /*/lastScan/id: ')));
});

for (const [what, right] of [
  ['a web page', answersIf('all', () => ({ status: 200, text: '<!doctype html>' }))],
  ['truncated JSON', texts('all', (text) => text.slice(0, -1))],
  ['failures', answersIf('all', () => ({ status: 500 }))],
] as const) {
  test(`a server that sends ${what} instead of each list is named, and not called equal`, async (t) => {
    const report = await compare(t, right);
    t.regex(
      report.stopped ?? '',
      /^the right server sends no list: GET \/api\/v1\/repos .* check its URL and session$/,
    );
    t.is(report.compared, 3);
    t.false(isEqual(report));
  });
}

test('the values of successful responses are compared only on request, and relative times never', async (t) => {
  const renamed = rows('repos', (row) => ({ ...row, status: 'other', lastScanRelative: 'lately' }));
  t.deepEqual(differencesOf(await compare(t, renamed)), []);
  const report = await compare(t, renamed, { values: true });
  t.true(differencesOf(report).some((line) => /^value \/\*\/status: ".*" \/ "other"$/.test(line)));
  t.false(JSON.stringify(report).includes('lately'));
});

test('a field that differs in many rows is one difference, with a count and an example', async (t) => {
  const report = await compare(
    t,
    field('findings', 'ciStatus', (_value, _row, index) => `other ${index}`),
    { values: true },
  );
  const [difference] = report.differences;
  t.is(report.differences.length, 1);
  t.true(Number(difference?.count) > 100 && Number(difference?.requests.length) > 5);
  t.deepEqual(diffText(report).slice(0, 3), [
    'Differences',
    `  value /items/*/ciStatus: ${difference?.count} values, such as ${difference?.left} on the left and "other 0" on the right in /items/0/ciStatus of GET /api/v1/findings?limit=100 (cookie: session)`,
    '',
  ]);
});

test('of arrays without ids and of different length only the lengths are reported', (t) => {
  const repeated = [{ id: 'a' }, { id: 'a' }];
  t.deepEqual(valueDifferences([1], [1, 2]), [{ path: [], left: [1], right: [1, 2] }]);
  const [found, ...others] = valueDifferences({ items: repeated }, { items: [{ id: 'a' }] });
  t.deepEqual([found?.path, others], [['items'], []]);
});

test('rows with the same id are matched so that they differ least, and none takes the match of another one', (t) => {
  const first = { id: 'a', branch: 'one', ciStatus: 'passing' };
  const second = { id: 'a', branch: 'two', ciStatus: 'failing' };
  const changed = { ...second, ciStatus: 'running' };
  const matched = (...right: readonly object[]) =>
    matchRows([first, second], right).pairs.map((pair) => pair.right?.row);
  t.deepEqual(matched(changed, first, { id: 'b' }), [first, changed]);
  t.deepEqual(matched(changed), [undefined, changed]);
  t.deepEqual(matchRows([first], [first, { id: 'b' }]).onlyRight, [{ row: { id: 'b' }, index: 1 }]);
});

test('thousands of rows with one id are not compared each with each', (t) => {
  let reads = 0;
  const rows = (ciStatus: string) =>
    Array.from({ length: 2000 }, (_, index) => ({
      ...{ id: 'a', ciStatus },
      get branch() {
        reads += 1;
        return `${index}`;
      },
    }));
  for (const other of ['passing', 'failing']) {
    const { shared } = matchRows(rows('passing'), rows(other));
    t.is(shared.filter(({ left, right }) => left.row.branch === right.row.branch).length, 2000, other);
  }
  t.true(reads < 50_000, `${reads} reads`);
});

/** A response that the contract fixes, but with this body. */
const fixed = (body: unknown) => ({
  request: operationRequest(operations.listConnectedRepos, {}, anonymous),
  response: { status: 401, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) },
  body,
});

const always = [{ a: 1 }, { a: 1 }];

for (const [what, left, right, expected] of [
  ['an array that is empty on one side is a note', [{ a: 1 }], [], 'note /*'],
  ['null on one side, with text on the other, is a note', { a: null }, { a: 'x' }, 'note /a'],
  ['null on one side, with an object on the other, is a note', { a: null }, { a: { b: 1 } }, 'note /a'],
  ['items of different types are a difference', [1, 'x'], [1], 'shape /*'],
  ['null in place of a missing field is a difference', { a: null }, {}, 'shape /a'],
  ['a field that is always or sometimes present is a difference', [{ a: 1 }, {}], always, 'shape /*/a'],
] as const) {
  test(what, (t) => {
    const pair = { left: fixed(left), right: fixed(right), question: null, hasSameData: false };
    const found = compareResponses(pair, false).map(({ kind, where }) => `${kind} ${where}`);
    t.deepEqual(
      found.filter((each) => /^(?:shape|note) /.test(each)),
      [expected],
    );
  });
}
