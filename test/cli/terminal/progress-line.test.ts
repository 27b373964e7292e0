import test from 'ava';
import { progressLine } from '../../../src/cli/terminal/progress-line.js';
import { screenAfter } from './_pseudo-terminal.js';

/** A screen whose width changes. */
const screen = (columns: number) => {
  let [written, width] = ['before\n', columns];
  const line = progressLine({ write: (text) => (written += text), columns: () => width });
  return {
    line,
    look: () => screenAfter(written, width),
    raw: () => written,
    resize: (next: number) => {
      width = next;
    },
  };
};

test('a line replaces the previous one, and leaves nothing behind', (t) => {
  const { line, look, raw } = screen(20);
  line.show('reading a long name');
  t.is(look(), 'before\nreading a long name');
  line.show('b');
  t.is(look(), 'before\nb');
  const length = raw().length;
  line.show('b');
  t.is(raw().length, length, 'the same line is not drawn again');
  line.clear();
  t.is(look(), 'before\n');
  line.clear();
  t.is(look(), 'before\n');
});

test('a line stays shorter than the terminal is wide, so that it never wraps', (t) => {
  const { line, look } = screen(10);
  line.show('0123456789');
  t.is(look(), 'before\n01234567…');
  line.show('two\nlines');
  t.is(look(), 'before\ntwo lines');
});

test('all of a line that a narrower terminal has wrapped is removed', (t) => {
  const { line, look, resize } = screen(30);
  line.show('a line of twenty-five ch.');
  resize(10);
  t.is(look(), 'before\na line of \ntwenty-fiv\ne ch.');
  line.show('next');
  t.is(look(), 'before\nnext');
});

test('a terminal that does not tell its width is taken for one of 80 columns', (t) => {
  const { line, raw } = screen(0);
  line.show('x'.repeat(100));
  t.true(raw().endsWith(`${'x'.repeat(78)}…`));
});
