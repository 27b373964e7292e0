import test from 'ava';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { cutToWidth } from '../../../src/cli/terminal/progress-line.js';

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
