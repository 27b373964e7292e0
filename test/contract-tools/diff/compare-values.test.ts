import test from 'ava';
import { compareValues } from '../../../src/contract-tools/diff/compare-bodies.js';

test('values at the same place of several rows are counted, with the first as an example', (t) => {
  t.deepEqual(compareValues([{ a: 1 }, { a: 1 }, { a: 1 }], [{ a: 2 }, { a: 1 }, { a: 3 }]), [
    { where: '/*/a', count: 2, at: '/0/a', left: '1', right: '2' },
  ]);
});

test('of arrays without ids and of different length only the lengths are reported', (t) => {
  t.deepEqual(compareValues([1], [1, 2]), [
    { where: '', count: 1, at: '', left: '1 item', right: '2 items' },
  ]);
  const repeated = [{ id: 'a' }, { id: 'a' }];
  t.deepEqual(compareValues({ items: repeated }, { items: [{ id: 'a' }] }), [
    { where: '/items', count: 1, at: '/items', left: '2 items', right: '1 item' },
  ]);
});

test('a row that only one side has does not make the others differ', (t) => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `name of ${id}` }));
  t.deepEqual(compareValues(rows, rows.slice(1)), [
    { where: '/*', count: 1, at: '/0', left: '"a"', right: 'no such row' },
  ]);
  t.deepEqual(compareValues({ items: rows.slice(2) }, { items: rows }), [
    { where: '/items/*', count: 2, at: '/items/0', left: 'no such row', right: '"a"' },
  ]);
});

test('rows that only the left side has and rows that only the right side has are two differences', (t) => {
  const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  t.deepEqual(compareValues([a, b], [b, c]), [
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
  t.deepEqual(compareValues([a, b, c], [a, c, b]), [
    { where: '/*/id', count: 2, at: '/1/id', left: '"b"', right: '"c"' },
  ]);
});

test('relative times are not compared', (t) => {
  t.deepEqual(compareValues([{ id: 'a', lastScanRelative: 'x' }], [{ id: 'a', lastScanRelative: 'y' }]), []);
});

test('a hundred thousand rows that differ are one difference', (t) => {
  const rows = (n: number) => Array.from({ length: 100_000 }, (_, id) => ({ id: String(id), n }));
  t.deepEqual(compareValues(rows(1), rows(2)), [
    { where: '/*/n', count: 100_000, at: '/0/n', left: '1', right: '2' },
  ]);
});
