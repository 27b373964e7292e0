import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { amount } from '../_runs.js';
import { listenProcess } from '../cli/_cli.js';
import { faultsIn, inLanes, pick, randomOf, unlimited } from './_soak.js';

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
