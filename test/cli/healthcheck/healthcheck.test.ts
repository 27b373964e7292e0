import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { directoryWith } from '../../storage/fixtures/_directory.js';
import { listenProcess, runProcess } from '../_cli.js';

test('the program checks a server, also one that a config file names, and explains wrong usage', async (t) => {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => server.close());
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const ready = { code: 0, out: 'ready\n', err: '' };
  t.deepEqual(await runProcess(['healthcheck', '-p', String(port)], { TRIAGE_UNKNOWN: '1' }), ready);
  t.deepEqual(await runProcess(['healthcheck'], { PORT: String(port) }), ready);
  const file = join(await directoryWith(t, {}), 'config.json');
  await writeFile(file, JSON.stringify({ port, fixtures: 'x' }));
  t.deepEqual(await runProcess(['healthcheck', '--config', file]), ready);
  const wrong = await runProcess(['healthcheck', '--prot', '1']);
  t.deepEqual([wrong.code, wrong.out], [2, '']);
  t.regex(wrong.err, /unknown option '--prot'/);
});

test('one variable, or one line of a config file, starts a server on https and checks it there', async (t) => {
  const home = await directoryWith(t, {});
  const { url } = await listenProcess(t, [], { HOME: home, TRIAGE_HTTPS: 'true' });
  const port = Number(new URL(url).port);
  const ready = { code: 0, out: 'ready\n', err: '' };
  t.deepEqual(await runProcess(['healthcheck'], { TRIAGE_PORT: String(port), TRIAGE_HTTPS: 'true' }), ready);
  const file = join(home, 'config.json');
  await writeFile(file, JSON.stringify({ port, https: true }));
  t.deepEqual(await runProcess(['healthcheck', '--config', file]), ready);
  const strict = await runProcess(['healthcheck', '--url', url]);
  t.is(strict.code, 1);
  t.regex(strict.err, /self-signed certificate/);
});
