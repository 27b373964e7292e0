import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { emailKey } from '../records/account-records.js';
import type { AccountOutcome, Visitor } from './account-flow.js';
import { hashSecret } from './sessions-and-tokens.js';

/** Too many attempts; the next one is allowed after so many seconds. */
export type TooManyAttempts = Readonly<{
  _tag: 'TooManyAttempts';
  retryAfterSeconds: number;
  /** The limit that was reached, where it is no secret. */
  limit?: 'signUpsPerAddress';
}>;

export const defaultAttemptLimits = {
  /** Failed logins to one account from one network address per minute. */
  loginsPerAccount: 10,
  /** The same from anywhere: larger, so that a stranger cannot lock everybody out of an account. */
  loginsPerAccountAnywhere: 200,
  /** Failed logins from one network address per minute. */
  loginsPerAddress: 30,
  /** Logins from one network address per minute, whether they fail or not. */
  allLoginsPerAddress: 300,
  /** Sign-ups from one network address per hour. */
  signUpsPerAddress: 60,
};
export type AttemptLimits = Readonly<typeof defaultAttemptLimits>;

/** Limits attempts by account and by network address, counted in memory. */
export const attemptLimiter = (limits: AttemptLimits) => {
  const perAddress = counter(limits.loginsPerAddress, 60);
  const perAccount = counter(limits.loginsPerAccount, 60);
  const perAccountAnywhere = counter(limits.loginsPerAccountAnywhere, 60);
  const all = counter(limits.allLoginsPerAddress, 60);
  const signUps = counter(limits.signUpsPerAddress, 60 * 60);
  const countersOf = (email: string, address: string) => {
    // An e-mail address can be as long as a request: its hash is stored instead.
    const account = hashSecret(emailKey(email));
    return [
      [perAddress, address],
      [perAccount, `${account} ${address}`],
      [perAccountAnywhere, account],
    ] as const;
  };
  return {
    /** Counts a login of an address, however it will end, and refuses those that have no chance now. */
    arrive: async (email: string, address: string): Promise<E.Either<TooManyAttempts, void>> => {
      for (const [counter, key] of countersOf(email, address)) {
        const checked = await counter.check(key);
        if (E.isLeft(checked)) return checked;
      }
      return all.take(address);
    },
    /**
     * Does what verifies the credentials of a login. Wrong ones count; neither a success nor a fault of the
     * server does. At most as many logins are verified at a time as may still fail, so that concurrent
     * attempts cannot get around the limit; a further one waits for the others to end.
     */
    logIn: <A>(email: string, address: string, verification: Verification<A>): AccountOutcome<A> => {
      const [[first, firstKey], [second, secondKey], [third, thirdKey]] = countersOf(email, address);
      return first.attempt(firstKey, () =>
        second.attempt(secondKey, () => third.attempt(thirdKey, verification)),
      );
    },
    signUp: async (address: string): Promise<E.Either<TooManyAttempts, void>> =>
      pipe(
        await signUps.take(address),
        E.mapLeft((refused) => ({ ...refused, limit: 'signUpsPerAddress' as const })),
      ),
  };
};

export type AttemptLimiter = ReturnType<typeof attemptLimiter>;

type Verification<A> = () => AccountOutcome<A>;

