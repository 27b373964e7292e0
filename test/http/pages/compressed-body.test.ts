import { gzipSync } from 'node:zlib';
import test from 'ava';
import { ann, serveWeb } from './_browserless.js';

test('a compressed body counts with its full length', async (t) => {
  const { ask } = await serveWeb(t);
  const post = (body: string) =>
    ask('/signup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync(body),
    });
  t.is((await post(JSON.stringify(ann))).status, 200);
  t.is((await post(JSON.stringify({ ...ann, name: 'x'.repeat(10_000_000) }))).status, 413);
});
