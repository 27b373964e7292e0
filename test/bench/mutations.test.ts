import test from 'ava';
import { describeMutation } from '../../bench/mutation/describe-mutation.js';
import { apply, mutationsOf } from '../../bench/mutation/mutations.js';

/** What the mutations of a text make of it. */
const mutants = (text: string): readonly string[] =>
  mutationsOf(text).map((mutation) => apply(text, mutation));

test('a comparison is moved by one and reversed', (t) => {
  const found = mutants('const f = (a, b) => a < b;');
  t.true(found.includes('const f = (a, b) => a <= b;'));
  t.true(found.includes('const f = (a, b) => a >= b;'));
});

test('each side of a condition is dropped', (t) => {
  const found = mutants('if (a && b) c();');
  t.true(found.includes('if (a) c();'));
  t.true(found.includes('if (b) c();'));
});

test('neighboring arguments are swapped', (t) => {
  const found = mutants('f(a, b, c);');
  t.true(found.includes('f(b, a, c);'));
  t.true(found.includes('f(a, c, b);'));
});

test('a property is taken for another one', (t) => {
  t.true(mutants('const id = row.draftId;').includes('const id = row.id;'));
});

test('every mutation changes the text, and none occurs twice', (t) => {
  const found = mutants('const f = (a) => (a.length === 0 ? [1, 2] : a.filter((b) => b > 0).slice(1));');
  t.true(found.length > 10);
  t.is(new Set(found).size, found.length);
});

test('a mutation is described on one line', (t) => {
  const mutation = { start: 0, end: 3, original: 'a\n  b', mutated: '' };
  t.is(describeMutation(mutation), 'a b → (removed)');
});
