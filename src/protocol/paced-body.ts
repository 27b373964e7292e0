import { sleep } from '../common/concurrency.js';
import type { Pace } from './response.js';

/** How many parts of a slow body are sent in a second, if it has so many bytes. */
const partsPerSecond = 10;

/**
 * The parts of a body that is slow or cut on purpose, each when it is its turn. Ends when the client is gone;
 * in the middle of a body that is cut.
 */
export async function* pacedBody(
  content: Uint8Array,
  { bytesPerSecond, isCut }: Pace,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const end = isCut ? Math.ceil(content.length / 2) : content.length;
  const size = bytesPerSecond === null ? end : Math.max(1, Math.ceil(bytesPerSecond / partsPerSecond));
  for (let at = 0; at < end; at += size) {
    if (bytesPerSecond !== null && !(await sleep((size * 1000) / bytesPerSecond, signal))) return;
    yield content.subarray(at, Math.min(end, at + size));
  }
}
