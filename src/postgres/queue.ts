import type { Clock } from '../common/clock.js';
import { inTurn, settledWithin } from '../common/concurrency.js';
import { nextTurn, runAfter } from '../common/timers.js';
import type { Statement } from './database.js';

/** Why a statement was not run, or not to its end: others had the connections, and its time was over. */
export class DatabaseBusy extends Error {}

// There may be a thousand refusals a second. Each error that is made costs a look at the stack.
const shareUsedUp = new DatabaseBusy('the tenant has used up its share of the connections');
const nothingFree = new DatabaseBusy('no connection was free in time');
const queueFull = new DatabaseBusy('too many requests wait');

/** A statement, and when its time began and ends, by the clock of the queue. */
export type Turn = Readonly<{
  statement: Statement;
  asked: number;
  deadline: number;
  resolve: (rows: readonly unknown[]) => void;
  reject: (error: unknown) => void;
}>;

/** `answered`, if only with an error; `silent`: not at all; `full`: no connection was granted to it. */
export type Ending = 'answered' | 'silent' | 'full';

/** Runs a turn, and settles it. Resolves when its connection can be used again, or is gone. */
type Run = (turn: Turn) => Promise<Ending>;

/** Statements of a tenant. `asked`: when the last one came. `pending`: how many have no answer yet. */
type Group = { name: string | null; asked: number; waiting: Set<Turn>; running: number; pending: number };

/** A tenant that has connections gets a further one while it has fewer than this part of those then free. */
const shareOfFree = { alone: 1 / 3, besideOthers: 1 / 9 };

/** So long after its last statement came, a tenant is beside others, in milliseconds. */
const besideTime = 100;

/** How many statements may be pending for each connection; those of a tenant are half of them at most. */
const maxPending = 500;

/** Runs statements on so many connections, and on one more those of the group null. Groups take turns. */
export const statementQueue = (size: number, time: number, elapsed: Clock, run: Run) => {
  const groups = new Map<Group['name'], Group>();
  const all = { running: 0, pending: 0 };
  const refuse = inTurn();
  /** How many connections there can be, and when the database last answered, or began to have work to do. */
  let [granted, lastSign] = [size + 1, 0];

  const countFree = (): number => Math.min(granted, size) - all.running;
  const mayStart = ({ name, running: own }: Group): boolean => {
    if (name === null) return own === 0 && all.running < granted;
    const share = groups.size > 1 ? shareOfFree.besideOthers : shareOfFree.alone;
    return countFree() > 0 && (name === '' || own === 0 || own < countFree() * share);
  };

  const startAll = (connections = granted): void => {
    granted = connections;
    const now = elapsed();
    for (const group of groups.values()) {
      if (group.pending + group.running === 0 && now - group.asked > besideTime) groups.delete(group.name);
      const [turn] = group.waiting;
      if (turn === undefined || !mayStart(group)) continue;
      group.waiting.delete(turn);
      // The group goes to the end, where it is the last to get the next connection.
      groups.delete(group.name);
      groups.set(group.name, group);
      // In less than half of its time it might not end, and whoever waits no longer must not cost anything.
      if (2 * now <= turn.asked + turn.deadline) void start(group, turn);
    }
  };

  const start = async (group: Group, turn: Turn): Promise<void> => {
    for (const each of [all, group]) each.running += 1;
    const ending = await run(turn);
    for (const each of [all, group]) each.running -= 1;
    if (ending !== 'silent') lastSign = elapsed();
    if (ending === 'full') {
      granted = all.running;
      runAfter(granted === 0 ? 50 : 1000, () => startAll(size + 1));
      group.waiting = new Set([turn, ...group.waiting]);
    }
    startAll();
  };

  const query = async (statement: Statement): Promise<readonly unknown[]> => {
    const { group: name = '', timeLimit = time } = statement;
    const asked = elapsed();
    const group: Group = groups.get(name) ?? { name, asked, waiting: new Set(), running: 0, pending: 0 };
    if (Math.max(all.pending, 2 * group.pending) >= size * maxPending) throw queueFull;
    if (all.pending === 0) lastSign = asked;
    groups.set(name, group);
    group.asked = asked;
    for (const each of [all, group]) each.pending += 1;
    try {
      const answer = new Promise<readonly unknown[]>((resolve, reject) => {
        group.waiting.add({ statement, asked, deadline: asked + timeLimit, resolve, reject });
      });
      startAll();
      const rows = await settledWithin(timeLimit, () => answer);
      if (rows !== null) return rows;
      const isStalled = elapsed() - lastSign >= timeLimit / 2;
      if (isStalled) throw new Error(`no answer from the database within ${timeLimit} ms`);
      const error = countFree() > 0 ? shareUsedUp : nothingFree;
      // One after the other, so that what the database answers is passed on in between.
      await refuse(nextTurn);
      throw error;
    } finally {
      for (const each of [all, group]) each.pending -= 1;
    }
  };

  return { query, waiting: () => Math.max(0, all.pending - all.running) };
};
