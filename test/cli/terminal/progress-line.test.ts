import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { lazyProgressLine } from '../../../src/cli/terminal/process-terminal.js';
import { cutToWidth, progressLine } from '../../../src/cli/terminal/progress-line.js';
import { screenAfter } from './_pseudo-terminal.js';

const table: readonly (readonly [text: string, columns: number, cut: string])[] = [
  ['short', 5, 'short'],
  ['shorter', 5, 'shor…'],
  ['検査中のファイル', 16, '検査中のファイル'],
  ['検査中のファイル', 15, '検査中のファイ…'],
  ['検査中のファイル', 6, '検査…'],
  ['👩‍👩‍👧‍👦 family', 4, '👩‍👩‍👧‍👦 …'],
  ['👩‍👩‍👧‍👦 family', 2, '…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ['any', 0, ''],
];

for (const [text, columns, cut] of table) {
  test(`${text} in ${columns} columns is ${cut || 'nothing'}`, (t) => t.is(cutToWidth(text, columns), cut));
}

test('no text gets wider than the terminal', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (text, columns) => {
      const cut = cutToWidth(text, columns);
      return stringWidth(cut) <= columns && (cut === text || text.startsWith(cut.slice(0, -1)));
    }),
  );
  t.pass();
});

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

/** A line, and what it has written once that is more than before. */
const shown = () => {
  let written = '';
  const line = lazyProgressLine({ write: (text) => (written += text), columns: () => 80 });
  return {
    line,
    until: async (text: string): Promise<string> => {
      while (!written.includes(text)) await setTimeout(1);
      return written;
    },
    now: () => written,
  };
};

test('what is shown first appears once it can, and only the last of it', async (t) => {
  const { line, until } = shown();
  line.show('one');
  line.show('two');
  const written = await until('two');
  t.false(written.includes('one'));
  line.show('three');
  t.regex(await until('three'), /two.*three$/s);
});

test('a line that is cleared before it can be shown never appears', async (t) => {
  const { line, until, now } = shown();
  line.show('gone');
  line.clear();
  await import('../../../src/cli/terminal/progress-line.js');
  await setTimeout(0);
  t.is(now(), '');
  line.show('back');
  t.true((await until('back')).endsWith('back'));
});
