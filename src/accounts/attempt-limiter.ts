import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { emailKey } from '../records/user.js';
import { hashSecret } from './secrets.js';

/** Too many attempts; the next one is allowed after so many seconds. */
export type TooManyAttempts = Readonly<{ _tag: 'TooManyAttempts'; retryAfterSeconds: number }>;

/** How many attempts are allowed. */
export type AttemptLimits = Readonly<{
  /** Failed logins to one account per minute. */
  loginsPerAccount: number;
  /** Failed logins from one network address per minute. */
  loginsPerAddress: number;
  /** Sign-ups from one network address per hour. */
  signUpsPerAddress: number;
}>;

/** An attempt in progress. It counts towards the limit only once it has failed. */
export type Attempt = Readonly<{ failed: () => void; forgiven: () => void }>;

export type AttemptLimiter = Readonly<{
  /**
   * Begins a login. At most as many logins are in progress as may still fail, so that concurrent attempts
   * cannot get around the limit; a further one waits for the others to end.
   */
  logIn: (email: string, address: string) => TE.TaskEither<TooManyAttempts, Attempt>;
  /** Begins a sign-up. */
  signUp: (address: string) => TE.TaskEither<TooManyAttempts, Attempt>;
}>;

/** Limits attempts by account and by network address, counted in memory. */
export const attemptLimiter = (limits: AttemptLimits): AttemptLimiter => {
  const perAccount = counter(limits.loginsPerAccount, 60);
  const perAddress = counter(limits.loginsPerAddress, 60);
  const signUps = counter(limits.signUpsPerAddress, 60 * 60);
  return {
    // An e-mail address can be as long as a request: its hash is stored instead.
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

/** Counts failures by key: at most `points` in `duration` seconds. */
const counter = (points: number, duration: number) => {
  const limiter = new RateLimiterMemory({ points, duration });
  const inProgress = new Map<string, Set<Promise<void>>>();
  return (key: string): TE.TaskEither<TooManyAttempts, Attempt> =>
    async () => {
      for (;;) {
        const counted = await limiter.get(key);
        const left = points - (counted?.consumedPoints ?? 0);
        if (left <= 0) {
          const retryAfterSeconds = Math.max(1, Math.ceil((counted?.msBeforeNext ?? 0) / 1000));
          return E.left({ _tag: 'TooManyAttempts', retryAfterSeconds });
        }
        const others = inProgress.get(key) ?? new Set();
        if (others.size < left) return E.right(begin(key, others));
        await Promise.race(others);
      }
    };

  function begin(key: string, others: Set<Promise<void>>): Attempt {
    inProgress.set(key, others);
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    others.add(ended);
    const leave = (): void => {
      others.delete(ended);
      if (others.size === 0) inProgress.delete(key);
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
