import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { raw } from '../_raw.js';
import { cookie } from '../_server.js';
import { listenProcess, type Running } from '../cli/_cli.js';
import { freePort } from '../postgres/_embedded.js';
import { startNginx } from './_nginx.js';

const page = readFileSync(fileURLToPath(new URL('../../../docs/deploy.md', import.meta.url)), 'utf8');
const [, documented = ''] = /^```nginx\n([\s\S]*?)^```$/m.exec(page) ?? [];

/** The options of `serve` that go with the documented configuration. */
const [, documentedWords = ''] = /^triage-api serve (--trust-proxy .*--drain .*)$/m.exec(page) ?? [];

/** The documented configuration, without TLS, between these ports. */
const documentedConfiguration =
  (backends: readonly number[]) =>
  (port: number): string => {
    const [first, second] = backends;
    return documented
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *ssl_certificate.*\n/gm, '')
      .replace('127.0.0.1:4001', `127.0.0.1:${first}`)
      .replace('127.0.0.1:4002', `127.0.0.1:${second}`);
  };

const paths = ['/api/v1/repos', '/api/v1/findings?limit=100', '/api/v1/prs?limit=25', '/healthz'];

/** No client sends more requests than this, however long it takes. */
const maxRequests = 100_000;

/**
 * Requests that follow each other without a pause until `stop`, and from time to time many at once, which
 * leaves the proxy with idle connections. Resolves to how often each outcome occurred.
 */
const underLoad = (url: string) => {
  const outcomes = new Map<string, number>();
  let isOver = false;
  const send = async (index: number): Promise<void> => {
    const outcome = await fetch(`${url}${paths[index % paths.length]}`, cookie('acme-session')).then(
      async (response) => {
        await response.text();
        return String(response.status);
      },
      (error: unknown) => String(error),
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let i = 0; i < maxRequests && !isOver; i += 1) {
      const count = client === 0 && i % 200 === 0 ? 12 : 1;
      await Promise.all(Array.from({ length: count }, (__, extra) => send(i + client + extra)));
    }
  });
  return async (): Promise<ReadonlyMap<string, number>> => {
    isOver = true;
    await Promise.all(clients);
    return outcomes;
  };
};

const start = (t: ExecutionContext, port: number): Promise<Running> =>
  listenProcess(t, ['--port', String(port), '--log-level', 'warn', ...documentedWords.split(' ')]);

test('behind the documented nginx, the documented host is answered for, and others are not', async (t) => {
  const port = await freePort();
  await start(t, port);
  const nginx = await startNginx(documentedConfiguration([port, await freePort()]));
  t.teardown(nginx.stop);
  const ask = (host: string) =>
    raw(nginx.url, `GET /api/v1/repos HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  t.regex(
    await ask('triage.example.com'),
    /^HTTP\/1\.1 401 [\s\S]*Strict-Transport-Security: max-age=31536000\r\n/,
  );
  t.regex(await ask('evil.test'), /^HTTP\/1\.1 421 [\s\S]*--allowed-host/);
});

test('a rolling restart behind the documented nginx loses no request', async (t) => {
  t.regex(documentedWords, /--drain \d+/);
  const ports = [await freePort(), await freePort()];
  const servers = await Promise.all(ports.map((port) => start(t, port)));
  const nginx = await startNginx(documentedConfiguration(ports));
  t.teardown(nginx.stop);
  const stopLoad = underLoad(nginx.url);
  for (const [index, port] of ports.entries()) {
    const ended = await servers[index]?.end('SIGTERM');
    t.is(ended?.code, 0, ended?.err);
    await start(t, port);
  }
  const outcomes = await stopLoad();
  t.log(Object.fromEntries(outcomes));
  t.deepEqual([...outcomes.keys()], ['200'], await nginx.log());
  t.true((outcomes.get('200') ?? 0) > 100);
});
