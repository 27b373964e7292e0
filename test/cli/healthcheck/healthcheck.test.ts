import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { serveWith } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { selfSigned } from '../../security/_self-signed.js';
import { listen, run } from '../_cli.js';

test('healthcheck finds a server by its port, that of the environment, or that of a config file', async (t) => {
  const port = Number(new URL(await serveWith(t, (_, response) => response.end())).port);
  const ready = { code: 0, out: 'ready\n', err: '' };
  t.deepEqual(await run(['healthcheck', '-p', String(port)]), ready);
  t.deepEqual(await run(['healthcheck'], { PORT: String(port) }), ready);
  const file = join(await directoryWith(t, { 'config.json': { port, fixtures: 'x' } }), 'config.json');
  t.deepEqual(await run(['healthcheck', '--config', file]), ready);
});

test('healthcheck asks over https where the environment or a config file has serve do so', async (t) => {
  const folder = await directoryWith(t, { 'cert.pem': selfSigned.cert, 'key.pem': selfSigned.key });
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const { url } = await listen(t, ['--cert', files.cert, '--key', files.key], {
    TRIAGE_HTTPS: 'true',
  });
  const port = Number(new URL(url).port);
  const ready = { code: 0, out: 'ready\n', err: '' };
  t.deepEqual(await run(['healthcheck'], { TRIAGE_PORT: String(port), TRIAGE_HTTPS: 'true' }), ready);
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify({ port, https: true, ...files }));
  t.deepEqual(await run(['healthcheck', '--config', file]), ready);
  const strict = await run(['healthcheck', '--url', url]);
  t.is(strict.code, 1);
  t.regex(strict.err, /self-signed certificate/);
});
