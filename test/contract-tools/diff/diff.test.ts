import test, { type ExecutionContext } from 'ava';
import {
  type Difference,
  type DiffReport,
  diff,
  diffText,
  isEqual,
  noSuchRow,
  reportedDifferences,
} from '../../../src/contract-tools/diff.js';
import { at, now } from '../../_data.js';
import { serve } from '../../_server.js';
import { shippedDatasets as shipped } from '../../_shipped.js';
import { sendTo } from '../verify/_judge.js';
import {
  answers,
  failures,
  type Mutation,
  mutated,
  pages,
  remembering,
  rows,
  without,
} from '../verify/_mutation.js';

const row = (left: string, right: string, request: string): Difference => ({
  kind: 'value',
  where: '/items/*',
  at: '/items/0',
  left,
  right,
  request,
  status: 200,
});

test('rows that one side lacks are one difference for each side, with their number and all requests', (t) => {
  const differences = reportedDifferences([
    row('"a"', noSuchRow, 'GET /one'),
    row('"b"', noSuchRow, 'GET /one'),
    row(noSuchRow, '"b"', 'GET /one'),
    row('"c"', noSuchRow, 'GET /two'),
  ]);
  const { kind, where, at } = row('', '', '');
  t.deepEqual(differences, [
    { kind, where, at, count: 3, left: '"a"', right: noSuchRow, requests: ['GET /one', 'GET /two'] },
    { kind, where, at, count: 1, left: noSuchRow, right: '"b"', requests: ['GET /one'] },
  ]);
});

type Options = Readonly<{ session: string; token: string | null; values: boolean }>;

/** Compares a correct server, on the left, with a mutated one. The options apply to the one on the right. */
const compare = async (
  t: ExecutionContext,
  mutation: Mutation,
  { session = 'acme-session', token = 'acme-token', values = false }: Partial<Options> = {},
): Promise<DiffReport> => {
  const { url } = await serve(t, shipped);
  const real = remembering(sendTo(url));
  return diff(
    {
      url: 'http://server.test',
      send: mutated(real, unchanged),
      session: 'acme-session',
      token: 'acme-token',
    },
    { url: 'http://server.test', send: mutated(real, mutation), session, token },
    {
      throttleOptions: { gap: 0, maxRequests: 500, clock: () => at(now), sleep: async () => {} },
      cookieName: 'session',
      compare: { values, allHeaders: false },
      onProgress: () => {},
    },
  );
};

const unchanged: Mutation = ({ request }, real) => real(request);

const differencesOf = ({ differences }: DiffReport): readonly string[] =>
  differences.map(({ kind, where, left, right }) => `${kind} ${where}: ${left} / ${right}`);

test('a server does not differ from itself, not even in values', async (t) => {
  t.true(isEqual(await compare(t, unchanged, { values: true })));
});

for (const { what, options } of [
  { what: 'for another tenant', options: { session: 'large-session', token: 'large-token' } },
  { what: 'without a token', options: { token: null } },
  { what: 'for a tenant without rows', options: { session: 'empty-session' } },
]) {
  test(`a server does not differ from itself ${what}`, async (t) => {
    const report = await compare(t, unchanged, options);
    t.deepEqual(differencesOf(report), []);
    t.true(report.compared > 50);
  });
}

const table: readonly (readonly [name: string, mutation: Mutation, difference: string])[] = [
  ['a different status', failures('all', 401, { status: 403 }), 'status : 401 / 403'],
  [
    'a different error message',
    failures('finding', 404, { text: '{"error":"Not found"}' }),
    'value /error: "finding not found" / "Not found"',
  ],
  [
    'a missing header',
    answers('repos', (response) => ({
      ...response,
      headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => name !== 'etag')),
    })),
    'header etag: present / absent',
  ],
  [
    'a missing field',
    rows('prs', (row) => without(row, 'branch')),
    'shape /items/*/branch: always present, string / never present',
  ],
  [
    'a field that is only sometimes present',
    rows('findings', (row) => (row.reconciledAt === null ? without(row, 'reconciledAt') : row)),
    'shape /items/*/reconciledAt: always present, null or string / sometimes present, string',
  ],
  [
    'an additional field',
    pages('findings', (page) => ({ ...page, next: null })),
    'shape /next: never present / always present, null',
  ],
  [
    'a number as a string',
    rows('finding', (row) => ({ ...row, prCount: String(row.prCount) })),
    'shape /prCount: number / string',
  ],
  [
    'a body that is not JSON',
    answers('repos', (response) => (response.status === 200 ? { ...response, text: '<p>' } : response)),
    'shape : JSON / not JSON',
  ],
];

for (const [name, mutation, difference] of table) {
  test(`${name} is reported`, async (t) => {
    const report = await compare(t, mutation);
    t.true(differencesOf(report).includes(difference), differencesOf(report).join('\n'));
    t.false(isEqual(report));
    t.is(diffText(report)[0], 'Differences');
  });
}

test('the values of successful responses are compared only on request, and relative times never', async (t) => {
  const renamed = rows('repos', (row) => ({ ...row, status: 'other', lastScanRelative: 'lately' }));
  t.deepEqual(differencesOf(await compare(t, renamed)), []);
  const report = await compare(t, renamed, { values: true });
  t.true(differencesOf(report).some((line) => /^value \/\*\/status: ".*" \/ "other"$/.test(line)));
  t.false(JSON.stringify(report).includes('lately'));
});

test('secrets that a server sends back are redacted in the report', async (t) => {
  const echo = failures('all', 401, { text: '{"error":"not acme-session, not acme-token"}' });
  const report = await compare(t, echo);
  t.true(differencesOf(report).includes('value /error: "Unauthorized" / "not [secret], not [secret]"'));
});

test('a field that differs in many rows is one difference, with a count and an example', async (t) => {
  const lowered = rows('findings', (row, index) => ({ ...row, ciStatus: `other ${index}` }));
  const report = await compare(t, lowered, { values: true });
  const [difference, ...others] = report.differences;
  t.deepEqual(others, []);
  t.like(difference, {
    kind: 'value',
    where: '/items/*/ciStatus',
    at: '/items/0/ciStatus',
    right: '"other 0"',
  });
  t.true(Number(difference?.count) > 100, JSON.stringify(difference?.count));
  t.true(Number(difference?.requests.length) > 5);
  t.is(
    diffText(report)[1],
    `  value /items/*/ciStatus: ${difference?.count} differ, such as /items/0/ciStatus: ${difference?.left} on the left, "other 0" on the right`,
  );
});

test('failures of different statuses are different differences', async (t) => {
  const mutation: Mutation = async (incoming, real) => {
    const answer = await real(incoming.request);
    return answer.status >= 400 ? { ...answer, text: '{"error":"no"}' } : answer;
  };
  const { differences } = await compare(t, mutation);
  t.deepEqual(
    differences.map(({ where }) => where),
    ['/error', '/error', '/error'],
  );
  t.deepEqual(
    differences
      .map(({ left }) => left)
      .filter((left) => /Unauthorized|not found/i.test(left))
      .sort(),
    ['"Unauthorized"', '"finding not found"'],
  );
});
