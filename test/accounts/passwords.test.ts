import test from 'ava';
import words from '../../assets/common-passwords.txt.text.js';
import { PasswordHash } from '../../src/accounts/account-records.js';
import { changePassword } from '../../src/accounts/own-account.js';
import { hashPassword, isPassword } from '../../src/accounts/passwords.js';
import { publicPasswordHash } from '../../src/accounts/portable-passwords.js';
import { hashCheaply } from '../_storage.js';
import { aVisitor, dependencies, outcome } from './_accounts.js';

test('a hash verifies its own password, in any form that looks the same (NFKC), and no other', async (t) => {
  const [hash, again] = [await hashCheaply('pass e\u0301'), await hashCheaply('pass e\u0301')];
  t.not(hash, again, 'hashes differ by their salt');
  for (const own of ['pass e\u0301', 'ｐａｓｓ é'])
    t.true((await isPassword(own, hash)) && (await isPassword(own, again)));
  for (const other of ['pass e', 'Pass é', 'pass é ', '']) t.false(await isPassword(other, hash), other);
});

test('the password of a fixture takes as long to compare as any other, and is not hashed before', async (t) => {
  const slow = await hashPassword('x');
  const times = new Map<string, number[]>();
  for (let i = 0; i < 3; i += 1)
    for (const [name, hash] of [
      ['slow', slow],
      ['fixture', publicPasswordHash('x')],
      ['nobody', null],
    ] as const) {
      const before = process.cpuUsage();
      t.is(await isPassword('x', hash), hash !== null);
      const { user, system } = process.cpuUsage(before);
      times.set(name, [...(times.get(name) ?? []), user + system]);
    }
  const [usual = 0, ...others] = Array.from(times.values(), (each) => Math.min(...each));
  for (const other of others) t.true(other > usual / 2 && other < usual * 2, `${other}, ${usual}`);
});

test('a password hash contains its cost, by which a password is compared', async (t) => {
  const hash = await hashPassword('x', { N: 4, r: 2, p: 3 });
  t.regex(hash, /^scrypt\$4\$2\$3\$[\w-]{22}\$[\w-]{43}$/, 'a salt of 16 bytes and a hash of 32');
  t.true(PasswordHash.is(hash) && (await isPassword('x', hash)));
  for (const other of ['secret', '', `b${hash}`, hash.slice(0, -1), `${hash}$`, hash.replace('4', 'x')])
    t.false(PasswordHash.is(other), other);
  t.regex(await hashPassword('x'), /^scrypt\$16384\$8\$5\$/);
});

const dana = { id: 'usr_dana', email: 'dana.whitfield@acme-tools.test', name: 'Dana Whitfield' };

/** Whether the new password is refused, before the current one is looked at. */
const isRefused = async (newPassword: string): Promise<boolean> => {
  const form = { currentPassword: '1', newPassword };
  return (await outcome(changePassword(dependencies())(dana, form, aVisitor()))) === 'InvalidForm';
};

test('the list of common passwords has 3,000 of at least 10 characters, normalized as they are looked up', (t) => {
  const passwords = words.trim().split(/\s+/);
  t.true(passwords.length >= 3000, `${passwords.length}`);
  t.deepEqual(
    passwords.filter((each) => Array.from(each).length < 10 || each.normalize('NFKC').toLowerCase() !== each),
    [],
  );
});

test('a new password is refused if it is short, common, or the name or address of its owner', async (t) => {
  for (const password of [
    ...'x83k9q2m5 Password123 1Q2W3E4R5T qwertyuiop 1234567890 ｂａｓｋｅｔｂａｌｌ contraseña'.split(' '),
    ...[' manchester ', 'DANA.WHITFIELD@ACME-TOOLS.TEST', 'dana.whitfield', 'Dana Whitfield'],
  ])
    t.true(await isRefused(password), password);
  for (const password of [
    'correct horse',
    'x83k9q2m5w',
    'Ωμέγα και άλφα',
    '長い長いパスワードです',
    '😀'.repeat(10),
  ])
    t.false(await isRefused(password), password);
});
