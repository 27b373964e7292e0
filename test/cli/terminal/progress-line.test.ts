import test from 'ava';
import { progressLine } from '../../../src/cli/terminal/process-terminal.js';
import { screenAfter } from './_pseudo-terminal.js';

/** A screen whose width changes. */
const screen = (columns: number) => {
  let [written, width] = ['before\n', columns];
  const show = progressLine({
    write: (text) => {
      written += text;
    },
    columns: () => width,
  });
  return {
    show,
    look: () => screenAfter(written, width),
    /** What a terminal shows that became this narrow after the line was written. */
    lookWrapped: () => screenAfter(written.replaceAll('\u001b[?7l', '').replaceAll('\u001b[?7h', ''), width),
    raw: () => written,
    resize: (next: number) => {
      width = next;
    },
  };
};

test('a progress line replaces the previous one, and leaves nothing behind', (t) => {
  const { show, look, raw } = screen(20);
  show('reading a long name');
  t.is(look(), 'before\nreading a long name');
  show('b');
  t.is(look(), 'before\nb');
  const length = raw().length;
  show('b');
  t.is(raw().length, length, 'the same line is not drawn again');
  show('');
  t.is(look(), 'before\n');
  show('');
  t.is(look(), 'before\n');
});

test('a progress line is shorter than the terminal is wide, so that it never wraps', (t) => {
  const { show, look } = screen(10);
  show('0123456789');
  t.is(look(), 'before\n01234567…');
  show('👩👩👩👩👩👩👩👩👩');
  t.is(look(), 'before\n👩👩👩👩👩👩👩👩👩');
});

test('all of a line that a narrower terminal has wrapped is removed', (t) => {
  const { show, lookWrapped: look, resize } = screen(30);
  show('a line of twenty-five ch.');
  resize(10);
  t.is(look(), 'before\na line of \ntwenty-fiv\ne ch.');
  show('next');
  t.is(look(), 'before\nnext');
});
