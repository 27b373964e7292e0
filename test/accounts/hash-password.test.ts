import test from 'ava';
import { hashPassword, isPassword, scryptCost } from '../../src/accounts/hash-password.js';
import { PasswordHash } from '../../src/records/password-hash.js';
import { hashCheaply } from '../_storage.js';

test('a hash verifies its own password and no other', async (t) => {
  const hash = await hashCheaply('correct horse');
  t.true(PasswordHash.is(hash));
  t.true(await isPassword('correct horse', hash));
  for (const other of ['correct hors', 'Correct horse', 'correct horse ', '']) {
    t.false(await isPassword(other, hash), other);
  }
});

test('two hashes of one password differ by their salt', async (t) => {
  const [first, second] = [await hashCheaply('x'), await hashCheaply('x')];
  t.not(first, second);
  t.true((await isPassword('x', first)) && (await isPassword('x', second)));
});

test('passwords that look the same are the same (NFKC)', async (t) => {
  t.true(await isPassword('ｐａｓｓ é', await hashCheaply('pass e\u0301')));
});

test('the cost is written into the hash and read from it', async (t) => {
  const hash = await hashPassword('x', { N: 4, r: 2, p: 3 });
  t.regex(hash, /^scrypt\$4\$2\$3\$[\w-]{22}\$[\w-]{43}$/, 'a salt of 16 bytes and a hash of 32');
  t.true(await isPassword('x', hash));
  t.deepEqual(scryptCost, { N: 16384, r: 8, p: 5 });
});

test('without a hash, no password is right', async (t) => {
  t.false(await isPassword('', null));
});
