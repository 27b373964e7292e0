import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { pipelinedFlood } from '../_pipelined-flood.js';
import { amount } from '../_runs.js';
import { listenProcess } from '../cli/_cli.js';
import { ask } from './_accounts.js';
import { faultsIn, inLanes, pick, randomOf, unlimited } from './_soak.js';

/** A process whose heap may have 512 MB, as in a small container. */
const small = { NODE_OPTIONS: '--max-old-space-size=512' };

/** The most memory that a process has had, for the log; nothing where the system does not tell. */
const peakOf = (pid: number | undefined): string =>
  process.platform === 'linux'
    ? `${Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)} MiB`
    : 'unknown';

test.serial(
  '400 connections on each of which 31 requests with 1,960 headers wait do not end a process',
  async (t) => {
    t.timeout(600_000);
    const { url, child, ...server } = await listenProcess(t, unlimited, small);
    const headers = Array.from({ length: 1960 }, (_, i) => `${i.toString(36)}: \r\n`).join('');
    const request = `GET /api/v1/repos HTTP/1.1\r\nHost: localhost\r\nPrefer: hang\r\n${headers}\r\n`;
    const port = Number(new URL(url).port);
    let answered = 0;
    const answer = async (): Promise<void> => {
      t.is((await ask(url, '/api/v1/repos', { session: 'acme-session' })).status, 200, server.err());
      answered += 1;
    };
    await answer();
    const bytes = 32 * request.length;
    const flood = pipelinedFlood({ port, connections: 400, request, bytes });
    t.teardown(flood.stop);
    while (flood.open() > 0) await answer();
    t.log(`${answered} others were answered; memory at most ${peakOf(child.pid)}`);
    t.deepEqual(faultsIn(server), []);
  },
);

test.serial('wrong passwords from 40 networks do not keep 30 others from logging in', async (t) => {
  t.timeout(600_000);
  const { url, end } = await listenProcess(t, ['--trust-proxy', ...unlimited]);
  const logIn = async (address: string, email: string, password: string): Promise<number> => {
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address };
    const body = JSON.stringify({ email, password });
    return (await fetch(`${url}/login`, { method: 'POST', headers, body })).status;
  };
  const attack = new Map<number, number>();
  const attacking = inLanes(160, async (lane) => {
    for (let status = 1; status !== 0; await delay(50)) {
      status = await logIn(`2001:db8:${lane % 40}:${lane}::1`, `x${lane}@x.test`, 'wrong').catch(() => 0);
      attack.set(status, (attack.get(status) ?? 0) + 1);
    }
  });
  while (!attack.has(503)) await delay(50);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => logIn(`192.0.2.${i}`, 'dana@acme.test', 'acme-password')),
  );
  await end('SIGKILL');
  await attacking;
  t.log(`the attack got ${Array.from(attack, ([status, count]) => `${count} × ${status}`).join(', ')}`);
  t.deepEqual(new Set(answers), new Set([200]));
});

const responses = amount('TEST_RESPONSES', 90_000);
const users = ['acme', 'demo', 'empty', 'boundary', 'large'] as const;
const paths = [
  ...['/api/v1/repos', '/api/v1/findings', '/api/v1/findings?limit=3&page=2&severity=high'],
  ...['/api/v1/prs?limit=5', '/api/v1/prs?status=open&limit=7', '/session', '/api/v1/findings/fix_0001'],
];

test.serial(`${responses} pipelined requests of five users get the responses that are theirs`, async (t) => {
  t.timeout(600_000);
  const randomFor = randomOf(t);
  const { url, ...server } = await listenProcess(t, ['--now=2026-11-20T12:00:00Z', ...unlimited]);
  const expected = new Map<string, string>();
  for (const user of users)
    for (const path of paths) {
      const response = await fetch(`${url}${path}`, { headers: { Cookie: `session=${user}-session` } });
      expected.set(`${user} ${path}`, `${response.status} ${await response.text()}`);
    }
  t.is(new Set(expected.values()).size, expected.size, 'no two users share a response');
  const wrong: string[] = [];
  let [sent, answered] = [0, 0];
  await inLanes(16, async (lane) => {
    const random = randomFor(lane);
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    let received = '';
    while (sent < responses) {
      const batch = Array.from({ length: Math.min(32, responses - sent) }, () => {
        sent += 1;
        return { id: `request-${sent}`, user: pick(random, users) ?? '', path: pick(random, paths) ?? '' };
      });
      const write = ({ id, user, path }: (typeof batch)[number]): string =>
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: session=${user}-session\r\nX-Request-Id: ${id}\r\n\r\n`;
      socket.write(batch.map(write).join(''));
      for (const { id, user, path } of batch) {
        let end = -1;
        while (end === -1 || received.length < end) {
          const [head = '', status = '', length = ''] =
            /^HTTP\/1\.1 (\d+)[\s\S]*?\r\nContent-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/i.exec(received) ?? [];
          if (head !== '') end = head.length + Number(length);
          if (end === -1 || received.length < end) {
            const [chunk = ''] = await once(socket, 'data');
            received += chunk;
            continue;
          }
          const body = Buffer.from(received.slice(head.length, end), 'latin1').toString();
          const isOwn = head.toLowerCase().includes(`\r\nx-request-id: ${id}\r\n`);
          if (!isOwn || `${status} ${body}` !== expected.get(`${user} ${path}`))
            wrong.push(`${id} of ${user}, ${path}: ${head}${body}`.slice(0, 500));
        }
        received = received.slice(end);
        answered += 1;
      }
    }
    socket.destroy();
  });
  t.is(answered, responses);
  t.is(wrong.length, 0, wrong[0]);
  t.deepEqual(faultsIn(server), []);
});
