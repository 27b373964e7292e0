import { setTimeout } from 'node:timers/promises';
import type { Pace } from '../asking/politely.js';

/** How fast and how much to ask, by settings. */
export const paceOf = ({ rate, maxRequests }: Readonly<{ rate: number; maxRequests: number }>): Pace => ({
  gap: 1000 / rate,
  mostRequests: maxRequests,
  clock: () => Date.now(),
  sleep: (milliseconds) => setTimeout(milliseconds),
});
