import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { linesTogether } from '../../../src/cli/terminal/logging.js';

test('lines that come at once are written together, in their order, and none twice', async (t) => {
  const written: string[] = [];
  const { add } = linesTogether((lines) => void written.push(lines), 1);
  add('a');
  add('b');
  t.deepEqual(written, []);
  while (written.length === 0) await setTimeout(1);
  t.deepEqual(written, ['a\nb']);
  add('c');
  while (written.length === 1) await setTimeout(1);
  t.deepEqual(written, ['a\nb', 'c']);
});

test('many lines are written before their time has come', async (t) => {
  const written: string[] = [];
  const { add } = linesTogether((lines) => void written.push(lines), 5);
  const line = 'x'.repeat(1000);
  for (let i = 0; i < 66; i += 1) add(line);
  t.deepEqual(written, [Array.from({ length: 66 }, () => line).join('\n')]);
  add('last');
  while (written.length === 1) await setTimeout(1);
  t.deepEqual(written.slice(1), ['last']);
  await setTimeout(20);
  t.is(written.length, 2);
});

test('what waits can be written at once, and is not written again', async (t) => {
  const written: string[] = [];
  const { add, flush } = linesTogether((lines) => void written.push(lines), 1);
  add('a');
  flush();
  flush();
  t.deepEqual(written, ['a']);
  await setTimeout(10);
  t.deepEqual(written, ['a']);
});
