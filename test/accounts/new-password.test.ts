import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { commonPasswords } from '../../src/accounts/common-passwords.js';
import { decodeChangePassword, decodeSignUp } from '../../src/accounts/forms.js';

const dana = { email: 'dana.whitfield@acme-tools.test', name: 'Dana Whitfield' };

const isRefused = async (newPassword: string): Promise<boolean> =>
  E.isLeft(await decodeChangePassword({ currentPassword: '1', newPassword }, dana)());

test('the list has 3,000 passwords that are long enough, in the form in which they are looked up', (t) => {
  const passwords = Array.from(commonPasswords);
  t.true(passwords.length >= 3000, `${passwords.length}`);
  t.deepEqual(
    passwords.filter((each) => Array.from(each).length < 10 || each.normalize('NFKC').toLowerCase() !== each),
    [],
  );
});

for (const password of [
  'x83k9q2m5',
  'Password123',
  '1Q2W3E4R5T',
  'qwertyuiop',
  '1234567890',
  'ｂａｓｋｅｔｂａｌｌ',
  'contraseña',
  ' manchester ',
  'DANA.WHITFIELD@ACME-TOOLS.TEST',
  'dana.whitfield',
  'Dana Whitfield',
]) {
  test(`refused for Dana Whitfield: ${password}`, async (t) => t.true(await isRefused(password)));
}

for (const password of [
  'correct horse',
  'x83k9q2m5w',
  'Ωμέγα και άλφα',
  '長い長いパスワードです',
  '😀'.repeat(10),
]) {
  test(`accepted for Dana Whitfield: ${password}`, async (t) => t.false(await isRefused(password)));
}

test('a sign-up names a guessable password beside the other invalid fields, and quotes none', async (t) => {
  const decoded = await decodeSignUp({ email: 'x', name: 'Dana Miller', password: 'dana miller' }, null)();
  if (E.isRight(decoded) || decoded.left._tag !== 'InvalidForm') return t.fail();
  t.deepEqual(
    decoded.left.problems.map(({ path }) => path.join('/')),
    ['email', 'password'],
  );
  t.false(JSON.stringify(decoded.left.problems).includes('dana miller'));
});
