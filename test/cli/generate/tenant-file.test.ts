import test from 'ava';
import { tenantFile } from '../../../src/cli/generate.js';
import { aSpec } from '../../data/generator/_generated.js';

test('a file says how far it is before each piece, and in the end what it has', (t) => {
  const seen: Parameters<Parameters<typeof tenantFile>[2]>[] = [];
  const onProgress = (...progress: (typeof seen)[number]) => void seen.push(progress);
  const { pieces, summary } = tenantFile('d', aSpec({ findings: 1000, prs: 0 }), onProgress);
  let text = '';
  for (const piece of pieces) {
    text += piece;
    t.is(seen.at(-1)?.[2].bytes, Buffer.byteLength(text));
  }
  const { repos, scans, fixDrafts } = JSON.parse(text);
  t.is(seen.at(-1)?.[2].rows, repos.length + scans.length + fixDrafts.length);
  t.is(seen[0]?.[0], 'd/realistic-7-1.json');
  t.deepEqual(
    [...new Set(seen.map(([, percent]) => percent))],
    Array.from({ length: 101 }, (_, percent) => percent),
  );
  t.regex(
    summary(),
    /^d\/realistic-7-1\.json: user@realistic-7-1\.test: 7 repos, \d+ scans, 1000 fix drafts, 0 /,
  );
});