/** Counts by key: at most `points` in `duration` seconds. */
const counter = (points: number, duration: number) => {
  const limiter = new RateLimiterMemory({ points, duration });
  const inProgress = new Map<string, Set<Promise<void>>>();

  const left = (counted: RateLimiterRes | null): number => points - (counted?.consumedPoints ?? 0);
  const refuse = (counted: RateLimiterRes | null): E.Either<TooManyAttempts, never> =>
    E.left({
      _tag: 'TooManyAttempts',
      retryAfterSeconds: Math.max(1, Math.ceil((counted?.msBeforeNext ?? 0) / 1000)),
    });

  const verify = <A>(
    key: string,
    others: Set<Promise<void>>,
    verification: Verification<A>,
  ): AccountOutcome<A> => {
    const verified = verification().then(async (result) => {
      if (E.isLeft(result) && result.left._tag === 'WrongCredentials') await limiter.penalty(key);
      return result;
    });
    const leave = (): void => {
      others.delete(ended);
      if (others.size === 0) inProgress.delete(key);
    };
    const ended = verified.then(leave, leave);
    inProgress.set(key, others.add(ended));
    return verified;
  };

  return {
    /** Refuses a key that has reached the limit. */
    check: async (key: string) => {
      const counted = await limiter.get(key);
      return left(counted) > 0 ? E.right(undefined) : refuse(counted);
    },
    /** Counts at once, and refuses a key beyond the limit. */
    take: async (key: string) => {
      const counted = await limiter.penalty(key);
      return left(counted) >= 0 ? E.right(undefined) : refuse(counted);
    },
    /** Does a verification once there is room for it, and counts wrong credentials. */
    attempt: async <A>(key: string, verification: Verification<A>): AccountOutcome<A> => {
      for (;;) {
        const counted = await limiter.get(key);
        if (left(counted) <= 0) return refuse(counted);
        const others = inProgress.get(key) ?? new Set();
        if (others.size < left(counted)) return verify(key, others, verification);
        await Promise.race(others);
      }
    },
  };
};

/** Too many logins and sign-ups are waiting already, or the client has left. */
export type Busy = Readonly<{ _tag: 'Busy' }>;

export const defaultHashingLimits = {
  /** How many passwords are hashed at a time. libuv has four threads, which files and DNS need as well. */
  atOnce: 2,
  /** How many visitors may wait, in all and from one network address. */
  waiting: 64,
  waitingPerAddress: 16,
};
export type HashingLimits = Readonly<typeof defaultHashingLimits>;

type Waiting = Readonly<{ hasLeft: () => boolean; answer: (isTurn: boolean) => void }>;

/** Decides when a password may be hashed, which is slow on purpose. */
export const hashingQueue = ({ atOnce, waiting, waitingPerAddress }: HashingLimits) => {
  /** Who waits, by network address. The address whose turn is next comes first. */
  const lanes = new Map<string, readonly Waiting[]>();
  let running = 0;

  const isFull = (address: string): boolean =>
    running >= atOnce &&
    (Array.from(lanes.values()).flat().length >= waiting ||
      (lanes.get(address)?.length ?? 0) >= waitingPerAddress);

  const removeThoseWhoLeft = (): void => {
    for (const [address, lane] of lanes) {
      for (const each of lane) if (each.hasLeft()) each.answer(false);
      const staying = lane.filter((each) => !each.hasLeft());
      lanes.set(address, staying);
    }
  };
  const fill = (): void => {
    for (const [address, [first, ...others]] of lanes) {
      if (running >= atOnce) return;
      lanes.delete(address);
      // What is added while a map is iterated comes last, and gets its turn, too.
      if (others.length > 0) lanes.set(address, others);
      const isTurn = first !== undefined && !first.hasLeft();
      if (isTurn) running += 1;
      first?.answer(isTurn);
    }
  };
  /** Waits for a turn; false if there will be none. */
  const turn = (address: string, hasLeft: () => boolean): Promise<boolean> =>
    new Promise((answer) => {
      if (isFull(address)) removeThoseWhoLeft();
      if (isFull(address)) return answer(false);
      lanes.set(address, [...(lanes.get(address) ?? []), { hasLeft, answer }]);
      fill();
    });

  return {
    /**
     * Does work that hashes a password for a visitor. Network addresses take turns, so that many visitors
     * from one of them do not delay others. Work whose visitor has left is not begun.
     */
    forVisitor: async <Err, A>(
      { address, hasLeft }: Pick<Visitor, 'address' | 'hasLeft'>,
      work: () => Promise<E.Either<Err, A>>,
    ): Promise<E.Either<Err | Busy, A>> => {
      if (!(await turn(address, hasLeft))) return E.left({ _tag: 'Busy' });
      try {
        return await work();
      } finally {
        running -= 1;
        fill();
      }
    },
  };
};

export type HashingQueue = ReturnType<typeof hashingQueue>;
