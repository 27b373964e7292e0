import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { Clock } from '../common/clock.js';
import { windowCounter } from '../common/window-counter.js';
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

/**
 * Limits attempts by account and by network address, counted in memory. `elapsed`: a monotonic clock in
 * milliseconds.
 */
export const attemptLimiter = (limits: AttemptLimits, elapsed: Clock) => {
  const failures = originCounters(limits.loginsPerAddress, 60, elapsed);
  const perAccount = counter(limits.loginsPerAccount, 60, elapsed);
  const perAccountAnywhere = counter(limits.loginsPerAccountAnywhere, 60, elapsed);
  const all = originCounters(limits.allLoginsPerAddress, 60, elapsed);
  const signUps = originCounters(limits.signUpsPerAddress, 60 * 60, elapsed);
  const countersOf = (email: string, visitor: Origin): Counted => {
    // An e-mail address can be as long as a request: its hash is stored instead.
    const account = hashSecret(emailKey(email));
    return [
      ...failures(visitor),
      [perAccount, `${account} ${visitor.address}`],
      [perAccountAnywhere, account],
    ];
  };
  return {
    /** Counts a login, however it will end, and refuses one by password that has no chance now. */
    arrive: (visitor: Origin, email: string | null): Allowed => {
      const checked = email === null ? E.right(undefined) : ask('check', countersOf(email, visitor));
      return E.isLeft(checked) ? checked : ask('take', all(visitor));
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
    signUp: (visitor: Origin): Allowed =>
      pipe(
        ask('take', signUps(visitor)),
        E.mapLeft((refused) => ({ ...refused, limit: 'signUpsPerAddress' as const })),
      ),
  };
};

export type AttemptLimiter = ReturnType<typeof attemptLimiter>;

type Origin = Pick<Visitor, 'address' | 'network'>;

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
const ask = (question: 'check' | 'take', counted: Counted): Allowed => {
  for (const [counter, key] of counted) {
    const answer = counter[question](key);
    if (E.isLeft(answer)) return answer;
  }
  return E.right(undefined);
};

/**
 * How much more a /48 network may than an address in it: one customer may have all of its 65,536 addresses,
 * or share it with many others.
 */
const networkFactor = 4;

/** Counts by address and by network. An IPv4 address is its own network, and never reaches that limit. */
const originCounters = (points: number, seconds: number, elapsed: Clock) => {
  const perAddress = counter(points, seconds, elapsed);
  const perNetwork = counter(networkFactor * points, seconds, elapsed);
  return ({ address, network }: Origin): Counted => [
    [perAddress, address],
    [perNetwork, network],
  ];
};

/** Too many logins and sign-ups are waiting already, or the client has left. */
export type Busy = Readonly<{ _tag: 'Busy' }>;

export const defaultHashingLimits = {
  /** How many passwords are hashed at a time. libuv has four threads, which files and DNS need as well. */
  atOnce: 2,
  /** How many visitors may wait. */
  waiting: 128,
};
export type HashingLimits = Readonly<typeof defaultHashingLimits>;

/** What waits. `shift` takes out what is next, and `pop` what would come last. */
type Queue<A> = Readonly<{
  length: number;
  push: (added: A) => unknown;
  shift: () => A | undefined;
  pop: () => A | undefined;
}>;

/** Queues by key that take turns. `pop` shortens the longest; of several, the one whose turn comes last. */
const takingTurns = <A>(keyOf: (item: A) => string, open: () => Queue<A>): Queue<A> => {
  /** The one that is next comes first. */
  const lanes = new Map<string, Queue<A>>();
  return {
    get length() {
      return Array.from(lanes.values()).reduce((sum, lane) => sum + lane.length, 0);
    },
    push: (added) => {
      const lane = lanes.get(keyOf(added)) ?? open();
      lane.push(added);
      lanes.set(keyOf(added), lane);
    },
    shift: () => {
      const [next] = lanes;
      if (next === undefined) return undefined;
      const [key, lane] = next;
      const first = lane.shift();
      lanes.delete(key);
      if (lane.length > 0) lanes.set(key, lane);
      return first;
    },
    pop: () => {
      const latestFirst = Array.from(lanes).reverse();
      const [longest] = latestFirst.sort(([, l], [, r]) => r.length - l.length);
      if (longest === undefined) return undefined;
      const [key, lane] = longest;
      const last = lane.pop();
      if (lane.length === 0) lanes.delete(key);
      return last;
    },
  };
};

type Waiting = Origin & Pick<Visitor, 'hasLeft'> & Readonly<{ answer: (isTurn: boolean) => void }>;

/** Decides when a password may be hashed, which is slow on purpose. */
export const hashingQueue = ({ atOnce, waiting }: HashingLimits) => {
  const ofAddress = (): Waiting[] => [];
  const ofNetwork = () => takingTurns(({ address }) => address, ofAddress);
  const queue = takingTurns(({ network }) => network, ofNetwork);
  let running = 0;

  const removeThoseWhoLeft = (): void => {
    const all: Waiting[] = [];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) all.push(next);
    for (const each of all)
      if (each.hasLeft()) each.answer(false);
      else queue.push(each);
  };
  const fill = (): void => {
    while (running < atOnce) {
      const next = queue.shift();
      if (next === undefined) return;
      const isTurn = !next.hasLeft();
      if (isTurn) running += 1;
      next.answer(isTurn);
    }
  };
  /** Waits for a turn; false if there will be none. */
  const turn = ({ address, network, hasLeft }: Omit<Waiting, 'answer'>): Promise<boolean> =>
    new Promise((answer) => {
      queue.push({ address, network, hasLeft, answer });
      fill();
      if (queue.length > waiting) removeThoseWhoLeft();
      // Not whoever came last: a flood from a few networks must not keep out everybody else.
      if (queue.length > waiting) queue.pop()?.answer(false);
    });

  return {
    /**
     * Does work that hashes a password for a visitor. Networks take turns, and addresses within a network, so
     * that many visitors from one of them do not delay others. If too many wait, the last one of the address
     * and network with the most of them goes. Work whose visitor has left is not begun.
     */
    forVisitor: async <Err, A>(
      visitor: Omit<Waiting, 'answer'>,
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
