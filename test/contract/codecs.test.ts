import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import {
  BoundedList,
  described,
  describedAs,
  listOf,
  nullable,
  optional,
  optionalList,
} from '../../src/contract/codecs/combinators.js';
import { problemsOf } from '../../src/contract/codecs/problem.js';
import { StrictObject } from '../../src/contract/codecs/strict-object.js';
import {
  branded,
  Count,
  Email,
  FiniteNumber,
  Identifier,
  Integer,
  integerFrom,
  SecretString,
  Text,
} from '../../src/contract/codecs/text-and-numbers.js';
import { QueryInteger } from '../../src/contract/page-and-limit.js';
import { assertDecodes, assertRejects } from '../_codecs.js';

test('an integer is one that JSON represents exactly', (t) => {
  for (const n of [0, -1, 2 ** 53 - 1, -(2 ** 53 - 1)]) assertDecodes(t, Integer, n);
  for (const [n, got] of [
    [0.5, '0.5'],
    [2 ** 53, '9007199254740992'],
    ['1', '"1"'],
  ] as const) {
    assertRejects(t, Integer, n, `expected integer, got ${got}`);
  }
});

test('an integer with bounds is one from the least to the greatest', (t) => {
  for (const n of [0, 1, 2 ** 53 - 1]) assertDecodes(t, Count, n);
  for (const n of [-1, 0.5]) assertRejects(t, Count, n, `expected integer from 0, got ${n}`);
  const codec = integerFrom(1, 100);
  for (const n of [1, 100]) assertDecodes(t, codec, n);
  for (const n of [0, 101]) assertRejects(t, codec, n, `expected integer from 1 to 100, got ${n}`);
});

test('a bounded list has at most so many items, each of its kind', (t) => {
  const codec = new BoundedList(Count, 2);
  for (const list of [[], [1], [1, 2]]) assertDecodes(t, codec, list);
  assertRejects(t, codec, [1, 2, 3], 'expected array of at most 2 items, got an array of 3');
  assertRejects(t, codec, [1, -2], '/1: expected integer from 0, got -2');
  assertRejects(t, codec, { length: 0 }, 'expected array of integer from 0, got an object');
});

test('a finite number is one that JSON can represent', (t) => {
  for (const n of [0, -0.5, 1e-7, 1e300, 2 ** 60]) assertDecodes(t, FiniteNumber, n);
  for (const n of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assertRejects(t, FiniteNumber, n, `expected finite number, got ${n}`);
  }
});

test('text is what every storage can return unchanged', (t) => {
  for (const text of ['', 'a', '株式会社', '👩‍👩‍👧‍👦', '\n\t\u2028']) assertDecodes(t, Text, text);
  assertRejects(t, Text, 'a\0b', 'expected text without U+0000 and unpaired surrogates, got "a\\u0000b"');
  assertRejects(t, Text, '\ud83d', 'expected text without U+0000 and unpaired surrogates, got "\\ud83d"');
  assertRejects(t, Identifier, '', 'expected identifier of 1 to 200 characters, got ""');
  assertDecodes(t, Identifier, 'x'.repeat(200));
  assertDecodes(t, Identifier, '😀'.repeat(200));
  for (const long of ['x'.repeat(201), '😀'.repeat(201)]) t.false(Identifier.is(long));
  t.true(Email.is(`${'x'.repeat(249)}@y.zz`));
  t.false(Email.is(`${'x'.repeat(250)}@y.zz`));
  assertRejects(t, Identifier, 7, 'expected identifier, got 7');
});

