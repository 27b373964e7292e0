import test from 'ava';
import { listen } from '../_cli.js';

test('--compression decides, and without it a trusted proxy is left to compress', async (t) => {
  for (const [words, encoding] of [
    [[], 'br'],
    [['--no-compression'], null],
    [['--trust-proxy'], null],
    [['--trust-proxy', '--compression'], 'br'],
  ] as const) {
    const { url } = await listen(t, [...words]);
    const headers = { Cookie: 'session=acme-session', 'Accept-Encoding': 'br' };
    const answer = await fetch(`${url}/api/v1/findings`, { headers });
    t.is(answer.headers.get('content-encoding'), encoding, words.join(' '));
    t.is(answer.headers.get('vary')?.includes('Accept-Encoding'), encoding !== null);
    t.true(Object(await answer.json()).items.length > 0);
  }
});
