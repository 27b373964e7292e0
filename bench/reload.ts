import { rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOfRow, sessionOf, writeFixtureFile } from './fixture-files.js';
import { atMost, type Result, reportOf, type SectionContext, type SectionReport } from './section.js';
import { startTriageApi } from './server-process.js';
import { withTemporaryDirectory } from './temporary-directory.js';

/** What a reload does to those who send requests meanwhile; times in milliseconds. */
type ReloadFigures = Readonly<{
  /** How long after the file was replaced its content was served. */
  reload: number;
  /** The longest time that any request waited for its response during the reload and the second after it. */
  longestWait: number;
  /** The same during an equal time without a reload. */
  longestWaitAtRest: number;
  /** Connections that were closed, and responses that were no 200. */
  dropped: number;
}>;

const tenant = 0;
const cookie = `session=${sessionOf(tenant)}`;

/** Replaces a fixture file by one with repositories of `owner`: by renaming a new file, or in its place. */
const replaceFixture = async (
  file: string,
  { owner, rows, isAtomic }: Readonly<{ owner: string; rows: number; isAtomic: boolean }>,
): Promise<void> => {
  const target = isAtomic ? `${file}.new` : file;
  await writeFixtureFile(target, { tenant, rows, owner });
  if (isAtomic) await rename(target, file);
};

/** Sends each request again and again over a connection of its own, at a steady rate, one at a time. */
const steadyRequests = (url: string, paths: readonly string[]) => {
  const { host, hostname, port } = new URL(url);
  const state = { longest: 0, dropped: 0, isStopping: false };
  const clients = paths.map((path) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`;
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
  '/api/v1/findings/fix_000001',
  '/api/v1/repos',
  '/api/v1/findings?repoId=repo_0',
  '/api/v1/prs?page=50',
  '/healthz',
];

/** How long to wait for the content of a file before giving up, in milliseconds. */
const patience = 120_000;

/** Waits until the repositories belong to `owner`; resolves to the time that it took, in milliseconds. */
const served = async (url: string, owner: string): Promise<number> => {
  const begun = performance.now();
  while (performance.now() - begun < patience) {
    const response = await fetch(`${url}/api/v1/repos`, { headers: { cookie } });
    if ((await response.text()).includes(owner)) return performance.now() - begun;
    await sleep(50);
  }
  throw new Error(`the new content was not served within ${patience / 1000} s`);
};

/** Replaces a file that is being served, and measures what that does to requests. */
const measureReload = async (
  url: string,
  replace: (owner: string) => Promise<void>,
  owner: string,
): Promise<ReloadFigures> => {
  const requests = steadyRequests(url, paths);
  try {
    await sleep(1000);
    await replace(owner);
    requests.longestWait();
    const reload = await served(url, owner);
    // What the old data leaves behind is cleared away after the reload.
    await sleep(1000);
    const longestWait = requests.longestWait();
    await sleep(reload + 1000);
    return { reload, longestWait, longestWaitAtRest: requests.longestWait(), dropped: requests.dropped() };
  } finally {
    requests.stop();
  }
};

/**
 * Starts `triage-api serve --watch` with a large fixture file and replaces the file twice while requests come
 * in: by renaming a new one, and in its place. How long has the longest of the requests waited?
 */
export const benchReload = ({ print, quick }: SectionContext): Promise<SectionReport> =>
  withTemporaryDirectory(async (directory) => {
    const megabytes = quick ? 10 : 60;
    const rows = Math.round((megabytes * 1e6) / bytesOfRow);
    const file = join(directory, 'bench.json');
    print(`writing a fixture file of ${megabytes} MB …`);
    await replaceFixture(file, { owner: 'owner-0', rows, isAtomic: true });
    const server = await startTriageApi(['--watch', '--fixtures', directory], { quiet: true });
    const results: Result[] = [];
    try {
      for (const [i, [way, isAtomic]] of (
        [
          ['a new file renamed', true],
          ['written in place', false],
        ] as const
      ).entries()) {
        const replace = (owner: string): Promise<void> => replaceFixture(file, { owner, rows, isAtomic });
        const figures = await measureReload(server.url, replace, `owner-${i + 1}`);
        const { reload, longestWait, longestWaitAtRest, dropped } = figures;
        print(
          `reload of ${megabytes} MB, ${way}: ${reload.toFixed(0)} ms; longest wait ${longestWait.toFixed(0)} ms ` +
            `(${longestWaitAtRest.toFixed(0)} ms without a reload), ${dropped} connections dropped`,
        );
        const measure = `Reload of ${megabytes} MB, ${way}`;
        results.push(
          atMost(250, { measure: `${measure}: longest wait of a request`, value: longestWait, unit: 'ms' }),
          atMost(0, { measure: `${measure}: connections dropped`, value: dropped, unit: '' }),
        );
      }
    } finally {
      await server.stop();
    }
    return reportOf(...results);
  });
