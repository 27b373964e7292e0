import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { lazyProgressLine } from '../../../src/cli/terminal/process-terminal.js';

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
