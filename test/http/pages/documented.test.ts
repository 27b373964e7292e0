import test from 'ava';
import { blocks, documentText } from '../../_documented.js';
import { listen } from '../../cli/_cli.js';

test('the requests that docs/explore.md shows are answered as it says', async (t) => {
  const { url } = await listen(t, ['--now', '2026-11-20T12:00:00Z']);
  const lines = blocks(documentText('explore.md'), 'console').flatMap((block) => block.trim().split('\n'));
  t.is(lines.length, 4);
  for (const [index, line] of lines.entries()) {
    const [, , header = '', path] =
      /^\$ curl -si (-H '(.*?)' )?'http:\/\/127\.0\.0\.1:4000(.*?)'/.exec(line) ?? [];
    if (path === undefined) continue;
    const [name = 'Accept', value = '*/*'] = header === '' ? [] : header.split(': ');
    const answer = await fetch(`${url}${path}`, { headers: { [name]: value }, redirect: 'manual' });
    const shown = [
      `HTTP/1.1 ${answer.status} ${answer.statusText}`,
      `Location: ${answer.headers.get('location')}`,
    ];
    t.true(shown.includes(lines[index + 1] ?? ''), shown.join(' / '));
  }
});
