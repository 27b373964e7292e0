import { descriptorsOf, memoryOf, peakMemoryOf } from './_proc.js';

/** Measurements of a process that were taken at regular times. */
export type Sampler = Readonly<{
  memory: () => readonly number[];
  descriptors: () => readonly number[];
  /** The most memory that it was seen to hold since the sampling began; null where it cannot be known. */
  peak: () => number | null;
  stop: () => void;
}>;

/** Measures a process until it is stopped. */
export const sample = (pid: number, interval = 200): Sampler => {
  const memory: number[] = [];
  const descriptors: number[] = [];
  const take = (): void => {
    const held = memoryOf(pid);
    if (held !== null) memory.push(held);
    const open = descriptorsOf(pid);
    if (open !== null) descriptors.push(open);
  };
  take();
  const before = peakMemoryOf(pid);
  const timer = setInterval(take, interval);
  return {
    memory: () => memory,
    descriptors: () => descriptors,
    peak: () => {
      // The system's own mark sees what falls between two samples, but only if it was set since.
      const mark = peakMemoryOf(pid);
      const seen = memory.reduce((most, each) => Math.max(most, each), 0);
      return memory.length === 0 ? null : mark !== null && mark !== before ? Math.max(mark, seen) : seen;
    },
    stop: () => clearInterval(timer),
  };
};
