import test from 'ava';
import { hashSecret } from '../../src/accounts/secrets.js';
import { SecretHash } from '../../src/records/secret-hash.js';

test('a secret hash is 64 hexadecimal digits in lower case, never the secret', (t) => {
  const hash = hashSecret('acme-token');
  t.true(SecretHash.is(hash));
  for (const other of ['acme-token', '', hash.slice(1), `${hash}0`, ` ${hash}`, hash.toUpperCase()]) {
    t.false(SecretHash.is(other), other);
  }
});
