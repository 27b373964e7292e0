import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { decoded, Load, type LoadReport } from './load.js';

/**
 * Sends the load that standard input describes, over kept-alive connections, each request as soon as the
 * response to the one before has arrived, and prints what came of it.
 *
 * It reads no more of a response than its length: on a machine with few processors, a client that did more
 * would be a part of what is measured.
 */
const endOfHead = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

type State = { latencies: number[]; inTime: number; failures: number; refusals: number; next: number };

/** Runs one connection until a moment. A connection that the server closes counts as a failure, and ends. */
const runConnection = (load: Load, requests: readonly Buffer[], state: State, end: number): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(load.url);
    const socket = connect(Number(port), hostname).setNoDelay();
    const expected = `HTTP/1.1 ${load.status} `;
    let head: Buffer = Buffer.alloc(0);
    // The bytes of the body that have not arrived yet; null while the head is being read.
    let missing: number | null = null;
    let isDone = false;
    let sentAt = 0;
    let isRefused = false;
    const finish = (failures: number): void => {
      if (isDone) return;
      isDone = true;
      state.failures += failures;
      // A request that was never answered has waited until now.
      if (failures > 0) state.latencies.push(performance.now() - sentAt);
      socket.destroy();
      resolve();
    };
    const send = (): void => {
      sentAt = performance.now();
      const request = requests[state.next % requests.length];
      state.next += 1;
      if (request !== undefined) socket.write(request);
    };
    const onResponse = (): void => {
      const now = performance.now();
      if (isRefused) state.refusals += 1;
      else state.latencies.push(now - sentAt);
      if (!isRefused && now < end) state.inTime += 1;
      const pause = isRefused ? (load.pauseAfter503 ?? 0) : load.pause;
      missing = null;
      head = Buffer.alloc(0);
      if (now >= end) finish(0);
      else if (pause > 0) setTimeout(send, pause);
      else send();
    };
    socket.on('data', (chunk) => {
      if (missing === null) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const headLength = head.indexOf(endOfHead) + endOfHead.length;
        if (headLength < endOfHead.length) return;
        const words = head.toString('latin1', 0, headLength);
        isRefused = load.pauseAfter503 !== undefined && words.startsWith('HTTP/1.1 503 ');
        if (!isRefused && !words.startsWith(expected)) return finish(1);
        const length = /\r\ncontent-length: *(\d+)/i.exec(words)?.[1];
        const hasChunks = /\r\ntransfer-encoding: *chunked/i.test(words);
        missing = (hasChunks ? Number.POSITIVE_INFINITY : Number(length ?? 0)) - (head.length - headLength);
      } else {
        missing -= chunk.length;
      }
      // A body of unknown length ends with the empty chunk, which no text of JSON looks like.
      if (missing <= 0 || (missing === Number.POSITIVE_INFINITY && chunk.subarray(-5).equals(lastChunk)))
        onResponse();
    });
    socket.once('connect', send).once('error', () => finish(1));
    socket.once('close', () => finish(1));
  });

const requestOf = (url: string, path: string, headers: Readonly<Record<string, string>>): Buffer => {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
};

const load = decoded(Load, await text(process.stdin));
const state: State = { latencies: [], inTime: 0, failures: 0, refusals: 0, next: 0 };
const { url, paths, headers } = load;
const requests = Array.from({ length: Math.max(paths.length, headers.length) }, (_, i) =>
  requestOf(url, paths[i % paths.length] ?? '', headers[i % headers.length] ?? {}),
);
const started = performance.now();
const end = started + load.seconds * 1000;
await Promise.all(Array.from({ length: load.connections }, () => runConnection(load, requests, state, end)));
const seconds = (performance.now() - started) / 1000;
const sorted = Float64Array.from(state.latencies).sort();
const below = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
const report: LoadReport = {
  requests: sorted.length,
  rate: state.inTime / load.seconds,
  failures: state.failures,
  refusals: state.refusals,
  seconds,
  p50: below(0.5),
  p90: below(0.9),
  p99: below(0.99),
  longest: below(1),
};
process.stdout.write(JSON.stringify(report));
