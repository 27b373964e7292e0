import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timestampAt } from '../src/codecs/timestamp.js';
import { aDraft, aPullRequest, aRepo, aSession, aUser } from '../test/_data.js';
import { startServerProcess, triageApi } from './server-process.js';

/** What a reload does to those who send requests meanwhile; times in milliseconds. */
export type ReloadResult = Readonly<{
  /** How long after the file was replaced its content was served. */
  reload: number;
  /** The longest time that any request waited for its response during the reload. */
  longestWait: number;
  /** The same during an equal time without a reload. */
  longestWaitAtRest: number;
  /** Connections that were closed, and responses that were no 200. */
  dropped: number;
}>;

const start = Date.parse('2026-11-20T12:00:00.000Z');
const bytesOfRows = 850;

/** Writes a fixture of about this size, whose repository belongs to `owner`; in its place, or as a new file. */
const writeFixture = async (
  file: string,
  megabytes: number,
  owner: string,
  isAtomic: boolean,
): Promise<void> => {
  const numbers = Array.from({ length: (megabytes * 1e6) / bytesOfRows }, (_, i) => i);
  const target = isAtomic ? `${file}.new` : file;
  const handle = await open(target, 'w');
  const write = async (name: string, row: (i: number) => object): Promise<void> => {
    await handle.write(`,"${name}":[`);
    for (let i = 0; i < numbers.length; i += 1000) {
      const rows = numbers.slice(i, i + 1000).map((number) => JSON.stringify(row(number)));
      await handle.write(`${i === 0 ? '' : ','}${rows.join()}`);
    }
    await handle.write(']');
  };
  const session = aSession('bench', { expiresAt: '2999-01-01T00:00:00.000Z' });
  const head = { user: aUser('u'), sessions: [session], repos: [aRepo('r', { owner })] };
  await handle.write(JSON.stringify({ asOf: timestampAt(start), ...head }).slice(0, -1));
  const moment = (i: number): string => timestampAt(start - ((i * 7919) % numbers.length) * 1000);
  await write('fixDrafts', (i) =>
    aDraft(`fix_${i}`, 'r', { advisoryId: `A-${i % 5000}`, discoveredAt: moment(i) }),
  );
  await write('pullRequests', (i) => aPullRequest(`pr_${i}`, `fix_${i}`, { createdAt: moment(i) }));
  await handle.write('}');
  await handle.close();
  if (isAtomic) await rename(target, file);
};

/** Sends requests at a steady rate over kept-alive connections, one request at a time over each. */
const steadyRequests = (url: string, paths: readonly string[]) => {
  const { host, hostname, port } = new URL(url);
  const state = { longest: 0, dropped: 0, isStopping: false };
  const clients = paths.map((path) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: session=bench\r\n\r\n`;
    const socket = connect(Number(port), hostname).setNoDelay();
    let sent = 0;
    let text = '';
    const send = (): void => {
      if (sent !== 0 || state.isStopping) return;
      sent = performance.now();
      socket.write(request);
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\r\n\r\n');
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      if (end < 0 || text.length < end + 4 + Number(length)) return;
      if (!text.startsWith('HTTP/1.1 200')) state.dropped += 1;
      state.longest = Math.max(state.longest, performance.now() - sent);
      [sent, text] = [0, ''];
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (!state.isStopping) state.dropped += 1;
    });
    return { socket, send, sentAt: () => sent, timer: setInterval(send, 5) };
  });
  return {
    dropped: () => state.dropped,
    /** The longest wait since the last call, that of requests without a response included. */
    longestWait: (): number => {
      const now = performance.now();
      const waiting = clients.map(({ sentAt }) => (sentAt() === 0 ? 0 : now - sentAt()));
      const longest = Math.max(state.longest, ...waiting);
      state.longest = 0;
      return longest;
    },
    stop: (): void => {
      state.isStopping = true;
      for (const { socket, timer } of clients) {
        clearInterval(timer);
        socket.destroy();
      }
    },
  };
};

const paths = [
  '/api/v1/findings?limit=25',
  '/api/v1/findings?limit=25&page=100',
  '/api/v1/prs?status=open',
  '/api/v1/findings/fix_1',
  '/api/v1/repos',
  '/api/v1/findings?repoId=r',
  '/api/v1/prs?page=50',
  '/healthz',
];

/**
 * Starts `triage-api serve --watch` with a fixture file of this size, replaces the file twice while requests
 * come in (by renaming a new one, and in its place), and prints how long the longest of them has waited.
 */
export const benchReload = async (
  print: (line: string) => void,
  { megabytes }: Readonly<{ megabytes: number }>,
): Promise<ReloadResult> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-bench-'));
  const file = join(directory, 'bench.json');
  await writeFixture(file, megabytes, 'owner 0', true);
  const server = await startServerProcess(triageApi, [
    ...['serve', '--port', '0', '--log-level', 'warn', '--watch', '--fixtures', directory],
  ]);
  const isServed = async (owner: string): Promise<boolean> =>
    (
      await (await fetch(`${server.url}/api/v1/repos`, { headers: { Cookie: 'session=bench' } })).text()
    ).includes(owner);
  const requests = steadyRequests(server.url, paths);
  await sleep(1000);
  const results: ReloadResult[] = [];
  for (const [way, isAtomic] of [
    ['a renamed file', true],
    ['a file written in its place', false],
  ] as const) {
    const owner = `owner ${results.length + 1}`;
    await writeFixture(file, megabytes, owner, isAtomic);
    requests.longestWait();
    const written = performance.now();
    while (!(await isServed(owner))) await sleep(50);
    const reload = performance.now() - written;
    // What the old data leaves behind is cleared away after the reload.
    await sleep(1000);
    const longestWait = requests.longestWait();
    await sleep(reload + 1000);
    const longestWaitAtRest = requests.longestWait();
    results.push({ reload, longestWait, longestWaitAtRest, dropped: requests.dropped() });
    print(
      `reload of ${megabytes} MB, ${way}: ${reload.toFixed(0)} ms; ` +
        `longest wait ${longestWait.toFixed(0)} ms (${longestWaitAtRest.toFixed(0)} ms without a reload), ` +
        `${requests.dropped()} connections dropped`,
    );
  }
  requests.stop();
  await server.stop();
  await rm(directory, { recursive: true });
  const worst = (name: keyof ReloadResult): number => Math.max(...results.map((each) => each[name]));
  return {
    reload: worst('reload'),
    longestWait: worst('longestWait'),
    longestWaitAtRest: worst('longestWaitAtRest'),
    dropped: worst('dropped'),
  };
};
