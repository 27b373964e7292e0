import test from 'ava';
import { compareShapes } from '../../../src/contract-tools/diff/compare-bodies.js';

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
