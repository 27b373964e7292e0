import test, { type ExecutionContext } from 'ava';
import { type DiffReport, diff, diffText, isEqual } from '../../../src/verify/diff.js';
import { isRow } from '../../../src/verify/rows.js';
import { at, now } from '../../_data.js';
import { serve } from '../../_server.js';
import { shippedDatasets as shipped } from '../../_shipped.js';
import { sendTo, world } from '../_judge.js';
import {
  answers,
  bodies,
  failures,
  findingsBy,
  type Mutation,
  mutated,
  pages,
  queries,
  type Real,
  remembering,
  rows,
  without,
} from '../_mutation.js';
import { rightServers } from '../checks/_right-servers.js';

type Options = Readonly<{
  left: string;
  session: string;
  token: string | null;
  values: boolean;
}>;

/** Compares a server, on the left, with a mutated one, whose session and token are used. */
const compareWith = (
  real: Real,
  mutation: Mutation,
  {
    left = 'acme',
    session = `${left}-session`,
    token = `${left}-token`,
    values = false,
  }: Partial<Options> = {},
): Promise<DiffReport> =>
  diff(
    {
      url: 'http://server.test',
      send: mutated(real, unchanged),
      session: `${left}-session`,
      token: `${left}-token`,
    },
    { url: 'http://server.test', send: mutated(real, mutation), session, token },
    {
      throttleOptions: { gap: 0, maxRequests: 500, clock: () => at(now), sleep: async () => {} },
      cookieName: 'session',
      values,
      onProgress: () => {},
    },
  );

