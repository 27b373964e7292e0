import test from 'ava';
import { forTerminal, resultsMarkdown, serversMarkdown } from '../../bench/result-table.js';
import { atLeast, atMost, withoutGoal } from '../../bench/section.js';

/** The cells of the only row of a table. */
const cells = (table: string): readonly string[] => table.split('\n')[2]?.slice(2, -2).split(' | ') ?? [];

test('a row has the measure, ours, the goal, and whether it is reached', (t) => {
  const figure = { measure: 'a page', comparedWith: 'Koa', value: 0.96, byProcessorTime: 1 };
  t.deepEqual(cells(resultsMarkdown([atLeast(0.95, figure)])), [
    'a page',
    'Koa',
    '× 0.96',
    '× 1.00',
    'at least × 0.95',
    'yes',
  ]);
  const install = atMost(90, { measure: 'packages', value: 112, unit: '' });
  t.deepEqual(cells(resultsMarkdown([install])), ['packages', '', '112', '', 'at most 90', '**no**']);
  t.is(cells(resultsMarkdown([withoutGoal(figure)]))[5], '');
});

test('a goal is reached at its bound', (t) => {
  const reached = (result: ReturnType<typeof atLeast>): string => cells(resultsMarkdown([result]))[5] ?? '';
  t.is(reached(atLeast(2, { measure: '', value: 2 })), 'yes');
  t.is(reached(atMost(2, { measure: '', value: 2 })), 'yes');
  t.is(reached(atLeast(2, { measure: '', value: 1.99 })), '**no**');
  t.is(reached(atMost(2, { measure: '', value: 2.01 })), '**no**');
  t.is(reached(atMost(2, { measure: '', value: Number.NaN })), '**no**');
});

test('it is said where throughput and processor time disagree', (t) => {
  const row = (value: number, byProcessorTime: number): string =>
    cells(resultsMarkdown([atLeast(1, { measure: '', value, byProcessorTime })]))[5] ?? '';
  t.is(row(1, 0.9), 'yes, but not by processor time');
  t.is(row(0.9, 1), '**no**, but by processor time');
  t.is(row(0.9, 0.9), '**no**');
});

test('servers are sorted by throughput', (t) => {
  const server = { work: 'sends', microseconds: 30.4, p99: 2 };
  const table = serversMarkdown([
    { ...server, name: 'slow', requestsPerSecond: 896.2 },
    { ...server, name: 'fast', requestsPerSecond: 20_000, microseconds: null },
  ]);
  t.deepEqual(table.split('\n').slice(2), [
    '| fast | sends | 20,000 |  | 2.0 ms |',
    '| slow | sends | 896 | 30 µs | 2.0 ms |',
  ]);
});

test('a terminal shows columns instead of Markdown', (t) => {
  t.is(forTerminal('| a | b |\n| --- | --- |\n| long | **no** |\n| x |  |'), 'a     b\nlong  no\nx');
});
