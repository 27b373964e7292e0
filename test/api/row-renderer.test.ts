import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { rowRenderer } from '../../src/api/row-renderer.js';
import { keepWithin } from '../../src/common/kept-values.js';

const Item = io.strict({ name: io.string, text: io.string }, 'Item');

type Row = Readonly<{ name: string }>;

const counting = () => {
  let calls = 0;
  const renderer = rowRenderer(
    {
      codec: Item,
      view: (row: Row, text) => {
        calls += 1;
        return { text, name: row.name };
      },
      nameOf: ({ name }) => `row ${name}`,
    },
    keepWithin(2 ** 20),
  );
  const json = (row: Row, text = ''): string => {
    const result = renderer.all([row], [], () => text);
    return E.isRight(result) ? result.right.map((item) => item.json).join() : 'refused';
  };
  return { renderer, json, calls: () => calls };
};

test('a frozen row is rendered once', (t) => {
  const { json, calls } = counting();
  const row = Object.freeze({ name: 'a' });
  t.is(json(row), '{"name":"a","text":""}');
  t.is(json(row), '{"name":"a","text":""}');
  t.is(calls(), 1);
});

test('a frozen row is rendered again when its text has changed', (t) => {
  const { json, calls } = counting();
  const row = Object.freeze({ name: 'a' });
  t.is(json(row, '1 minute ago'), '{"name":"a","text":"1 minute ago"}');
  t.is(json(row, '2 minutes ago'), '{"name":"a","text":"2 minutes ago"}');
  t.is(json(row, '2 minutes ago'), '{"name":"a","text":"2 minutes ago"}');
  t.is(calls(), 2);
});

test('a row that is not frozen is rendered every time', (t) => {
  const { json } = counting();
  const row = { name: 'a' };
  t.is(json(row), '{"name":"a","text":""}');
  row.name = 'b';
  t.is(json(row), '{"name":"b","text":""}');
});

test('a row that its codec refuses is refused every time', (t) => {
  const { json } = counting();
  const row = Object.freeze({ name: JSON.parse('7') });
  t.is(json(row), 'refused');
  t.is(json(row), 'refused');
});

test('the first row that breaks the contract is named, with its place in the body', (t) => {
  const { renderer } = counting();
  const rows = [{ name: 'a' }, { name: JSON.parse('7') }, { name: JSON.parse('8') }];
  const result = renderer.all(rows, ['items']);
  t.deepEqual(
    result,
    E.left({
      _tag: 'ContractBroken',
      row: 'row 7',
      problems: [{ path: ['items', '1', 'name'], message: 'expected string, got 7', expected: 'string' }],
    }),
  );
});

test('a row that is rendered alone, or without a text, is shown with an empty text', (t) => {
  const { renderer } = counting();
  const row = { name: 'a' };
  const one = renderer.one(row);
  const all = renderer.all([row], []);
  t.is(E.isRight(one) && one.right.json, '{"name":"a","text":""}');
  t.deepEqual(E.isRight(all) && all.right.map(({ json }) => json), ['{"name":"a","text":""}']);
});
