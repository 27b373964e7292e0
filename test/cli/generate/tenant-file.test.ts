import test from 'ava';
import { tenantFile } from '../../../src/cli/generate.js';
import { aSpec } from '../../data/generator/_generated.js';

test('a file that gets too long to be read is reported while it is generated', (t) => {
  const long: string[] = [];
  const listeners = { onPercent: () => {}, onTooLong: (file: string) => void long.push(file) };
  let length = 0;
  for (const piece of tenantFile('d', aSpec(), listeners, 20_000).pieces) {
    length += piece.length;
    t.is(long.length > 0, length > 20_000);
  }
  t.is(long[0], 'd/realistic-7-1.json');
});

test('percents are reported once each', (t) => {
  const seen: number[] = [];
  const listeners = {
    onPercent: (_: string, percent: number) => void seen.push(percent),
    onTooLong: () => {},
  };
  const { pieces, summary } = tenantFile('d', aSpec({ findings: 1000, prs: 0 }), listeners);
  t.true(Array.from(pieces).length > 1000);
  t.deepEqual(
    seen,
    Array.from({ length: 101 }, (_, percent) => percent),
  );
  t.regex(
    summary(),
    /^d\/realistic-7-1\.json: user@realistic-7-1\.test: 7 repos, \d+ scans, 1000 fix drafts, 0 /,
  );
});
