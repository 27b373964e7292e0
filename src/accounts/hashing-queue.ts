import * as E from '#fp-ts/Either';
import type * as TE from '#fp-ts/TaskEither';
import type { Visitor } from './visitor.js';

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
