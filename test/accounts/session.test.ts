import test from 'ava';
import { hashSecret, newApiToken, newId } from '../../src/accounts/secrets.js';
import { newSession } from '../../src/accounts/session.js';
import { at, now } from '../_data.js';

test('a new session is valid for seven days and keeps only the hash of its value', (t) => {
  const { value, record } = newSession('kim', at(now), '192.0.2.1');
  t.regex(value, /^[\w-]{43}$/);
  t.regex(record.id, /^ses_[\w-]{12}$/);
  t.deepEqual<unknown, unknown>(record, {
    id: record.id,
    userId: 'kim',
    hash: hashSecret(value),
    createdAt: '2026-11-20T12:00:00.000Z',
    expiresAt: '2026-11-27T12:00:00.000Z',
    origin: hashSecret('192.0.2.1').slice(0, 16),
  });
  t.is(newSession('kim', at(now), null).record.origin, null);
});

test('session values, API tokens and ids do not repeat', (t) => {
  const values = Array.from({ length: 100 }, () => [
    newSession('kim', 0, null).value,
    newApiToken(),
    newId('x'),
  ]);
  t.is(new Set(values.flat()).size, 300);
});
