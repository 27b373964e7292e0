import test from 'ava';
import { resultCache } from '../../../src/storage/postgres/reads.js';

const result = (value: string) => ({ version: 'v', value });

test('what was used least recently is dropped when there is no room', (t) => {
  const cache = resultCache<string>(10);
  cache.set('a', result('a'), 4);
  cache.set('b', result('b'), 4);
  t.is(cache.get('a')?.value, 'a');
  cache.set('c', result('c'), 4);
  t.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)?.value),
    ['a', undefined, 'c'],
  );
});

test('a newer result takes the place of the older one, and its size', (t) => {
  const cache = resultCache<string>(10);
  cache.set('a', result('old'), 8);
  cache.set('a', result('new'), 2);
  cache.set('b', result('b'), 8);
  t.is(cache.get('a')?.value, 'new');
  t.is(cache.get('b')?.value, 'b');
});

test('what is larger than all the room is not kept, and leaves the rest alone', (t) => {
  const cache = resultCache<string>(10);
  cache.set('a', result('a'), 4);
  cache.set('b', result('b'), 11);
  t.is(cache.get('b'), null);
  t.is(cache.get('a')?.value, 'a');
});
