import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { LogInForm } from '../../src/accounts/forms.js';
import { decodeSignUp, SignUpForm } from '../../src/accounts/log-in-and-sign-up.js';
import { MintForm } from '../../src/accounts/own-account.js';
import { assertDecodes, assertRejects } from '../_codecs.js';

const signUp = { email: 'ann@new.test', name: 'Ann', password: 'correct horse' };
const email = '/email: expected an e-mail address such as name@example.com, got';
const name = '/name: expected a name of 1 to 100 characters, at least one of them visible, got';
const password =
  '/password: expected a password of 10 to 200 characters that is neither a common one nor your name or address, got other text';

for (const accepted of [
  signUp,
  { ...signUp, email: 'ä.b+c@sub.new.test' },
  { ...signUp, name: 'x'.repeat(100) },
  { ...signUp, name: '🦊'.repeat(100) },
  { ...signUp, password: 'x83k9q2m5w' },
  { ...signUp, password: 'xyzw'.repeat(50) },
]) {
  test(`sign-up accepts ${JSON.stringify(accepted).slice(0, 80)}`, (t) =>
    assertDecodes(t, SignUpForm, accepted));
}

for (const [title, input, ...problems] of [
  ['an address without @', { ...signUp, email: 'ann.new.test' }, `${email} "ann.new.test"`],
  ['an address with two @', { ...signUp, email: 'a@b@new.test' }, `${email} "a@b@new.test"`],
  ['an address with a space', { ...signUp, email: 'a b@new.test' }, `${email} "a b@new.test"`],
  ['an address that ends in a dot', { ...signUp, email: 'a@new.' }, `${email} "a@new."`],
  ['an empty name', { ...signUp, name: '' }, `${name} ""`],
  ['a name with a line break', { ...signUp, name: 'a\nb' }, `${name} "a\\nb"`],
  ['a password of 9 characters', { ...signUp, password: 'x83k9q2m5' }, password],
  ['a password of 201 characters', { ...signUp, password: 'xyz'.repeat(67) }, password],
] as const) {
  test(`sign-up refuses ${title}`, (t) => assertRejects(t, SignUpForm, input, ...problems));
}

test('sign-up refuses a name of 101 characters', (t) => {
  t.false(SignUpForm.is({ ...signUp, name: 'x'.repeat(101) }));
});

test('a sign-up that is no form is refused by the name of the form', async (t) => {
  const decoded = await decodeSignUp([], null);
  if (E.isRight(decoded) || decoded.left._tag !== 'InvalidForm') return t.fail();
  t.deepEqual(
    decoded.left.problems.map(({ message }) => message),
    ['expected SignUpForm, got an array of 0'],
  );
});

test('login accepts any two strings', (t) => {
  assertDecodes(t, LogInForm, { email: '', password: 'x' });
  assertDecodes(t, LogInForm, { email: 'not an address', password: '1' });
});

test('login refuses other types without showing the password', (t) => {
  assertRejects(
    t,
    LogInForm,
    { email: 1, password: ['secret'] },
    '/email: expected an e-mail address, got 1',
    '/password: expected a password, got an array of 1',
  );
});

const noExpiry = { name: 'ci', expiresInDays: null };
for (const [title, input, expected] of [
  ['a name alone', { name: 'ci' }, noExpiry],
  ['an empty number of days', { name: 'ci', expiresInDays: '' }, noExpiry],
  ['days as a number', { name: 'ci', expiresInDays: 30 }, { name: 'ci', expiresInDays: 30 }],
  ['days as text', { name: 'ci', expiresInDays: '3650' }, { name: 'ci', expiresInDays: 3650 }],
] as const) {
  test(`a new API token accepts ${title}`, (t) => {
    const { _tag, ...decoded } = MintForm.decode(input);
    t.deepEqual(
      [_tag, 'right' in decoded && { ...decoded.right, expiresAt: undefined }],
      ['Right', { ...expected, expiresAt: undefined }],
    );
  });
}

test('a new API token refuses what is no whole number of days from 1 to 3650', (t) => {
  for (const days of [0, -1, 1.5, 3651, '1.5', '-1', ' 7', '1e1', true])
    t.is(MintForm.decode({ name: 'ci', expiresInDays: days })._tag, 'Left', String(days));
});
