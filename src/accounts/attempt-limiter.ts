import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';
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

/** An attempt that is under way. It counts against nobody until it has failed. */
export type Attempt = Readonly<{ failed: () => void; forgiven: () => void }>;

export type AttemptLimiter = Readonly<{
  /**
   * One more login. There are never more under way than may fail, so that many at once are no way round the limit; one that
   * is too many waits for how the others end.
   */
  logIn: (email: string, address: string) => TE.TaskEither<TooManyAttempts, Attempt>;
  /** One more sign-up. */
  signUp: (address: string) => TE.TaskEither<TooManyAttempts, Attempt>;
}>;

/** Counts attempts in memory, by account and by network address. */
export const attemptLimiter = (limits: AttemptLimits): AttemptLimiter => {
  const perAccount = counter(limits.loginsPerAccount, 60);
  const perAddress = counter(limits.loginsPerAddress, 60);
  const signUps = counter(limits.signUpsPerAddress, 60 * 60);
  return {
    // An address as long as a request lets it be is kept as a hash.
    logIn: (email, address) =>
      pipe(
        perAddress(address),
        TE.bindTo('byAddress'),
        TE.bind('byAccount', ({ byAddress }) =>
          pipe(
            perAccount(hashSecret(emailKey(email))),
            TE.tapError(() => TE.fromIO(byAddress.forgiven)),
          ),
        ),
        TE.map(({ byAddress, byAccount }) => both(byAddress, byAccount)),
      ),
    signUp: signUps,
  };
};

const both = (left: Attempt, right: Attempt): Attempt => ({
  failed: () => {
    left.failed();
    right.failed();
  },
  forgiven: () => {
    left.forgiven();
    right.forgiven();
  },
});

/** Counts what fails under each key: so many in so many seconds. */
const counter = (points: number, duration: number) => {
  const limiter = new RateLimiterMemory({ points, duration });
  const underWay = new Map<string, Set<Promise<void>>>();
  return (key: string): TE.TaskEither<TooManyAttempts, Attempt> =>
    async () => {
      for (;;) {
        const counted = await limiter.get(key);
        const left = points - (counted?.consumedPoints ?? 0);
        if (left <= 0) {
          const retryAfterSeconds = Math.max(1, Math.ceil((counted?.msBeforeNext ?? 0) / 1000));
          return E.left({ _tag: 'TooManyAttempts', retryAfterSeconds });
        }
        const others = underWay.get(key) ?? new Set();
        if (others.size < left) return E.right(begin(key, others));
        await Promise.race(others);
      }
    };

  function begin(key: string, others: Set<Promise<void>>): Attempt {
    underWay.set(key, others);
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    others.add(ended);
    const leave = (): void => {
      others.delete(ended);
      if (others.size === 0) underWay.delete(key);
      end();
    };
    return {
      failed: () => {
        void limiter.penalty(key).then(leave);
      },
      forgiven: leave,
    };
  }
};
