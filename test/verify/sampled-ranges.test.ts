import test from 'ava';
import fc from 'fast-check';
import { pagesOfRanges, sampledRanges } from '../../src/verify/sampled-ranges.js';

const rows = fc.integer({ min: 1, max: 1_000_000 });
const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 });

test('a sample has the first and the last row, is in order, and its parts do not overlap', (t) => {
  fc.assert(
    fc.property(rows, seed, fc.string(), (total, number, key) => {
      const ranges = sampledRanges(total, number, key);
      t.is(ranges[0]?.start, 0);
      t.is(ranges.at(-1)?.end, total);
      t.true(ranges.length <= 10);
      for (const [index, { start, end }] of ranges.entries()) {
        t.true(start < end && end <= total);
        t.true(start >= (ranges[index - 1]?.end ?? 0));
      }
      t.deepEqual(sampledRanges(total, number, key), ranges);
    }),
  );
});

test('another seed or another list gives another sample', (t) => {
  const samples = [0, 1, 2, 3].flatMap((number) =>
    ['findings', 'prs'].map((key) => JSON.stringify(sampledRanges(1_000_000, number, key))),
  );
  t.is(new Set(samples).size, samples.length);
});

test('pages of any size have every row of the sample, and each page has one of them', (t) => {
  fc.assert(
    fc.property(rows, seed, fc.integer({ min: 1, max: 100 }), (total, number, limit) => {
      const ranges = sampledRanges(total, number, '');
      const pages = pagesOfRanges(ranges, limit);
      for (const { start, end } of ranges) {
        for (const row of [start, end - 1]) t.true(pages.includes(Math.floor(row / limit) + 1));
      }
      for (const page of pages) {
        const [first, after] = [(page - 1) * limit, page * limit];
        t.true(ranges.some(({ start, end }) => first < end && start < after));
      }
    }),
  );
});
