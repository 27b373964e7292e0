import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { serveWith } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { selfSigned } from '../../security/_self-signed.js';
import { listenProcess, runProcess } from '../_cli.js';

test('the program checks a server, also one that a config file names, and explains wrong usage', async (t) => {
  const port = Number(new URL(await serveWith(t, (_, response) => response.end())).port);
  const ready = { code: 0, out: 'ready\n', err: '' };
  t.deepEqual(await runProcess(['healthcheck', '-p', String(port)], { TRIAGE_UNKNOWN: '1' }), ready);
  t.deepEqual(await runProcess(['healthcheck'], { PORT: String(port) }), ready);
  const file = join(await directoryWith(t, { 'config.json': { port, fixtures: 'x' } }), 'config.json');
  t.deepEqual(await runProcess(['healthcheck', '--config', file]), ready);
  const wrong = await runProcess(['healthcheck', '--prot', '1']);
  t.deepEqual([wrong.code, wrong.out], [2, '']);
  t.regex(wrong.err, /unknown option '--prot'/);
});

test('the variable or the line of a config file that serves https has it checked there', async (t) => {
  const folder = await directoryWith(t, { 'cert.pem': selfSigned.cert, 'key.pem': selfSigned.key });
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const { url } = await listenProcess(t, ['--cert', files.cert, '--key', files.key], {
    TRIAGE_HTTPS: 'true',
  });
  const port = Number(new URL(url).port);
  const ready = { code: 0, out: 'ready\n', err: '' };
  t.deepEqual(await runProcess(['healthcheck'], { TRIAGE_PORT: String(port), TRIAGE_HTTPS: 'true' }), ready);
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify({ port, https: true, ...files }));
  t.deepEqual(await runProcess(['healthcheck', '--config', file]), ready);
  const strict = await runProcess(['healthcheck', '--url', url]);
  t.is(strict.code, 1);
  t.regex(strict.err, /self-signed certificate/);
});
