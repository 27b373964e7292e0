import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { renderOnce } from '../../src/api/render-once.js';

const Shown = io.strict({ name: io.string, words: io.string }, 'Shown');

const counting = () => {
  let calls = 0;
  const renderRow = renderOnce(Shown, (row: Readonly<{ name: string }>, words) => {
    calls += 1;
    return { name: row.name, words };
  });
  return { renderRow, calls: () => calls };
};

const json = (result: ReturnType<ReturnType<typeof counting>['renderRow']>): string =>
  E.isRight(result) ? result.right.json : 'refused';

test('a frozen row is rendered once', (t) => {
  const { renderRow, calls } = counting();
  const row = Object.freeze({ name: 'a' });
  t.is(json(renderRow(row)), '{"name":"a","words":""}');
  t.is(json(renderRow(row)), '{"name":"a","words":""}');
  t.is(calls(), 1);
});

test('and again when the words beside it have changed', (t) => {
  const { renderRow, calls } = counting();
  const row = Object.freeze({ name: 'a' });
  t.is(json(renderRow(row, '1 minute ago')), '{"name":"a","words":"1 minute ago"}');
  t.is(json(renderRow(row, '2 minutes ago')), '{"name":"a","words":"2 minutes ago"}');
  t.is(json(renderRow(row, '2 minutes ago')), '{"name":"a","words":"2 minutes ago"}');
  t.is(calls(), 2);
});

test('a row that can change is rendered every time', (t) => {
  const { renderRow } = counting();
  const row = { name: 'a' };
  t.is(json(renderRow(row)), '{"name":"a","words":""}');
  row.name = 'b';
  t.is(json(renderRow(row)), '{"name":"b","words":""}');
});

test('a row that is refused stays refused', (t) => {
  const { renderRow } = counting();
  const row = Object.freeze({ name: JSON.parse('7') });
  t.is(json(renderRow(row)), 'refused');
  t.is(json(renderRow(row)), 'refused');
});
