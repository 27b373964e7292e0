import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { commonPasswords } from '../../src/accounts/common-passwords.js';
import { decodeChangePassword, decodeSignUp } from '../../src/accounts/forms.js';
import { isGuessable } from '../../src/accounts/guessable-password.js';
import { personalWords } from '../../src/accounts/personal-words.js';

/** Those of 8 characters and more among the first 3,000 of published lists. */
const list = fileURLToPath(new URL('../../../test/accounts/most-common-passwords.txt', import.meta.url));

const dana = { email: 'dana.whitfield@acme-tools.test', name: 'Dana Whitfield' };

const isRefused = (password: string, owner = dana): boolean =>
  isGuessable(password, personalWords(owner), (text) => commonPasswords.has(text));

test('every common password of published lists is refused, also with a digit and a sign', async (t) => {
  const passwords = (await readFile(list, 'utf8')).trim().split('\n');
  t.true(passwords.length > 1000);
  for (const variation of [
    (password: string) => password,
    (password: string) => password.toUpperCase(),
    (password: string) => `${password}1!`,
  ])
    t.deepEqual(
      passwords.map(variation).filter((password) => !isRefused(password)),
      [],
    );
});

for (const password of [
  'dana.whitfield@acme-tools.test',
  'DANA.WHITFIELD@ACME-TOOLS.TEST',
  'Dana Whitfield',
  'danawhitfield',
  'WhitfieldDana!',
  'dana.whitfield1',
  '2024dana!',
  'D4n4Wh1tf13ld',
  'dana123456',
  'danadanadana',
  'acme-tools',
  'acme-tools.test',
  'AcmeTools2026',
  'Triage-API1!',
  'triage-api',
  'triageapi',
  'ＴＲＩＡＧＥ－ＡＰＩ',
  'triage_dana_1',
  'dana-password',
  '1sunshine!',
  '$un$h1ne!',
  'p@ssw0rd2026',
  'we1come12',
  'pass-word-1',
  'i love you',
  'xyzxyzxyzxyz',
  'sunshinesunshine',
  'qwertyuiop[]'.slice(0, 10),
  'poiuytrewq',
  'stuvwxyz',
  'ａｂｃｄ１２３４',
]) {
  test(`refused for Dana Whitfield: ${password}`, (t) => t.true(isRefused(password)));
}

for (const password of [
  'correct horse',
  'choose-a-long-one',
  'three random words',
  'danas-cat-eats-fish',
  'x83k9q2m',
  '83920174',
  'kettle orbit',
  'Mein Hund heißt Waldo',
  'sunshine48271930',
  'Ωμέγα και άλφα',
  '長い長いパスワード',
]) {
  test(`accepted for Dana Whitfield: ${password}`, (t) => t.false(isRefused(password)));
}

test('parts of one or two characters of a name or an address refuse nothing', (t) => {
  const jo = { email: 'jo@ab.co', name: 'Jo Li' };
  t.false(isRefused('jolly lions about', jo));
  t.true(isRefused('jo@ab.co', jo));
});

test('a sign-up names a guessable password beside the other invalid fields, and quotes none', async (t) => {
  const decoded = await decodeSignUp({ email: 'x', name: 'Dana', password: 'Dana-2026' }, null)();
  if (E.isRight(decoded) || decoded.left._tag !== 'InvalidForm') return t.fail();
  t.deepEqual(
    decoded.left.problems.map(({ path }) => path.join('/')),
    ['email', 'password'],
  );
  t.false(JSON.stringify(decoded.left.problems).includes('2026'));
});

test('the new password of a change must not be guessable; the current one may be anything', async (t) => {
  const change = (newPassword: string) => decodeChangePassword({ currentPassword: '1', newPassword }, dana)();
  t.true(E.isRight(await change('correct horse')));
  for (const refused of ['short', 'password1', 'Dana Whitfield 1']) t.true(E.isLeft(await change(refused)));
});

test('the longest password and the longest form are judged quickly', (t) => {
  const owner = { email: 'a1.'.repeat(5000), name: 'b2 '.repeat(5000) };
  for (let i = 0; i < 50; i += 1) t.false(isRefused(`${'ab'.repeat(98)}xyzw`, owner));
});
