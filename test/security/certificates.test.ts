import { createServer } from 'node:https';
import { join } from 'node:path';
import test from 'ava';
import { portOf } from '../_port.js';
import { run } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { selfSigned } from './_self-signed.js';

test('a server with a certificate that nobody trusts is not read, and gets no credentials', async (t) => {
  const requests: unknown[] = [];
  const server = createServer(selfSigned, (request, response) => {
    requests.push(request.headers);
    response.end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `https://127.0.0.1:${portOf(server)}`;
  const file = join(await directoryWith(t, {}), 'copy.json');
  const asUser = ['--session', 'a-session', '--rate', '1000'];
  for (const words of [
    ['verify', '--url', url, '--token', 'a-token', ...asUser],
    ['diff', '--left', url, '--right', url, ...asUser],
    ['record', file, '--url', url, ...asUser],
    ['healthcheck', '--url', url],
  ]) {
    const { code, out, err } = await run(words);
    t.is(code, 1, `${words[0]}: ${out}${err}`);
    t.regex(`${out}${err}`, /self-signed certificate/, words[0]);
  }
  t.deepEqual(requests, []);
});
