import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { hashSecret } from '../api/credentials.js';
import type { Clock } from '../common/clock.js';
import { windowCounter } from '../common/window-counter.js';
import type { AccountOutcome, Visitor } from './account-flow.js';
import { emailKey } from './account-records.js';

/** Too many attempts; the next one is allowed after so many seconds. */
export type TooManyAttempts = Readonly<{
  _tag: 'TooManyAttempts';
  retryAfterSeconds: number;
  /** The limit that was reached, where it is no secret. */
  limit?: 'signUpsPerAddress';
}>;

const defaultAttemptLimits = {
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
type AttemptLimits = Readonly<typeof defaultAttemptLimits>;

/**
 * Limits attempts by account and by network address, counted in memory. `elapsed`: a monotonic clock in
 * milliseconds.
 */
export const attemptLimiter = (limits: AttemptLimits, elapsed: Clock) => {
  const failures = counter(limits.loginsPerAddress, 60, elapsed);
  const perAccount = counter(limits.loginsPerAccount, 60, elapsed);
  const perAccountAnywhere = counter(limits.loginsPerAccountAnywhere, 60, elapsed);
  const all = counter(limits.allLoginsPerAddress, 60, elapsed);
  const signUps = counter(limits.signUpsPerAddress, 60 * 60, elapsed);
  const countersOf = (email: string, { address }: Origin): Counted => {
    // An e-mail address can be as long as a request: its hash is stored instead.
    const account = hashSecret(emailKey(email));
    return [
      [failures, address],
      [perAccount, `${account} ${address}`],
      [perAccountAnywhere, account],
    ];
  };
  return {
    /** Counts a login, however it will end, and refuses one by password that has no chance now. */
    arrive: (visitor: Origin, email: string | null): Allowed => {
      const checked = email === null ? E.right(undefined) : check(countersOf(email, visitor));
      return E.isLeft(checked) ? checked : all.take(visitor.address);
    },
    /**
     * Does what verifies the credentials of a login. Wrong ones count; neither a success nor a fault of the
     * server does. At most as many logins are verified at a time as may still fail, so that concurrent
     * attempts cannot get around the limit; a further one waits for the others to end.
     */
    logIn: <A>(email: string, visitor: Origin, verification: Verification<A>): AccountOutcome<A> =>
      countersOf(email, visitor).reduceRight<Verification<A>>(
        (work, [counter, key]) =>
          () =>
            counter.attempt(key, work),
        verification,
      )(),
    signUp: ({ address }: Origin): Allowed =>
      pipe(
        signUps.take(address),
        E.mapLeft((refused) => ({ ...refused, limit: 'signUpsPerAddress' as const })),
      ),
  };
};

export type AttemptLimiter = ReturnType<typeof attemptLimiter>;

type Origin = Pick<Visitor, 'address'>;

type Allowed = E.Either<TooManyAttempts, void>;

type Verification<A> = () => AccountOutcome<A>;

/** Counts by key: at most `points` in so many seconds. */
const counter = (points: number, seconds: number, elapsed: Clock) => {
  const { count, peek } = windowCounter(seconds, elapsed);
  const inProgress = new Map<string, Set<Promise<void>>>();

  const refuse = (retryAfterSeconds: number): E.Either<TooManyAttempts, never> =>
    E.left({ _tag: 'TooManyAttempts', retryAfterSeconds });

  const verify = <A>(
    key: string,
    others: Set<Promise<void>>,
    verification: Verification<A>,
  ): AccountOutcome<A> => {
    const verified = verification().then((result) => {
      if (E.isLeft(result) && result.left._tag === 'WrongCredentials') count(key);
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
    check: (key: string): Allowed => {
      const { taken, secondsLeft } = peek(key);
      return taken < points ? E.right(undefined) : refuse(secondsLeft);
    },
    /** Counts at once, and refuses a key beyond the limit. */
    take: (key: string): Allowed => {
      const { taken, secondsLeft } = count(key);
      return taken <= points ? E.right(undefined) : refuse(secondsLeft);
    },
    /** Does a verification once there is room for it, and counts wrong credentials. */
    attempt: async <A>(key: string, verification: Verification<A>): AccountOutcome<A> => {
      for (;;) {
        const { taken, secondsLeft } = peek(key);
        if (taken >= points) return refuse(secondsLeft);
        const others = inProgress.get(key) ?? new Set();
        if (others.size < points - taken) return verify(key, others, verification);
        await Promise.race(others);
      }
    },
  };
};

type Counted = readonly (readonly [counter: ReturnType<typeof counter>, key: string])[];

/** Asks one counter after the other, until one refuses. */
const check = (counted: Counted): Allowed => {
  for (const [counter, key] of counted) {
    const answer = counter.check(key);
    if (E.isLeft(answer)) return answer;
  }
  return E.right(undefined);
};

/** Too many logins and sign-ups are waiting already, or the client has left. */
export type Busy = Readonly<{ _tag: 'Busy' }>;

export const defaultHashingLimits = {
  /** How many passwords are hashed at a time. libuv has four threads, which files and DNS need as well. */
  atOnce: 2,
  /** How many visitors may wait. */
  waiting: 128,
  /** How many of them may be of one network. */
  waitingPerNetwork: 32,
};
type HashingLimits = Readonly<typeof defaultHashingLimits>;

type Waiting = Pick<Visitor, 'network' | 'hasLeft'>;

/**
 * Decides when a password may be hashed, which is slow on purpose. `chance`: numbers from 0 up to 1, which
 * decide who goes when too many wait.
 */
export const hashingQueue = (limits: HashingLimits, chance: () => number) => {
  const { atOnce, waiting, waitingPerNetwork } = limits;
  let queue: readonly (Waiting & Readonly<{ answer: (isTurn: boolean) => void }>)[] = [];
  let running = 0;

  const fill = (): void => {
    while (running < atOnce) {
      const [next, ...others] = queue;
      if (next === undefined) return;
      queue = others;
      const isTurn = !next.hasLeft();
      if (isTurn) running += 1;
      next.answer(isTurn);
    }
  };
  const removeThoseWhoLeft = (): void => {
    for (const each of queue) if (each.hasLeft()) each.answer(false);
    queue = queue.filter((each) => !each.hasLeft());
  };
  /** Those who wait of the networks with most of them: a flood must not keep out everybody else. */
  const crowd = (): typeof queue => {
    const counts = new Map<string, number>();
    for (const { network } of queue) counts.set(network, (counts.get(network) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const isFull = queue.length > waiting || most > waitingPerNetwork;
    return isFull ? queue.filter(({ network }) => counts.get(network) === most) : [];
  };
  /** Waits for a turn; false if there will be none. */
  const turn = ({ network, hasLeft }: Waiting): Promise<boolean> =>
    new Promise((answer) => {
      queue = [...queue, { network, hasLeft, answer }];
      fill();
      if (crowd().length > 0) removeThoseWhoLeft();
      const crowded = crowd();
      const dropped = crowded[Math.floor(chance() * crowded.length)];
      queue = queue.filter((each) => each !== dropped);
      dropped?.answer(false);
    });

  return {
    /**
     * Does work that hashes a password for a visitor, in the order in which visitors come. If too many wait,
     * one of the network with most of them goes. Work whose visitor has left is not begun.
     */
    forVisitor: async <Err, A>(
      visitor: Waiting,
      work: () => Promise<E.Either<Err, A>>,
    ): Promise<E.Either<Err | Busy, A>> => {
      if (!(await turn(visitor))) return E.left({ _tag: 'Busy' });
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