test('an e-mail address has one at sign, text on both sides and no white space', (t) => {
  for (const text of ['a@b', 'a.b+c@d.test', 'é@株.test']) assertDecodes(t, Email, text);
  for (const text of ['a', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b c', 'a@b ', ' a@b', '']) {
    assertRejects(t, Email, text, `expected e-mail address of at most 254 characters, got "${text}"`);
  }
  assertRejects(t, Email, 7, 'expected e-mail address, got 7');
});

test('nullable accepts null, and keeps the path of a problem inside a value', (t) => {
  const codec = io.strict({ a: nullable(io.strict({ b: io.number }, 'B')) }, 'A');
  assertDecodes(t, codec, { a: null });
  assertDecodes(t, codec, { a: { b: 1 } });
  assertRejects(t, codec, { a: { b: 'x' } }, '/a/b: expected number, got "x"');
  assertRejects(t, codec, {}, '/a: expected B or null, got nothing');
});

test('optional and optionalList accept a missing value, but not null', (t) => {
  assertDecodes(t, optional(io.string), undefined);
  assertRejects(t, optional(io.string), null, 'expected string, got null');
  t.is(optional(new QueryInteger('count', 1, 9)).encode(undefined), undefined);
  assertDecodes(t, optionalList(io.string), undefined, [], []);
  assertRejects(t, optionalList(io.string), null, 'expected array of string, got null');
  assertRejects(t, listOf(io.string), undefined, 'expected array of string, got nothing');
});

test('a strict object reports unknown keys together with all other problems', (t) => {
  const codec = new StrictObject({ id: io.string, size: io.number }, 'thing');
  assertDecodes(t, codec, { id: 'a', size: 1 });
  assertRejects(
    t,
    codec,
    { id: 1, sise: 1, toString: 2 },
    '/id: expected string, got 1',
    '/size: expected number, got nothing',
    '/sise: unknown key; did you mean "size"?',
    '/toString: unknown key; known keys are id, size',
  );
  assertRejects(t, codec, [], 'expected thing, got an array of 0');
  assertRejects(
    t,
    codec,
    JSON.parse('{"id":"a","size":1,"__proto__":1}'),
    '/__proto__: unknown key; known keys are id, size',
  );
});

test('a problem never shows the value of a secret or of a misspelt key', (t) => {
  const codec = new StrictObject({ password: new SecretString('password', { minLength: 9 }) }, 'user');
  assertRejects(t, codec, { password: 'hunter2' }, '/password: expected password, got other text');
  for (const value of [12345678, true])
    assertRejects(t, codec, { password: value }, '/password: expected password, got another value');
  assertRejects(t, codec, { password: ['hunter2'] }, '/password: expected password, got an array of 1');
  assertRejects(t, codec, { password: null }, '/password: expected password, got null');
  assertRejects(
    t,
    codec,
    { passwrod: 'hunter2hunter2' },
    '/password: expected password, got nothing',
    '/passwrod: unknown key; did you mean "password"?',
  );
});

test('a problem does not show the value that stands where an object with a secret is expected', (t) => {
  const user = new StrictObject({ password: new SecretString('password', {}) }, 'user');
  const codec = new StrictObject({ users: optionalList(user), owner: optional(nullable(user)) }, 'team');
  assertRejects(
    t,
    codec,
    { users: ['hunter2', 12345678], owner: 'hunter2' },
    '/users/0: expected user, got other text',
    '/users/1: expected user, got another value',
    '/owner: expected user or null, got other text',
  );
  assertRejects(t, codec, { users: 'hunter2' }, '/users: expected array of user, got other text');
});

test('a described codec behaves like the codec, and a described secret is not shown', (t) => {
  const codec = described(nullable(io.number), 'How many.', 'Null: nobody knows.');
  t.is(codec.name, 'number or null');
  t.deepEqual([codec.description, codec.decision], ['How many.', 'Null: nobody knows.']);
  t.is(described(io.number, 'How many.').decision, null);
  assertDecodes(t, codec, null);
  assertRejects(t, codec, 'x', 'expected number or null, got "x"');
  const user = new StrictObject(
    { password: described(new SecretString('password', { minLength: 9 }), 'A password.') },
    'user',
  );
  assertRejects(t, user, { password: 'hunter2' }, '/password: expected password, got other text');
});

test('a value of the wrong type has an expected type, and an unknown key has none', (t) => {
  const decoded = new StrictObject({ id: io.string }, 'thing').decode({ id: 1, other: 1 });
  t.deepEqual(E.isLeft(decoded) && problemsOf(decoded.left), [
    { path: ['id'], message: 'expected string, got 1', expected: 'string' },
    { path: ['other'], message: 'unknown key; known keys are id', expected: null },
  ]);
});

test('a problem truncates long text and escapes its pointer', (t) => {
  assertRejects(t, io.number, 'x'.repeat(60), `expected number, got "${'x'.repeat(60)}"`);
  assertRejects(t, io.number, 'x'.repeat(61), `expected number, got "${'x'.repeat(60)}"…`);
  assertRejects(
    t,
    io.strict({ 'a/b~c': io.number }, 'X'),
    { 'a/b~c': '' },
    '/a~1b~0c: expected number, got ""',
  );
});

test('a codec can take the description of another, with more sentences', (t) => {
  const count = described(io.number, 'How many.', 'Null: nobody knows.');
  const same = describedAs(count, Integer);
  t.deepEqual([same.name, same.description, same.decision], ['integer', 'How many.', null]);
  t.is(describedAs(count, Integer, 'At least one.').description, 'How many. At least one.');
});

test('a branded string satisfies its shape; lengths count code points', (t) => {
  const Code = branded('code', { pattern: /^[^ ]+$/, minLength: 2, maxLength: 3 });
  for (const text of ['ab', 'abc', '😀😀', '😀😀😀']) assertDecodes(t, Code, text);
  for (const text of ['a', '😀', 'abcd', '😀😀😀😀', 'a b', '']) {
    assertRejects(t, Code, text, `expected code, got "${text}"`);
  }
  assertRejects(t, Code, 77, 'expected code, got 77');
});
