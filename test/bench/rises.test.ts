import test from 'ava';
import { risesSince, riseWarning } from '../../bench/rises.js';

test('a rise of more than 10 % is found, whatever else has changed', (t) => {
  const before = { slower: 1, little: 1, faster: 2, gone: 1 };
  const now = { slower: 1.11, little: 1.1, faster: 1, added: 9 };
  t.deepEqual(risesSince(before, now), [{ measure: 'slower', before: 1, now: 1.11 }]);
});

test('the warning names the measure and the figures; without a rise there is none', (t) => {
  const lines = riseWarning([{ measure: 'findings', before: 1.2, now: 1.5 }]);
  t.true(lines.includes('!! findings: × 1.20 when recorded, × 1.50 now (+25 %)'));
  t.deepEqual(riseWarning([]), []);
});
