import test from 'ava';
import fc from 'fast-check';
import { keepWithin } from '../../src/common/lru.js';

test('a value is kept under its key, in each collection on its own', (t) => {
  const { collection, weight } = keepWithin(100);
  const [names, sizes] = [collection<string>(), collection<number>()];
  names.set('', 'a', 'a', 1);
  sizes.set('', 'a', 1, 1);
  names.set('', 'a', 'A', 2);
  t.deepEqual([names.get('', 'a'), sizes.get('', 'a'), names.get('', 'b'), weight()], ['A', 1, undefined, 3]);
});

test('the least recently used value is dropped first', (t) => {
  const kept = keepWithin(20).collection<number>();
  for (let i = 0; i < 30; i += 1) {
    kept.set('', `${i}`, i, 1);
    t.is(kept.get('', '0'), 0, 'it is asked for all the time');
  }
  t.is(kept.get('', '29'), 29);
  t.is(kept.get('', '1'), undefined);
});

test('a value larger than the room is not kept, and replaces none', (t) => {
  const kept = keepWithin(10).collection<string>();
  kept.set('', 'a', 'small', 10);
  t.is(kept.get('', 'a'), 'small');
  kept.set('', 'a', 'large', 11);
  t.is(kept.get('', 'a'), undefined);
});

test('the weights of all that is kept never exceed the room, whatever is kept and asked for', (t) => {
  const step = fc.record({ key: fc.nat(40), collection: fc.nat(1), weight: fc.nat(60), isSet: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const room = keepWithin(100);
      const collections = [room.collection<number>(), room.collection<number>()];
      const last = new Map<string, number>();
      for (const { key, collection, weight, isSet } of steps) {
        const found = collections[collection]?.get(`${key % 3}`, `${key}`);
        t.true(
          found === undefined || found === last.get(`${collection} ${key}`),
          'the last one that was set',
        );
        if (!isSet) continue;
        collections[collection]?.set(`${key % 3}`, `${key}`, weight, weight);
        last.set(`${collection} ${key}`, weight);
      }
      const total = collections
        .flatMap((each) => Array.from({ length: 41 }, (_, key) => each.get(`${key % 3}`, `${key}`) ?? 0))
        .reduce((sum, weight) => sum + weight, 0);
      t.true(total <= 100 && total === room.weight(), `${total}`);
    }),
  );
});
