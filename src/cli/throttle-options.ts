import { setTimeout } from 'node:timers/promises';
import type { ThrottleOptions } from '../client/throttle.js';

/** How fast and how much to ask, by settings. */
export const throttleOptions = ({
  rate,
  maxRequests,
}: Readonly<{ rate: number; maxRequests: number }>): ThrottleOptions => ({
  gap: 1000 / rate,
  maxRequests: maxRequests,
  clock: () => Date.now(),
  sleep: (milliseconds) => setTimeout(milliseconds),
});
