import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { rowRenderer } from '../../../src/http/operations/paging.js';

const Item = io.strict({ name: io.string, text: io.string }, 'Item');

type Row = Readonly<{ name: string }>;

const renderer = rowRenderer({
  codec: Item,
  view: (row: Row, text) => ({ text, name: row.name }),
  nameOf: ({ name }) => `row ${name}`,
});

test('a row is shown with its text, and alone with an empty one', async (t) => {
  const row = { name: 'a' };
  const all = await renderer.allInTurns([row, { name: 'b' }], ({ name }) => `text of ${name}`)();
  t.deepEqual(E.isRight(all) && all.right.map(({ json }) => json), [
    '{"name":"a","text":"text of a"}',
    '{"name":"b","text":"text of b"}',
  ]);
  const one = renderer.one(row);
  t.is(E.isRight(one) && one.right.json, '{"name":"a","text":""}');
});

test('a row that breaks the contract is named', (t) => {
  t.deepEqual(
    renderer.one({ name: JSON.parse('7') }),
    E.left({
      _tag: 'ContractBroken',
      row: 'row 7',
      problems: [{ path: ['name'], message: 'expected string, got 7', expected: 'string' }],
    }),
  );
});

test('a long list is rendered in turns, in its order, and an error names the place in the whole list', async (t) => {
  const rows = Array.from({ length: 450 }, (_, i) => ({ name: String(i) }));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    setImmediate(count).unref();
  };
  setImmediate(count).unref();
  const items = await renderer.allInTurns(rows, () => '')();
  t.true(turns >= 2, 'others had their turn');
  t.deepEqual(
    E.isRight(items) && items.right.map((item) => JSON.parse(item.json).name),
    rows.map(({ name }) => name),
  );
  const broken = await renderer.allInTurns([...rows, { name: JSON.parse('7') }], () => '')();
  t.deepEqual(E.isLeft(broken) && [broken.left.row, broken.left.problems[0]?.path], [
    'row 7',
    ['450', 'name'],
  ]);
});
