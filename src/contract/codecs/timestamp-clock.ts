import { type Timestamp, timestampAt } from './timestamp.js';

/**
 * Tells the time of a clock as timestamps. Within a millisecond, they are the same text: making one takes
 * longer than all else that a storage in memory does for a request.
 */
export const timestampClock = (clock: () => number): (() => Timestamp) => {
  let moment = Number.NaN;
  let timestamp: Timestamp | null = null;
  return () => {
    const now = Math.trunc(clock());
    if (timestamp === null || now !== moment) {
      timestamp = timestampAt(now);
      moment = now;
    }
    return timestamp;
  };
};
