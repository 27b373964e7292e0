import type * as TE from 'fp-ts/lib/TaskEither.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { emailKey } from '../records/user.js';
import { hashSecret } from './hash-secret.js';

/** Too many attempts from one side; after so many seconds there may be another. */
export type TooManyAttempts = Readonly<{ _tag: 'TooManyAttempts'; retryAfterSeconds: number }>;

/** How many attempts there may be. */
export type AttemptLimits = Readonly<{
  /** Failed logins to one account, a minute. */
  loginsPerAccount: number;
  /** Failed logins from one address, a minute. */
  loginsPerAddress: number;
  /** Sign-ups from one address, an hour. */
  signUpsPerAddress: number;
}>;

/** An attempt that counts until it is forgiven. */
export type Attempt = Readonly<{ forgive: () => Promise<void> }>;

export type Attempts = Readonly<{
  /** One more login: counted before it is known how it ends, so that many at once are no way round the limit. */
  logIn: (email: string, address: string) => TE.TaskEither<TooManyAttempts, Attempt>;
  signUp: (address: string) => TE.TaskEither<TooManyAttempts, Attempt>;
}>;

/** Counts attempts in memory, by account and by network address. */
export const countAttempts = (limits: AttemptLimits): Attempts => {
  const perAccount = new RateLimiterMemory({ points: limits.loginsPerAccount, duration: 60 });
  const perAddress = new RateLimiterMemory({ points: limits.loginsPerAddress, duration: 60 });
  const signUps = new RateLimiterMemory({ points: limits.signUpsPerAddress, duration: 60 * 60 });
  return {
    // An address as long as a request lets it be is kept as a hash.
    logIn: (email, address) =>
      all([
        [perAddress, address],
        [perAccount, hashSecret(emailKey(email))],
      ]),
    signUp: (address) => all([[signUps, address]]),
  };
};

type Counter = readonly [limiter: RateLimiterMemory, key: string];

/** One more on each counter; where one is full, none counts. */
const all =
  (counters: readonly Counter[]): TE.TaskEither<TooManyAttempts, Attempt> =>
  async () => {
    const counted: Counter[] = [];
    const forgive = async (): Promise<void> => {
      for (const [limiter, key] of counted) await limiter.reward(key);
    };
    for (const [limiter, key] of counters) {
      try {
        await limiter.consume(key);
      } catch (refused) {
        await forgive();
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
        return { _tag: 'Left', left: { _tag: 'TooManyAttempts', retryAfterSeconds } };
      }
      counted.push([limiter, key]);
    }
    return { _tag: 'Right', right: { forgive } };
  };
