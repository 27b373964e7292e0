import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { emailKey } from '../records/account-records.js';
import type { Visitor } from './account-flow.js';
import { hashSecret } from './sessions-and-tokens.js';

/** Too many attempts; the next one is allowed after so many seconds. */
export type TooManyAttempts = Readonly<{
  _tag: 'TooManyAttempts';
  retryAfterSeconds: number;
  /** The limit that was reached, where it is no secret. */
  limit?: 'signUpsPerAddress';
}>;

/** How many attempts are allowed. */
export type AttemptLimits = Readonly<{
  /** Failed logins to one account from one network address per minute. */
  loginsPerAccount: number;
  /**
   * Failed logins to one account per minute, from anywhere. Much larger, so that a stranger at one address
   * cannot lock everybody out of an account.
   */
  loginsPerAccountAnywhere: number;
  /** Failed logins from one network address per minute. */
  loginsPerAddress: number;
  /** Logins from one network address per minute, whether they fail or not. */
  allLoginsPerAddress: number;
  /** Sign-ups from one network address per hour. */
  signUpsPerAddress: number;
}>;

/** An attempt in progress. It counts towards the limit only once it has failed. */
export type Attempt = Readonly<{ failed: () => void; forgiven: () => void }>;

export type AttemptLimiter = Readonly<{
  /** Counts a login of an address, however it will end, and refuses those that have no chance now. */
  arrive: (email: string, address: string) => TE.TaskEither<TooManyAttempts, void>;
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
  const perAddress = counter(limits.loginsPerAddress, 60);
  const perAccount = counter(limits.loginsPerAccount, 60);
  const perAccountAnywhere = counter(limits.loginsPerAccountAnywhere, 60);
  const all = counter(limits.allLoginsPerAddress, 60);
  const signUps = counter(limits.signUpsPerAddress, 60 * 60);
  /** What a login counts for. */
  const countersOf = (email: string, address: string): readonly (readonly [Counter, string])[] => {
    // An e-mail address can be as long as a request: its hash is stored instead.
    const account = hashSecret(emailKey(email));
    return [
      [perAddress, address],
      [perAccount, `${account} ${address}`],
      [perAccountAnywhere, account],
    ];
  };
  return {
    arrive: (email, address) =>
      pipe(
        countersOf(email, address),
        TE.traverseSeqArray(([counter, key]) => counter.check(key)),
        TE.flatMap(() => all.take(address)),
      ),
    logIn: (email, address) =>
      countersOf(email, address).reduce(
        (begun: TE.TaskEither<TooManyAttempts, Attempt>, [counter, key]) =>
          pipe(
            begun,
            TE.flatMap((before) =>
              pipe(
                counter.begin(key),
                TE.tapError(() => TE.fromIO(before.forgiven)),
                TE.map((next) => both(before, next)),
              ),
            ),
          ),
        TE.right(noAttempt),
      ),
    signUp: (address) =>
      pipe(
        signUps.begin(address),
        TE.mapLeft((refused) => ({ ...refused, limit: 'signUpsPerAddress' as const })),
      ),
  };
};

const noAttempt: Attempt = { failed: () => {}, forgiven: () => {} };

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

type Counter = Readonly<{
  /** Refuses a key that has reached the limit. */
  check: (key: string) => TE.TaskEither<TooManyAttempts, void>;
  /** Counts at once, and refuses a key beyond the limit. */
  take: (key: string) => TE.TaskEither<TooManyAttempts, void>;
  /** Begins what is counted if it fails. */
  begin: (key: string) => TE.TaskEither<TooManyAttempts, Attempt>;
}>;

