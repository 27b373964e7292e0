import test from 'ava';
import { progressLine } from '../../../src/cli/terminal/process-terminal.js';
import { screenAfter } from './_pseudo-terminal.js';

test('a progress line replaces the one before, fits the terminal, is drawn once, and leaves nothing behind', (t) => {
  let [written, width] = ['before\n', 10];
  const write = (text: string): void => {
    written += text;
  };
  const show = progressLine({ write, columns: () => width });
  for (const [text, shown] of [
    ['reading', 'reading'],
    ['b', 'b'],
    ['0123456789', '01234567…'],
    ['👩👩👩👩👩👩👩👩👩', '👩👩👩👩👩👩👩👩👩'],
    ['', ''],
  ] as const) {
    show(text);
    t.is(screenAfter(written, width), `before\n${shown}`);
    const { length } = written;
    show(text);
    t.is(written.length, length);
  }
  // A terminal that becomes narrower wraps what it shows.
  width = 30;
  show('a line of twenty-five ch.');
  width = 10;
  const wrapped = () => screenAfter(written.replaceAll('\u001b[?7l', '').replaceAll('\u001b[?7h', ''), width);
  t.is(wrapped(), 'before\na line of \ntwenty-fiv\ne ch.');
  show('next');
  t.is(wrapped(), 'before\nnext');
});
