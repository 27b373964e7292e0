import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { hashSecret } from '../../src/accounts/hash-secret.js';
import { resolveCaller } from '../../src/accounts/resolve-caller.js';
import { sameHash } from '../../src/accounts/same-hash.js';
import { SecretHash } from '../../src/records/secret-hash.js';
import type { CredentialRecords } from '../../src/storage/port.js';
import { aSession, aToken, at, aUser, dataset, now } from '../_data.js';
import { aStorage } from '../_storage.js';

const clock = () => at(now);
const storage = aStorage([
  dataset({
    user: aUser('a'),
    sessions: [aSession('top-secret-cookie', { id: 's' })],
    apiTokens: [aToken('top-secret-token', { id: 't' })],
  }),
]);

const records = async (): Promise<CredentialRecords> => {
  const found = await storage.credentials({
    session: hashSecret('top-secret-cookie'),
    apiToken: hashSecret('top-secret-token'),
  })();
  return E.isRight(found) ? found.right : { session: null, apiToken: null };
};

test('a secret is kept as the SHA-256 of its UTF-8, and not in clear text', async (t) => {
  t.is<string, string>(hashSecret('ä'), createHash('sha256').update(Buffer.from('ä')).digest('hex'));
  t.true(SecretHash.is(hashSecret('')));
  const kept = await records();
  t.is<string | undefined, string>(kept.session?.hash, hashSecret('top-secret-cookie'));
  t.is<string | undefined, string>(kept.apiToken?.hash, hashSecret('top-secret-token'));
  t.notRegex(inspect(kept, { depth: 9 }), /top-secret/);
});

test('hashes are the same only as a whole', (t) => {
  t.true(sameHash(hashSecret('a'), hashSecret('a')));
  t.false(sameHash(hashSecret('a'), hashSecret('b')));
});

test('a storage that finds the wrong record under a hash lets nobody in', async (t) => {
  const kept = await records();
  const resolve = resolveCaller({ storage: { ...storage, credentials: () => TE.right(kept) }, clock });
  t.deepEqual(
    await resolve({ sessionValue: 'guess', bearerToken: 'guess' })(),
    E.left({ _tag: 'Unauthorized' }),
  );
  t.deepEqual(
    await resolve({ sessionValue: 'top-secret-cookie', bearerToken: null })(),
    E.right({ userId: 'a' }),
  );
});

test('a token that is to be revoked later holds until then', async (t) => {
  const later = aStorage([
    dataset({ user: aUser('a'), apiTokens: [aToken('soon', { revokedAt: '2026-11-20T12:00:00.001Z' })] }),
  ]);
  const resolve = resolveCaller({ storage: later, clock });
  t.deepEqual(await resolve({ sessionValue: null, bearerToken: 'soon' })(), E.right({ userId: 'a' }));
});

test('without credentials the storage is not asked', async (t) => {
  const resolve = resolveCaller({
    storage: {
      ...storage,
      credentials: () => {
        throw new Error('asked');
      },
    },
    clock,
  });
  t.deepEqual(await resolve({ sessionValue: null, bearerToken: null })(), E.left({ _tag: 'Unauthorized' }));
});
