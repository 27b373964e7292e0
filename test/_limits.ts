import {
  type AttemptLimiter,
  attemptLimiter,
  type HashingQueue,
  hashingQueue,
} from '../src/accounts/login-limits.js';

export type AttemptLimits = Parameters<typeof attemptLimiter>[0];

/** Limits that no test reaches, except for the given ones. */
export const limitsOf = (given: Partial<AttemptLimits> = {}): AttemptLimits => ({
  loginsPerAccount: 1000,
  loginsPerAccountAnywhere: 1000,
  loginsPerAddress: 1000,
  allLoginsPerAddress: 1000,
  signUpsPerAddress: 1000,
  ...given,
});

export const limiterOf = (given: Partial<AttemptLimits> = {}): AttemptLimiter =>
  attemptLimiter(limitsOf(given), () => 0);

/** A queue in which nobody waits. */
export const hashingAtOnce: HashingQueue = hashingQueue(
  { atOnce: 1000, waiting: 1000, waitingPerNetwork: 1000 },
  () => 0,
);
