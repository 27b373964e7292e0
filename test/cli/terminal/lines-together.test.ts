import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { linesTogether } from '../../../src/cli/terminal/lines-together.js';

test('the lines of a turn of the event loop are written together, in their order, and none twice', async (t) => {
  const written: string[] = [];
  const write = linesTogether((lines) => void written.push(lines));
  write('a');
  write('b');
  t.deepEqual(written, []);
  await setImmediate();
  t.deepEqual(written, ['a\nb']);
  await setImmediate();
  write('c');
  await setImmediate();
  t.deepEqual(written, ['a\nb', 'c']);
});
