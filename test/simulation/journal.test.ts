import test from 'ava';
import fc from 'fast-check';
import { type JournalFilter, journal } from '../../src/simulation/journal.js';
import { note } from './_note.js';

test('a journal keeps the latest requests, in their order and with their numbers', (t) => {
  fc.assert(
    fc.property(fc.nat(5), fc.nat(20), (size, count) => {
      const kept = journal(size);
      for (let i = 1; i <= count; i += 1) kept.add(note({ requestId: `r${i}` }));
      const first = Math.max(1, count - size + 1);
      t.deepEqual(
        kept.entries({}).map(({ number, requestId }) => [number, requestId]),
        Array.from({ length: count - first + 1 }, (_, i) => [first + i, `r${first + i}`]),
      );
    }),
  );
});

test('an emptied journal counts from 1 again', (t) => {
  const kept = journal(2);
  for (let i = 0; i < 3; i += 1) kept.add(note());
  kept.clear();
  t.deepEqual(kept.entries({}), []);
  kept.add(note());
  t.deepEqual(
    kept.entries({}).map(({ number }) => number),
    [1],
  );
});

test('a filter for the route of a page finds the pages that a rule has named one by one', (t) => {
  const kept = journal(9);
  for (const operation of ['GET /explore/findings/:id', 'GET /explore/findings/fix_1', 'GET /explore'])
    kept.add(note({ operation }));
  t.deepEqual(
    kept.entries({ operation: 'GET /explore/findings/:id' }).map(({ number }) => number),
    [1, 2],
  );
});

test('requests are found by operation, tenant, status, number and time, and shown without secrets', (t) => {
  const kept = journal(9);
  const [target, at] = ['/api/v1/prs?token=secret', Date.parse('2026-11-20T13:00:00Z')];
  kept.add(note({ target, tenant: 'usr_1' }));
  kept.add(note({ target, operation: 'listFindings', status: 503, at }));
  const numbers = (filter: Partial<JournalFilter>) =>
    kept.entries(filter).map(({ number, url }) => [number, url]);
  const [first, second] = [
    [1, '/api/v1/prs?token=…'],
    [2, '/api/v1/prs?token=…'],
  ];
  t.deepEqual(numbers({}), [first, second]);
  t.deepEqual(numbers({ operation: 'listFindings' }), [second]);
  t.deepEqual(numbers({ tenant: 'usr_1' }), [first]);
  t.deepEqual(numbers({ status: '503' }), [second]);
  t.deepEqual(numbers({ since: '1' }), [second]);
  t.deepEqual(numbers({ since: '2026-11-20T13:00:00Z' }), [second]);
  t.deepEqual(numbers({ since: '2026-11-20T13:00:00.001Z' }), []);
});
