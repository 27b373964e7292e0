import test from 'ava';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { columns, percent, stackedBars, ticks } from '../../../src/pages/explorer/overview-page.js';

/** The attributes of every element of a name; throws if the markup is not well-formed. */
const elements = (markup: string, name: string): readonly Readonly<Record<string, string>>[] => {
  const found: Readonly<Record<string, string>>[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    if (tag.name === name) found.push(Object.fromEntries(Object.entries(tag.attributes)));
  });
  parser.write(`<all>${markup}</all>`).close();
  return found;
};

/** Text that XML can hold. */
const words = fc.string({ unit: fc.constantFrom('a', '<', '>', '&', '"', "'", '{', 'é', '/') });
const values = fc.array(fc.nat(1e6), { minLength: 4, maxLength: 4 });

test('a scale ends at or above the maximum, in whole and equal steps', (t) => {
  fc.assert(
    fc.property(fc.nat(1e9), (max) => {
      const lines = ticks(max);
      const step = lines[1] ?? 0;
      return (
        lines[0] === 0 &&
        (lines.at(-1) ?? 0) >= max &&
        (lines.at(-1) ?? 0) - step < Math.max(max, 1) &&
        lines.length <= 6 &&
        Number.isInteger(step) &&
        lines.every((line, index) => line === index * step)
      );
    }),
  );
  t.deepEqual(ticks(0), [0, 1]);
  t.deepEqual(ticks(18), [0, 5, 10, 15, 20]);
  t.deepEqual(percent(1, 0), '0%');
});

test('stacked bars stay within their width, and their parts do not overlap', (t) => {
  fc.assert(
    fc.property(words, fc.array(fc.record({ name: words, values }), { maxLength: 6 }), (label, bars) => {
      const { markup } = stackedBars(label, ['a', 'b', 'c', '<d>'], bars);
      const parts = elements(markup, 'rect').filter(({ class: name }) => name !== 'track');
      for (const { x = '', width = '' } of parts) {
        if (Number.parseFloat(x) + Number.parseFloat(width) > 100.02) return false;
      }
      return (
        parts.length === bars.flatMap((bar) => bar.values.filter((value) => value > 0)).length &&
        elements(markup, 'svg')[0]?.['aria-label'] === label
      );
    }),
  );
  t.pass();
});

test('columns stay within the plot', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: words, mark: fc.option(words), values }), { minLength: 1, maxLength: 30 }),
      (data) => {
        const { markup } = columns('By week', ['a', 'b', 'c', 'd'], data);
        return elements(markup, 'rect').every(({ x = '', y = '', width = '', height = '' }) => {
          const [right, bottom] = [
            Number.parseFloat(x) + Number.parseFloat(width),
            Number.parseFloat(y) + Number.parseFloat(height),
          ];
          return right <= 100.02 && Number.parseFloat(y) >= 0 && bottom <= 180.02;
        });
      },
    ),
  );
  t.pass();
});

test('charts have no style attribute, which the content security policy forbids', (t) => {
  const markup = [
    stackedBars('label', ['a'], [{ name: 'b', values: [1] }]).markup,
    columns('label', ['a'], [{ name: 'b', mark: null, values: [1] }]).markup,
  ].join('');
  t.notRegex(markup, /style=|<script|on\w+=/);
  t.regex(markup, /<title>b, a: 1<\/title>/);
});