/** The same with a correct server of its own. */
const compare = async (
  t: ExecutionContext,
  mutation: Mutation,
  options: Partial<Options> = {},
): Promise<DiffReport> => {
  const { url } = await serve(t, shipped);
  return compareWith(remembering(sendTo(url)), mutation, options);
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

/** A body or row with every timestamp so many milliseconds later. */
const later = (body: unknown, milliseconds: number): unknown =>
  JSON.parse(
    JSON.stringify(body).replaceAll(
      /"(\d{4}-[\d-]+T[\d:.]+Z)"/g,
      (_, time) => `"${new Date(Date.parse(time) + milliseconds).toISOString()}"`,
    ),
  );

test('dates that all differ by one offset are one difference, which says --now, and hide no other', async (t) => {
  const hour = 60 * 60 * 1000;
  const shifted = bodies('all', (body) => later(body, hour));
  const report = await compare(t, shifted, { values: true });
  t.deepEqual(
    report.differences.map(({ kind, where }) => `${kind} ${where}`),
    ['value every timestamp, by 3600 s: pass both servers the same --now'],
  );
  const wrong = rows('prs', (row) => ({ ...row, package: 'another' }));
  const both: Mutation = (incoming, real) =>
    shifted(incoming, (request) => wrong({ ...incoming, request }, real));
  const { differences } = await compare(t, both, { values: true });
  t.deepEqual(
    differences.map(({ where }) => where.replace(/,.*/, '')),
    ['every timestamp', '/items/*/package'],
  );
});

test('if one date does not differ by the offset of the others, all are told', async (t) => {
  const shifted = bodies('findings', (body) => later(body, 1000));
  const { differences } = await compare(t, shifted, { values: true });
  t.true(differences.some(({ where }) => where === '/items/*/discoveredAt'));
  t.false(differences.some(({ where }) => where.startsWith('every timestamp')));
});

const deep = `{"items":${'['.repeat(501)}${']'.repeat(501)}}`;

/** Servers with one mistake: what it is, how they answer, and the one line that reports it. */
const table: readonly (readonly [
  name: string,
  mutation: Mutation,
  difference: string,
  options?: Partial<Options>,
])[] = [
  ['a different status', failures('all', 401, { status: 403 }), 'status : 401 / 403'],
  [
    'a different error message',
    failures('finding', 404, { text: '{"error":"Not found"}' }),
    'value /error: "finding not found" / "Not found"',
  ],
  [
    'JSON that is labelled as a web page',
    answers('repos', (response) => ({
      ...response,
      headers: { ...response.headers, 'content-type': 'text/html' },
    })),
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
    rows('finding', (row) => ({ ...row, prCount: String(row.prCount) })),
    'shape /prCount: number / string',
    { values: true },
  ],
  [
    'a body that is not JSON',
    answers('repos', (response) => (response.status === 200 ? { ...response, text: '<p>' } : response)),
    'shape : JSON / not JSON',
  ],
  [
    'a body that is nested too deeply',
    answers('repos', (response) => (response.status === 200 ? { ...response, text: deep } : response)),
    'shape : JSON / nested more than 500 levels deep',
  ],
  [
    'a page that is not named in its envelope',
    pages('prs', (page) => ({ ...page, page: 1 })),
    'value /page: 2 / 1',
  ],
  [
    'a total of the page instead of the list',
    pages('prs', (page) => ({ ...page, totalItems: page.items.length, totalPages: 1 })),
    'value /totalItems: 34 / 25',
  ],
  [
    'a limit that is not cut',
    pages('findings', (page, { query }) => ({ ...page, limit: Number(query.get('limit') ?? 25) })),
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
];

for (const [name, mutation, difference, options] of table) {
  test(`diff reports in one line: ${name}`, async (t) => {
    const report = await compare(t, mutation, options);
    t.deepEqual(differencesOf(report), [difference]);
    t.false(isEqual(report));
    t.deepEqual([diffText(report)[0], diffText(report)[2]], ['Differences', '']);
  });
}

/** Servers whose stored values differ, so that their data does. */
const otherData = [
  'other words for badges',
  'scores in percent',
  'scores below zero',
  'prState as the filter names it',
];

/** One whose order depends on the size of pages: `diff` cannot tell it from one with other rows. */
const otherOrder = 'findings: pages of an odd size are in another order';

test('servers that keep the contract and choose otherwise where it is silent differ in decisions alone', async (t) => {
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  for (const [name, mutation] of rightServers.filter(([each]) => each !== otherOrder)) {
    const options = { left: 'boundary', values: !otherData.includes(name) };
    const report = await compareWith(real, mutation, options);
    t.deepEqual(report.differences, [], name);
  }
});

test('whether a 401 has a challenge is a decision', async (t) => {
  const silent = failures('all', 401, { headers: { 'content-type': 'application/json' } });
  const report = await compare(t, silent);
  t.true(isEqual(report));
  t.deepEqual(
    report.decisions.map(({ where, left, right }) => [where, left, right]),
    [['the WWW-Authenticate header of a 401', 'present', 'absent']],
  );
});

/** Another scan in place of the last one of the first `count` repositories, which began at the same time. */
const tiedScans = (count: number): Mutation =>
  rows('repos', (row, index) => {
    const { lastScan } = row;
    return index < count && isRow(lastScan)
      ? { ...row, lastScan: { ...lastScan, id: `other_${index}`, findingsSeen: 99 } }
      : row;
  });

test('which of two scans that began together is the last one is a decision of a server', async (t) => {
  const tied = await compare(t, tiedScans(1), { values: true });
  t.deepEqual(differencesOf(tied), []);
  t.true(tied.decisions.some(({ where }) => where === 'the value of lastScan'));
  const renamed = await compare(t, tiedScans(1000), { values: true });
  t.true(differencesOf(renamed).some((line) => line.startsWith('value /*/lastScan/id: ')));
});

test('a decision is named, with its count, and changes no verdict', async (t) => {
  const refusing = answers('findings', (answer, { query }) =>
    Number(query.get('limit')) > 100 ? { ...answer, status: 400, text: '{"error":"at most 100"}' } : answer,
  );
  const report = await compare(t, refusing, { values: true });
  t.true(isEqual(report));
  t.deepEqual(
    report.decisions.map(({ where, count, left, right }) => [where, count, left, right]),
    [['a limit above 100', 1, '200', '400']],
  );
});

test('a status of 500 where the contract is silent is a difference, and no decision', async (t) => {
  const report = await compare(
    t,
    answers('findings', (answer, { query }) =>
      Number(query.get('limit')) > 100 ? { ...answer, status: 500, text: '{"error":"?"}' } : answer,
    ),
  );
  t.deepEqual(differencesOf(report), ['status : 200 / 500']);
});

test('findings in another order differ in no rows, and their order is a decision', async (t) => {
  const report = await compare(
    t,
    findingsBy((all) => all.toReversed()),
    { left: 'large', values: true },
  );
  t.deepEqual(differencesOf(report), []);
  t.deepEqual(
    report.decisions.map(({ where }) => where).filter((where) => where.startsWith('the order')),
    ['the order of findings'],
  );
});

for (const [what, right] of [
  ['a web page', answers('all', (answer) => ({ ...answer, status: 200, text: '<!doctype html>' }))],
  ['truncated JSON', answers('all', (answer) => ({ ...answer, text: answer.text.slice(0, -1) }))],
  ['failures', answers('all', (answer) => ({ ...answer, status: 500 }))],
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
    `  value /items/*/ciStatus: ${difference?.count} values, such as ${difference?.left} on the left and "other 0" on the right in /items/0/ciStatus of GET /api/v1/findings?limit=100 (cookie: session)`,
  );
});

test('wordings of different statuses are different mistakes, and that of a 400 is a decision', async (t) => {
  const report = await compare(t, async (incoming, real) => {
    const answer = await real(incoming.request);
    return answer.status >= 400 ? { ...answer, text: '{"error":"no"}' } : answer;
  });
  t.deepEqual(differencesOf(report), [
    'value /error: "finding not found" / "no"',
    'value /error: "Unauthorized" / "no"',
  ]);
  t.true(report.decisions.some(({ left }) => left.includes('page: expected a whole number')));
});
