import type { Clock } from './clock.js';

type Window = { readonly endsAt: number; taken: number };

/** How often a key was counted in its window, and the seconds until that ends. */
type Counted = Readonly<{ taken: number; secondsLeft: number }>;

/** Counts by key, such as a credential or an address. */
type WindowCounter = Readonly<{
  /** Counts once more. */
  count: (key: string) => Counted;
  /** What was counted until now. */
  peek: (key: string) => Counted;
}>;

/**
 * How many keys are counted at a time. Every text that is sent as a credential may be a key, so that a client
 * can make up as many as it likes; each takes about 200 bytes.
 */
const defaultMaxKeys = 100_000;

/**
 * Counts in memory, in windows of so many seconds that begin with the first count of a key. Beyond `maxKeys`,
 * the key whose window is the oldest is forgotten. `elapsed`: a monotonic clock in milliseconds.
 */
export const windowCounter = (seconds: number, elapsed: Clock, maxKeys = defaultMaxKeys): WindowCounter => {
  // All windows are equally long: the one that ends first is the one that was added first.
  const windows = new Map<string, Window>();
  const forgetOld = (now: number): void => {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxKeys) return;
      windows.delete(key);
    }
  };
  const windowOf = (key: string, now: number): Window => {
    const current = windows.get(key);
    // The clock of a test can go back, before the begin of a window; the second is for inexact fractions.
    const isOpen =
      current !== undefined && current.endsAt > now && current.endsAt <= now + (seconds + 1) * 1000;
    return isOpen ? current : { endsAt: now + seconds * 1000, taken: 0 };
  };
  const figuresOf = ({ endsAt, taken }: Window, now: number): Counted => ({
    taken,
    // Fractions of milliseconds add up inexactly, which must not make a window longer than it is.
    secondsLeft: Math.min(seconds, Math.max(1, Math.ceil((endsAt - now) / 1000))),
  });
  return {
    count: (key) => {
      const now = elapsed();
      const window = windowOf(key, now);
      if (window.taken === 0) {
        windows.delete(key);
        forgetOld(now);
        windows.set(key, window);
      }
      window.taken += 1;
      return figuresOf(window, now);
    },
    peek: (key) => {
      const now = elapsed();
      return figuresOf(windowOf(key, now), now);
    },
  };
};
