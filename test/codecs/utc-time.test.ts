import test from 'ava';
import { UtcTime } from '../../src/codecs/utc-time.js';
import { assertDecodes, assertRejects } from '../_codecs.js';

test('a moment in UTC decodes to a timestamp, with or without milliseconds', (t) => {
  assertDecodes(t, UtcTime, '2026-11-20T12:00:00.123Z');
  const timestamp = '2026-11-20T12:00:00.000Z';
  assertDecodes(t, UtcTime, '2026-11-20T12:00:00Z', timestamp, timestamp);
});

test('other notations and values are refused', (t) => {
  const expected = 'expected a moment in UTC such as 2026-11-20T12:00:00Z, got';
  for (const text of ['2026-11-20', '2026-11-20T12:00Z', '2026-02-31T12:00:00Z', '']) {
    assertRejects(t, UtcTime, text, `${expected} "${text}"`);
  }
  assertRejects(t, UtcTime, 7, `${expected} 7`);
});
