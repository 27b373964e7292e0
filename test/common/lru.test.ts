import test from 'ava';
import fc from 'fast-check';
import { keepWithin } from '../../src/common/lru.js';

test('a value is kept for its object, in each collection on its own', (t) => {
  const keep = keepWithin(100);
  const [names, sizes] = [keep<object, string>(), keep<object, number>()];
  const [a, b] = [{}, {}];
  names.set(a, 'a', 1);
  sizes.set(a, 1, 1);
  names.set(a, 'A', 1);
  t.deepEqual([names.get(a), sizes.get(a), names.get(b)], ['A', 1, undefined]);
});

test('what has not been used for long goes first', (t) => {
  const keep = keepWithin(20);
  const kept = keep<object, number>();
  const keys = Array.from({ length: 30 }, () => ({}));
  const [often = {}] = keys;
  for (const [i, key] of keys.entries()) {
    kept.set(key, i, 1);
    t.is(kept.get(often), 0, 'it is asked for all the time');
  }
  t.is(kept.get(keys[29] ?? {}), 29);
  t.is(kept.get(keys[1] ?? {}), undefined);
});

test('a value that is larger than the room is not kept, and neither is the one before', (t) => {
  const kept = keepWithin(10)<object, string>();
  const key = {};
  kept.set(key, 'small', 10);
  t.is(kept.get(key), 'small');
  kept.set(key, 'large', 11);
  t.is(kept.get(key), undefined);
});

test('the weights of all that is kept never exceed the room, whatever is kept and asked for', (t) => {
  const step = fc.record({ key: fc.nat(40), collection: fc.nat(1), weight: fc.nat(60), isSet: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const keep = keepWithin(100);
      const collections = [keep<object, number>(), keep<object, number>()];
      const keys = Array.from({ length: 41 }, () => ({}));
      const last = new Map<string, number>();
      for (const { key, collection, weight, isSet } of steps) {
        const object = keys[key] ?? {};
        const found = collections[collection]?.get(object);
        t.true(
          found === undefined || found === last.get(`${collection} ${key}`),
          'the last one that was set',
        );
        if (!isSet) continue;
        collections[collection]?.set(object, weight, weight);
        last.set(`${collection} ${key}`, weight);
      }
      const total = collections
        .flatMap((each) => keys.map((key) => each.get(key) ?? 0))
        .reduce((sum, weight) => sum + weight, 0);
      t.true(total <= 100, `${total}`);
    }),
  );
});
