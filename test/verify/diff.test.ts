import test, { type ExecutionContext } from 'ava';
import { compareHeaders } from '../../src/diff/compare-headers.js';
import { compareShapes } from '../../src/diff/compare-shapes.js';
import { compareValues } from '../../src/diff/compare-values.js';
import { diff } from '../../src/diff/diff.js';
import { type DiffReport, isEqual } from '../../src/diff/diff-report.js';
import { diffText } from '../../src/diff/diff-text.js';
import { shapeOf } from '../../src/diff/shape-of.js';
import { at, now } from '../_data.js';
import { serve } from '../_server.js';
import { sendTo, shipped } from './_judge.js';
import { answers, failures, type Mutation, mutated, pages, remembering, rows, without } from './_mutation.js';

type Over = Readonly<{ session: string; token: string | null; values: boolean }>;

/** Compares the right server, on the left, with a wrong one. */
const compare = async (
  t: ExecutionContext,
  mutation: Mutation,
  over: Partial<Over> = {},
): Promise<DiffReport> => {
  const { url } = await serve(t, shipped);
  const real = remembering(sendTo(url));
  const subject = { url: 'http://server.test', session: 'acme-session', token: 'acme-token' };
  return diff(
    { ...subject, send: mutated(real, (asked) => real(asked.request)) },
    {
      ...subject,
      send: mutated(real, mutation),
      session: over.session ?? subject.session,
      token: over.token === undefined ? subject.token : over.token,
    },
    {
      pace: { gap: 0, maxRequests: 500, clock: () => at(now), sleep: async () => {} },
      cookieName: 'session',
      values: over.values ?? false,
      tell: () => {},
    },
  );
};

const same: Mutation = (asked, real) => real(asked.request);

const inShort = ({ differences }: DiffReport): readonly string[] =>
  differences.map(({ kind, where, left, right }) => `${kind} ${where}: ${left} / ${right}`);

test('a server is the same as itself, also for another tenant, and without a token', async (t) => {
  t.true(isEqual(await compare(t, same, { values: true })));
  for (const over of [
    { session: 'large-session', token: 'large-token' },
    { token: null },
    { session: 'empty-session' },
  ]) {
    const report = await compare(t, same, over);
    t.deepEqual(inShort(report), []);
    t.true(report.compared > 50);
  }
});

const table: readonly (readonly [name: string, mutation: Mutation, ...told: string[]])[] = [
  ['a status', failures('all', 401, { status: 403 }), 'status : 401 / 403'],
  [
    'the words of an error',
    failures('finding', 404, { text: '{"error":"Not found"}' }),
    'value /error: "finding not found" / "Not found"',
  ],
  [
    'a header that is not there',
    answers('repos', (answer) => ({
      ...answer,
      headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== 'etag')),
    })),
    'header etag: there / none',
  ],
  [
    'a field that is not there',
    rows('prs', (row) => without(row, 'branch')),
    'shape /items/*/branch: always there, string / never there',
  ],
  [
    'a field that is there sometimes',
    rows('findings', (row) => (row.reconciledAt === null ? without(row, 'reconciledAt') : row)),
    'shape /items/*/reconciledAt: always there, null or string / sometimes there, string',
  ],
  [
    'a further field',
    pages('findings', (page) => ({ ...page, next: null })),
    'shape /next: never there / always there, null',
  ],
  [
    'a number as text',
    rows('finding', (row) => ({ ...row, prCount: String(row.prCount) })),
    'shape /prCount: number / string',
  ],
  [
    'no JSON',
    answers('repos', (answer) => (answer.status === 200 ? { ...answer, text: '<p>' } : answer)),
    'shape : JSON / no JSON',
  ],
];

for (const [name, mutation, ...told] of table) {
  test(`it tells ${name}`, async (t) => {
    const report = await compare(t, mutation);
    for (const each of told) t.true(inShort(report).includes(each), inShort(report).join('\n'));
    t.false(isEqual(report));
    t.is(diffText(report)[0], 'Different');
  });
}

test('values are compared where they are asked for', async (t) => {
  const renamed = rows('repos', (row) => ({ ...row, status: 'other', lastScanRelative: 'lately' }));
  t.deepEqual(inShort(await compare(t, renamed)), []);
  const report = await compare(t, renamed, { values: true });
  t.true(inShort(report).some((line) => /^value \/0\/status: ".*" \/ "other"$/.test(line)));
  t.false(JSON.stringify(report).includes('lately'));
});

test('secrets are in no report', async (t) => {
  const echo = failures('all', 401, { text: '{"error":"not acme-session, not acme-token"}' });
  const report = await compare(t, echo);
  t.true(inShort(report).includes('value /error: "Unauthorized" / "not [secret], not [secret]"'));
});

test('headers: presence of all, values of the telling; nothing of the connection', (t) => {
  const answer = (headers: Readonly<Record<string, string>>) => ({ status: 200, headers, text: '' });
  const left = answer({
    date: 'x',
    etag: '"1"',
    allow: 'GET, HEAD',
    'content-type': 'application/json; charset=utf-8',
  });
  const right = answer({
    server: 'y',
    etag: '"2"',
    allow: 'HEAD,GET',
    'content-type': 'application/json',
    link: 'z',
  });
  t.deepEqual(compareHeaders(left, right), [
    { where: 'content-type', left: 'application/json; charset=utf-8', right: 'application/json' },
    { where: 'link', left: 'none', right: 'there' },
  ]);
});

test('shapes: what may be due to the data is a note', (t) => {
  const told = (left: unknown, right: unknown) =>
    compareShapes(shapeOf(left), shapeOf(right)).map(({ kind, where }) => `${kind} ${where}`);
  t.deepEqual(told([{ a: 1 }], []), ['note /*']);
  t.deepEqual(told({ a: null }, { a: 'x' }), ['note /a']);
  t.deepEqual(told({ a: null }, { a: { b: 1 } }), ['note /a']);
  t.deepEqual(told({ a: 1 }, { a: 'x' }), ['shape /a']);
  t.deepEqual(told([{ a: 1 }, {}], [{ a: 1 }, { a: 1 }]), ['shape /*/a']);
  t.deepEqual(told([], {}), ['shape ']);
  t.deepEqual(told([1, 'x'], [1]), ['shape /*']);
});

test('values: the first places that differ', (t) => {
  t.deepEqual(compareValues([{ a: 1 }], [{ a: 2 }]), [{ where: '/0/a', left: '1', right: '2' }]);
  t.deepEqual(compareValues([1], [1, 2]), [{ where: '', left: '1 items', right: '2 items' }]);
  t.is(compareValues(Array(20).fill(1), Array(20).fill(2)).length, 5);
});
