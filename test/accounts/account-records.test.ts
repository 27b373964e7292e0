import test from 'ava';
import { PasswordHash } from '../../src/accounts/account-records.js';
import { hashSecret, SecretHash } from '../../src/api/credentials.js';

test('a secret hash is 64 hexadecimal digits in lower case, never the secret', (t) => {
  const hash = hashSecret('acme-token');
  t.true(SecretHash.is(hash));
  for (const other of ['acme-token', '', hash.slice(1), `${hash}0`, ` ${hash}`, hash.toUpperCase()]) {
    t.false(SecretHash.is(other), other);
  }
});

const [salt, hash] = ['s'.repeat(22), 'h'.repeat(43)];

test('a password hash names scrypt, its cost, a salt and a hash, never the password', (t) => {
  t.true(PasswordHash.is(`scrypt$16384$8$5$${salt}$${hash}`));
  for (const other of [
    'secret',
    '',
    `bcrypt$16384$8$5$${salt}$${hash}`,
    `xscrypt$16384$8$5$${salt}$${hash}`,
    `scrypt$16384$8$5$${salt.slice(1)}$${hash}`,
    `scrypt$16384$8$5$${salt}$${hash.slice(1)}`,
    `scrypt$16384$8$5$${salt}$${hash}$`,
    `scrypt$x$8$5$${salt}$${hash}`,
  ]) {
    t.false(PasswordHash.is(other), other);
  }
});
