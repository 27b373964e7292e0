import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { LogInForm } from '../../src/accounts/forms.js';
import { signUp } from '../../src/accounts/log-in-and-sign-up.js';
import { mintApiToken } from '../../src/accounts/own-account.js';
import { formatProblem } from '../../src/contract/codecs/problem.js';
import { assertDecodes, assertRejects } from '../_codecs.js';
import { aVisitor, dependencies, newcomer, outcome } from './_accounts.js';

const ann = { email: 'ann@new.test', name: 'Ann', password: 'correct horse' };
const email = '/email: expected an e-mail address such as name@example.com, got';
const name = '/name: expected a name of 1 to 100 characters, at least one of them visible, got';
const password =
  '/password: expected a password of 10 to 200 characters that is neither a common one nor your name or address, got other text';

/** What is wrong with the form of a sign-up. */
const problemsOf = async (form: unknown): Promise<readonly string[]> => {
  const refused = await signUp(dependencies())(form, aVisitor());
  return E.isLeft(refused) && refused.left._tag === 'InvalidForm'
    ? refused.left.problems.map(formatProblem)
    : [];
};

for (const accepted of [
  ann,
  { ...ann, email: 'ä.b+c@sub.new.test' },
  { ...ann, name: 'x'.repeat(100) },
  { ...ann, name: '🦊'.repeat(100) },
  { ...ann, password: 'x83k9q2m5w' },
  { ...ann, password: 'xyzw'.repeat(50) },
]) {
  test(`sign-up accepts ${JSON.stringify(accepted).slice(0, 80)}`, async (t) =>
    t.is(await outcome(signUp(dependencies())(accepted, aVisitor())), 'done'));
}

for (const [title, input, ...problems] of [
  ['what is no form', [], 'expected SignUpForm, got an array of 0'],
  ['an address without @', { ...ann, email: 'ann.new.test' }, `${email} "ann.new.test"`],
  ['an address that ends in a dot', { ...ann, email: 'a@new.' }, `${email} "a@new."`],
  ['a name of 101 characters', { ...ann, name: 'x'.repeat(101) }, `${name} "${'x'.repeat(60)}"…`],
  ['a name with a line break', { ...ann, name: 'a\nb' }, `${name} "a\\nb"`],
  ['a password of 9 characters', { ...ann, password: 'x83k9q2m5' }, password],
  ['a password of 201 characters', { ...ann, password: 'xyz'.repeat(67) }, password],
] as const) {
  test(`sign-up refuses ${title}`, async (t) => t.deepEqual(await problemsOf(input), problems));
}

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

/** What comes of a form for an API token; if it is minted, after how many days it ends. */
const minted = async (form: unknown) => {
  const given = dependencies();
  const { user } = await newcomer(given);
  const result = await mintApiToken(given)({ userId: user.id }, form, aVisitor());
  if (E.isLeft(result)) return result.left._tag;
  const { name, expiresAt } = result.right;
  return [name, expiresAt === null ? null : (Date.parse(expiresAt) - given.clock()) / 86_400_000];
};

test('a new API token lasts a whole number of days from 1 to 3650, or for good', async (t) => {
  for (const [expiresInDays, expected] of [
    ['', null],
    [30, 30],
    ['3650', 3650],
  ] as const)
    t.deepEqual<unknown, unknown>(await minted({ name: 'ci', expiresInDays }), ['ci', expected]);
  for (const days of [0, -1, 1.5, 3651, '1.5', '-1', ' 7', '1e1', true])
    t.deepEqual<unknown, unknown>(
      await minted({ name: 'ci', expiresInDays: days }),
      'InvalidForm',
      String(days),
    );
});
