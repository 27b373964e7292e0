import test from 'ava';
import { differenceOf } from '../../../src/storage/conformance/api-cases.js';

const ok = (text: string) => ({ status: 200, text });

const table = [
  ['the same', ok('[]'), ok('[]'), null],
  ['another status', { status: 404, text: '{}' }, ok('[]'), 'status 404 instead of 200: {}'],
  [
    'a missing field',
    ok('{"a":1}'),
    ok('{"a":1,"b":null}'),
    'first difference: /b\n  expected null\n  got      nothing',
  ],
  [
    'a further field',
    ok('{"a":{"b":1}}'),
    ok('{"a":{}}'),
    'first difference: /a/b\n  expected nothing\n  got      1',
  ],
  [
    'a missing row',
    ok('[{"id":"a"}]'),
    ok('[{"id":"a"},{"id":"é"}]'),
    'first difference: length of the list\n  expected 2\n  got      1\nids expected ["a", "\\u{e9}"]\nids got      ["a"]',
  ],
  [
    'another order of the fields',
    ok('{"b":2,"a":1}'),
    ok('{"a":1,"b":2}'),
    'the same values in other bytes: expected …{"a":1,"b":2}…, got …{"b":2,"a":1}…',
  ],
  ['no JSON', ok('<html>'), ok('[]'), 'first difference: the body\n  expected []\n  got      "<html>"'],
] as const;

for (const [what, actual, expected, report] of table) {
  test(`the difference is described: ${what}`, (t) => {
    const found = differenceOf(actual, expected);
    if (report === null) t.is(found, null);
    else t.true(found?.startsWith(report), String(found));
  });
}

test('long texts that differ late are not shown whole', (t) => {
  const long = 'x'.repeat(100_000);
  const found = differenceOf(ok(`{"a":"${long}y"}`), ok(`{"a":"${long}z"}`)) ?? '';
  t.true(found.length < 300, found);
  t.regex(found, /z"\}…, got …x+y"/);
});
