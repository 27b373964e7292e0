import test from 'ava';
import {
  compareHeaders,
  compareShapes,
  compareValues,
  reportedDifferences,
} from '../../../src/contract-tools/diff.js';

/** The values that differ, as they are reported. */
const valuesOf = (left: unknown, right: unknown) =>
  reportedDifferences(
    compareValues(left, right).map((each) => ({ ...each, request: 'GET /', status: 200 })),
  ).map(({ kind: _kind, requests: _requests, ...value }) => value);

test('values at the same place of several rows are counted, with the first as an example', (t) => {
  t.deepEqual(valuesOf([{ a: 1 }, { a: 1 }, { a: 1 }], [{ a: 2 }, { a: 1 }, { a: 3 }]), [
    { where: '/*/a', count: 2, at: '/0/a', left: '1', right: '2' },
  ]);
});

test('of arrays without ids and of different length only the lengths are reported', (t) => {
  t.deepEqual(valuesOf([1], [1, 2]), [{ where: '', count: 1, at: '', left: '1 item', right: '2 items' }]);
  const repeated = [{ id: 'a' }, { id: 'a' }];
  t.deepEqual(valuesOf({ items: repeated }, { items: [{ id: 'a' }] }), [
    { where: '/items', count: 1, at: '/items', left: '2 items', right: '1 item' },
  ]);
});

test('a row that only one side has does not make the others differ', (t) => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `name of ${id}` }));
  t.deepEqual(valuesOf(rows, rows.slice(1)), [
    { where: '/*', count: 1, at: '/0', left: '"a"', right: 'no such row' },
  ]);
  t.deepEqual(valuesOf({ items: rows.slice(2) }, { items: rows }), [
    { where: '/items/*', count: 2, at: '/items/0', left: 'no such row', right: '"a"' },
  ]);
});

test('rows that only the left side has and rows that only the right side has are two differences', (t) => {
  const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  t.deepEqual(valuesOf([a, b], [b, c]), [
    { where: '/*', count: 1, at: '/0', left: '"a"', right: 'no such row' },
    { where: '/*', count: 1, at: '/1', left: 'no such row', right: '"c"' },
  ]);
});

test('rows in another order are reported by their ids', (t) => {
  const [a, b, c] = [
    { id: 'a', n: 1 },
    { id: 'b', n: 2 },
    { id: 'c', n: 3 },
  ];
  t.deepEqual(valuesOf([a, b, c], [a, c, b]), [
    { where: '/*/id', count: 2, at: '/1/id', left: '"b"', right: '"c"' },
  ]);
});

test('relative times are not compared', (t) => {
  t.deepEqual(valuesOf([{ id: 'a', lastScanRelative: 'x' }], [{ id: 'a', lastScanRelative: 'y' }]), []);
});

test('a hundred thousand rows that differ are one difference', (t) => {
  const rows = (n: number) => Array.from({ length: 100_000 }, (_, id) => ({ id: String(id), n }));
  t.deepEqual(valuesOf(rows(1), rows(2)), [
    { where: '/*/n', count: 100_000, at: '/0/n', left: '1', right: '2' },
  ]);
});

const differences = (left: unknown, right: unknown): readonly string[] =>
  compareShapes(left, right).map(({ kind, where }) => `${kind} ${where}`);

test('an array that is empty on one side is a note', (t) => {
  t.deepEqual(differences([{ a: 1 }], []), ['note /*']);
});

test('null on one side, with any value on the other, is a note', (t) => {
  t.deepEqual(differences({ a: null }, { a: 'x' }), ['note /a']);
  t.deepEqual(differences({ a: null }, { a: { b: 1 } }), ['note /a']);
});

test('different types are a difference', (t) => {
  t.deepEqual(differences({ a: 1 }, { a: 'x' }), ['shape /a']);
  t.deepEqual(differences([], {}), ['shape ']);
  t.deepEqual(differences([1, 'x'], [1]), ['shape /*']);
});

test('a field that is sometimes present on one side and always on the other is a difference', (t) => {
  t.deepEqual(differences([{ a: 1 }, {}], [{ a: 1 }, { a: 1 }]), ['shape /*/a']);
});

const response = (headers: Readonly<Record<string, string>>) => ({ status: 200, headers, text: '' });
const compare = (
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
  allHeaders = false,
) => compareHeaders(response(left), response(right), allHeaders);

const ofTheDeployment = {
  date: 'Fri, 20 Nov 2026 12:00:00 GMT',
  server: 'nginx',
  via: '1.1 proxy',
  connection: 'close',
  'transfer-encoding': 'chunked',
  'strict-transport-security': 'max-age=1',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': '',
  'cross-origin-resource-policy': 'same-origin',
  'x-request-id': '1',
  'cf-ray': '1',
  'x-amz-cf-id': '1',
};

test('headers of security, the server, the date and the connection are compared only on request', (t) => {
  t.deepEqual(compare(ofTheDeployment, {}), []);
  const names = compare(ofTheDeployment, {}, true).map(({ where }) => where);
  t.deepEqual(names, Object.keys(ofTheDeployment).sort());
});

test('with all headers, values that stay the same are compared, and those of each response are not', (t) => {
  t.deepEqual(
    compare({ server: 'a', date: '1', 'cf-ray': '1' }, { server: 'b', date: '2', 'cf-ray': '2' }, true),
    [{ kind: 'header', where: 'server', at: 'server', left: 'a', right: 'b' }],
  );
});

test('a header of the API that only one response has is a difference', (t) => {
  for (const name of ['link', 'etag', 'x-triage-warning', 'retry-after', 'cache-control']) {
    const [difference, ...others] = compare({}, { [name]: 'z' });
    t.like(difference, { where: name, left: 'absent' });
    t.deepEqual(others, []);
  }
});

test('the values of Content-Type are compared, those of ETag are not', (t) => {
  const left = { etag: '"1"', 'content-type': 'application/json; charset=utf-8' };
  const right = { etag: '"2"', 'content-type': 'application/json' };
  t.deepEqual(compare(left, right), [
    {
      kind: 'header',
      where: 'content-type',
      at: 'content-type',
      left: 'application/json; charset=utf-8',
      right: 'application/json',
    },
  ]);
});

test('lists that differ in order and white space only are equal', (t) => {
  t.deepEqual(compare({ allow: 'GET, HEAD' }, { allow: 'HEAD,GET' }), []);
});
