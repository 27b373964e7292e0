import type { Clock } from '../../common/clock.js';
import { settledWithin } from '../../common/concurrency.js';
import { pause, runAfter } from '../../common/timers.js';
import type { Statement } from './database.js';

// The one place in which statements wait. A pool has so many places, one for each of its connections, and
// groups of statements, which are the tenants, take turns for them. One more place is for what asks how the
// database is: the group null.

/** Why a statement was not run, or not to its end: others had the places, and its time was over. */
export class DatabaseBusy extends Error {}

type Rows = readonly unknown[];

/** A statement that waits or runs, for all who have asked for it. */
export type Turn = {
  /** The one that came last, whose credentials must be valid at the latest moment. */
  statement: Statement;
  /** When it was asked for first, and when those who asked last stop waiting, by the clock of the queue. */
  readonly asked: number;
  deadline: number;
  readonly rows: Promise<Rows>;
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * How a turn ended: `answered`, if only with an error; `silent`, without an answer; `full`: it has not been
 * run, because the server grants no further connection.
 */
export type Ending = 'answered' | 'silent' | 'full';

type Group = Readonly<{ name: string | null; waiting: Turn[] }> & {
  running: number;
  /** How long its statements have lately taken on average, in milliseconds. */
  took: number;
  /** How long each of the last ones has taken. */
  last: readonly number[];
};

type Dependencies = Readonly<{
  /** The maximum number of connections, but one. */
  places: number;
  /** How long a statement may take that has no time limit of its own, in milliseconds. */
  timeLimit: number;
  elapsed: Clock;
  /** Runs a turn, and settles it. Resolves when its connection can be used again, or is gone. */
  run: (turn: Turn) => Promise<Ending>;
}>;

/**
 * The part of the places that one group gets, and beside others, so that it leaves some to them. Half of them
 * to a tenant of 50,000 rows, which kept two processors busy, halved the p90 of small tenants beside it.
 */
const placesPerGroup = { alone: 1 / 4, besideOthers: 1 / 8 };

/** So long after statements of different groups were started, they are beside each other, in milliseconds. */
const besideTime = 100;

/** A timer can be early. */
const nearlyAll = 0.9;

/** How many statements may wait for each place, in all and in a group. */
const maxWaitingPerPlace = 100;

/** How long a queue that was granted fewer connections makes do with them, in milliseconds. */
const fullPause = { withSome: 1000, withNone: 50 };

/**
 * More refusals than one in so many milliseconds, and a burst, are spread over the time limit. A client that
 * is refused at once is soon back: 1,300 of them that waited 50 ms left a third of the responses to others.
 */
const refusalInterval = 2;
const refusalBurst = 100;

/** The weight of the last statement in the time that statements take on average. */
const lastWeight = 1 / 4;

/** How many statements show what those of a group can take at least: more than run at once, mostly. */
const lastCount = 4;

/** Runs statements in the order of their groups' turns. `waiting`: how many wait. */
export const statementQueue = ({ places, timeLimit, elapsed, run }: Dependencies) => {
  const groups = new Map<Group['name'], Group>();
  let [running, waiting, granted] = [0, 0, places + 1];
  /** When the database last answered, or began to have work to do. */
  let lastSign = Number.NEGATIVE_INFINITY;
  let isSilent = false;
  let nextRefusal = 0;
  let [lastGroup, lastSwitch]: [Group['name'], number] = ['', Number.NEGATIVE_INFINITY];

  const busy = new DatabaseBusy('the database is busy: no connection was free in time');
  const tooLate = (limit: number): Error =>
    elapsed() - lastSign < limit * nearlyAll
      ? busy
      : new Error(`no answer from the database within ${limit} ms`);

  const refuse = async (limit: number): Promise<never> => {
    const now = elapsed();
    nextRefusal = Math.max(now, nextRefusal + refusalInterval);
    const wait = Math.min(nextRefusal - now - refusalBurst, limit);
    if (wait > 0) await pause(wait);
    throw tooLate(limit);
  };

  /**
   * A statement is started only if it has twice the time left that the fastest of the last ones of its group
   * has taken: one that has waited for a lock says nothing about those that come after it.
   */
  const neededBy = ({ last }: Group): number =>
    last.length < lastCount ? 0 : Math.min(2 * Math.min(...last), timeLimit / 2);

  const placesOf = ({ name }: Group): number => {
    if (name === null) return 1;
    if (name === '') return places;
    const isAlone = elapsed() - lastSwitch > besideTime;
    const part = isAlone ? placesPerGroup.alone : placesPerGroup.besideOthers;
    return Math.max(1, Math.floor(places * part));
  };

  /** Moves a group to the end, where it is the last to get the next place, or forgets it if it is empty. */
  const toEnd = (group: Group): void => {
    groups.delete(group.name);
    if (group.running + group.waiting.length > 0) groups.set(group.name, group);
  };

  const startAll = (): void => {
    for (const group of groups.values()) {
      if (running >= granted) return;
      if (group.running >= placesOf(group) || (running >= places && group.name !== null)) continue;
      const turn = group.waiting.shift();
      if (turn === undefined) continue;
      waiting -= 1;
      if (turn.deadline - elapsed() < neededBy(group)) turn.reject(tooLate(timeLimit));
      else void start(group, turn);
      toEnd(group);
    }
  };

  const start = async (group: Group, turn: Turn): Promise<void> => {
    const began = elapsed();
    if (running === 0 && !isSilent) lastSign = began;
    if (group.name !== lastGroup) [lastGroup, lastSwitch] = [group.name, began];
    running += 1;
    group.running += 1;
    const ending = await run(turn);
    running -= 1;
    group.running -= 1;
    const took = elapsed() - began;
    isSilent = ending === 'silent';
    if (!isSilent) lastSign = elapsed();
    if (ending !== 'full') {
      group.took += (took - group.took) * (group.took === 0 ? 1 : lastWeight);
      // One without an answer says the same of those that come after it.
      group.last = isSilent
        ? new Array<number>(lastCount).fill(took)
        : [...group.last.slice(1 - lastCount), took];
    } else {
      if (granted > places) runAfter(running === 0 ? fullPause.withNone : fullPause.withSome, grantAll);
      granted = running;
      group.waiting.unshift(turn);
      waiting += 1;
    }
    if (group.running + group.waiting.length === 0) toEnd(group);
    startAll();
  };

  const grantAll = (): void => {
    granted = places + 1;
    startAll();
  };

  /**
   * What a statement comes to, or shares with an equal one that waits: with one that runs, it might miss what
   * was written in between. On first pages of one tenant, read by 16 clients, sharing was worth 3.2 times as
   * many requests per second.
   */
  const query = async (statement: Statement): Promise<Rows> => {
    const { share, group: name = '', timeLimit: limit = timeLimit } = statement;
    const deadline = elapsed() + limit;
    const group = groups.get(name) ?? { name, waiting: [], running: 0, took: 0, last: [] };
    let turn = share === undefined ? undefined : group.waiting.find((each) => each.statement.share === share);
    if (turn === undefined) {
      const wait = (group.waiting.length / placesOf(group)) * group.took + neededBy(group);
      const isFull = group.waiting.length >= placesOf(group) * maxWaitingPerPlace;
      const areAllFull = waiting >= places * maxWaitingPerPlace && name !== null;
      if (wait > limit || isFull || areAllFull) return refuse(limit);
      turn = newTurn(statement, deadline - limit, deadline);
      group.waiting.push(turn);
      groups.set(group.name, group);
      waiting += 1;
      startAll();
    } else {
      turn.statement = statement;
      turn.deadline = deadline;
    }
    const { rows } = turn;
    const settled = await settledWithin(limit, async () => ({ rows: await rows }));
    if (settled === null) throw tooLate(limit);
    return settled.rows;
  };

  return { query, waiting: () => waiting };
};

const newTurn = (statement: Statement, asked: number, deadline: number): Turn => {
  let resolve: Turn['resolve'] = () => {};
  let reject: Turn['reject'] = () => {};
  const rows = new Promise<Rows>((...both) => {
    [resolve, reject] = both;
  });
  // Those who asked may have stopped waiting.
  rows.catch(() => {});
  return { statement, asked, deadline, rows, resolve, reject };
};