/** Counts failures by key: at most `points` in `duration` seconds. */
const counter = (points: number, duration: number): Counter => {
  const limiter = new RateLimiterMemory({ points, duration });
  const inProgress = new Map<string, Set<Promise<void>>>();

  const left = (counted: RateLimiterRes | null): number => points - (counted?.consumedPoints ?? 0);
  const refuse = (counted: RateLimiterRes | null): E.Either<TooManyAttempts, never> =>
    E.left({
      _tag: 'TooManyAttempts',
      retryAfterSeconds: Math.max(1, Math.ceil((counted?.msBeforeNext ?? 0) / 1000)),
    });
  return {
    check: (key) => async () => {
      const counted = await limiter.get(key);
      return left(counted) > 0 ? E.right(undefined) : refuse(counted);
    },
    take: (key) => async () => {
      const counted = await limiter.penalty(key);
      return left(counted) >= 0 ? E.right(undefined) : refuse(counted);
    },
    begin: (key) => async () => {
      for (;;) {
        const counted = await limiter.get(key);
        if (left(counted) <= 0) return refuse(counted);
        const others = inProgress.get(key) ?? new Set();
        if (others.size < left(counted)) return E.right(begin(key, others));
        await Promise.race(others);
      }
    },
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

/** Too many logins and sign-ups are waiting already, or the client has left. */
export type Busy = Readonly<{ _tag: 'Busy' }>;

/** How much hashing of passwords goes on at a time. */
export type HashingLimits = Readonly<{
  /** How many passwords are hashed at a time. libuv has four threads, which files and DNS need as well. */
  atOnce: number;
  /** How many visitors may wait. */
  waiting: number;
  /** How many visitors of one network address may wait. */
  waitingPerAddress: number;
}>;

/** Decides when a password may be hashed, which is slow on purpose. */
export type HashingQueue = Readonly<{
  /**
   * Does work that hashes a password for a visitor. Network addresses take turns, so that many visitors from
   * one of them do not delay others. Work whose visitor has left is not begun.
   */
  forVisitor: <Err, A>(
    visitor: Pick<Visitor, 'address' | 'hasLeft'>,
    work: TE.TaskEither<Err, A>,
  ) => TE.TaskEither<Err | Busy, A>;
}>;

/** The limits of `serve`. */
export const defaultHashingLimits: HashingLimits = { atOnce: 2, waiting: 64, waitingPerAddress: 16 };

type Waiting = Readonly<{ begin: () => void; refuse: () => void; hasLeft: () => boolean }>;

/** A queue with one lane for each network address, which take turns. */
export const hashingQueue = ({ atOnce, waiting, waitingPerAddress }: HashingLimits): HashingQueue => {
  /** No lane is empty. The one whose turn is next comes first. */
  const lanes = new Map<string, Waiting[]>();
  let running = 0;
  let count = 0;

  const removeThoseWhoLeft = (): void => {
    for (const [lane, all] of lanes) {
      const staying = all.filter((each) => !each.hasLeft());
      for (const each of all) if (!staying.includes(each)) each.refuse();
      count -= all.length - staying.length;
      if (staying.length === 0) lanes.delete(lane);
      else lanes.set(lane, staying);
    }
  };
  const isFull = (lane: string): boolean =>
    count >= waiting || (lanes.get(lane)?.length ?? 0) >= waitingPerAddress;

  const next = (): Waiting | undefined => {
    for (const [lane, [first, ...others]] of lanes) {
      lanes.delete(lane);
      if (others.length > 0) lanes.set(lane, others);
      count -= 1;
      return first;
    }
    return undefined;
  };
  const fill = (): void => {
    while (running < atOnce) {
      const first = next();
      if (first === undefined) return;
      if (first.hasLeft()) first.refuse();
      else first.begin();
    }
  };
  const enter = (lane: string, entering: Waiting): void => {
    lanes.set(lane, [...(lanes.get(lane) ?? []), entering]);
    count += 1;
    fill();
  };
  /** Waits for a turn. `left`: there will be none. `right`: ends the turn. */
  const turn = (lane: string, hasLeft: () => boolean): Promise<E.Either<Busy, () => void>> =>
    new Promise((resolve) => {
      const refuse = (): void => resolve(E.left({ _tag: 'Busy' }));
      const end = (): void => {
        running -= 1;
        fill();
      };
      if (running >= atOnce && isFull(lane)) removeThoseWhoLeft();
      if (running >= atOnce && isFull(lane)) return refuse();
      enter(lane, {
        hasLeft,
        refuse,
        begin: () => {
          running += 1;
          resolve(E.right(end));
        },
      });
    });

  return {
    forVisitor:
      ({ address, hasLeft }, work) =>
      async () => {
        const begun = await turn(address, hasLeft);
        if (E.isLeft(begun)) return begun;
        try {
          return await work();
        } finally {
          begun.right();
        }
      },
  };
};
