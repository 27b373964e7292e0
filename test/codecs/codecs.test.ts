import test from 'ava';
import * as io from 'io-ts';
import { described, describedAs } from '../../src/codecs/described.js';
import { listOf, optionalList } from '../../src/codecs/list.js';
import { nullable } from '../../src/codecs/nullable.js';
import { FiniteNumber, Integer } from '../../src/codecs/numbers.js';
import { optional } from '../../src/codecs/optional.js';
import { SecretString } from '../../src/codecs/secret-string.js';
import { StrictObject } from '../../src/codecs/strict-object.js';
import { Email, Identifier, Text } from '../../src/codecs/text.js';
import { assertDecodes, assertRejects } from '../_codecs.js';

test('an integer is one that JSON represents exactly', (t) => {
  for (const n of [0, -1, 2 ** 53 - 1, -(2 ** 53 - 1)]) assertDecodes(t, Integer, n);
  for (const [n, got] of [
    [0.5, '0.5'],
    [2 ** 53, '9007199254740992'],
    [Number.NaN, 'NaN'],
    ['1', '"1"'],
  ] as const) {
    assertRejects(t, Integer, n, `expected integer, got ${got}`);
  }
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
  assertRejects(t, codec, { password: 7 }, '/password: expected password, got 7');
  assertRejects(
    t,
    codec,
    { passwrod: 'hunter2hunter2' },
    '/password: expected password, got nothing',
    '/passwrod: unknown key; did you mean "password"?',
  );
});

test('a described codec behaves like the codec, and a described secret is not shown', (t) => {
  const codec = described(nullable(io.number), 'How many.', 'Null: nobody knows.');
  t.is(codec.name, 'number or null');
  t.deepEqual([codec.description, codec.decision], ['How many.', 'Null: nobody knows.']);
  assertDecodes(t, codec, null);
  assertRejects(t, codec, 'x', 'expected number or null, got "x"');
  const user = new StrictObject(
    { password: described(new SecretString('password', { minLength: 9 }), 'A password.') },
    'user',
  );
  assertRejects(t, user, { password: 'hunter2' }, '/password: expected password, got other text');
});

test('a problem truncates long text and escapes its pointer', (t) => {
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
