import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { newSession } from '../../src/accounts/sessions-and-tokens.js';
import { hashCredentials, hashSecret, SecretHash } from '../../src/api/credentials.js';
import { timestampAt } from '../../src/contract/codecs/timestamp.js';
import { tenantOf } from '../../src/fixtures/fixture-records.js';
import { aSession, aToken, at, aUser, dataset, now } from '../_data.js';

const moment = at(now);
const written = dataset({
  user: aUser('a'),
  sessions: [aSession('top-secret-cookie', { id: 's' })],
  apiTokens: [aToken('top-secret-token', { id: 't' })],
});

test('storage keeps the SHA-256 of a secret, never its clear text', async (t) => {
  t.is<string, string>(hashSecret('ä'), createHash('sha256').update(Buffer.from('ä')).digest('hex'));
  t.true(SecretHash.is(hashSecret('')));
  const credentials = hashCredentials(
    { sessionValue: 'top-secret-cookie', bearerToken: 'top-secret-token' },
    timestampAt(moment),
  );
  t.deepEqual(
    credentials,
    E.right({
      session: hashSecret('top-secret-cookie'),
      apiToken: hashSecret('top-secret-token'),
      at: timestampAt(moment),
    }),
  );
  const { sessions, apiTokens } = tenantOf(written, moment);
  t.deepEqual<string[], string[]>(
    [...sessions, ...apiTokens].map(({ hash }) => hash),
    [hashSecret('top-secret-cookie'), hashSecret('top-secret-token')],
  );
  // An API token keeps its first half at most, by which its owner tells it from others.
  t.notRegex(inspect([credentials, sessions, apiTokens], { depth: 9 }), /top-secret/);
});

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
