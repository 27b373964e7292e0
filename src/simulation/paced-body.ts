import { runSimulatedEvery } from '../common/timers.js';

/** How many parts of a slow body are sent in a second, if it has so many bytes. */
const partsPerSecond = 10;

/**
 * The parts of a body that is slow or cut on purpose, each when it is its turn. Ends when the client is gone;
 * in the middle of a body that is cut.
 */
export async function* pacedBody(
  content: Uint8Array,
  { bytesPerSecond, isCut }: Readonly<{ bytesPerSecond: number | null; isCut: boolean }>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const end = isCut ? Math.ceil(content.length / 2) : content.length;
  if (bytesPerSecond === null) return yield content.subarray(0, end);
  const size = Math.max(1, Math.ceil(bytesPerSecond / partsPerSecond));
  let due = 0;
  let wake = (): void => {};
  // Not one wait after the other: a test that moves its timers on at once gets all that is due by then.
  const cancel = runSimulatedEvery((size * 1000) / bytesPerSecond, () => {
    due += size;
    wake();
    if (due >= end) cancel();
  });
  signal.addEventListener('abort', () => wake());
  try {
    for (let at = 0; at < end && !signal.aborted; at += size) {
      if (due <= at)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (!signal.aborted) yield content.subarray(at, Math.min(end, at + size));
    }
  } finally {
    cancel();
  }
}
