import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Database, Statement } from '../../src/postgres/database.js';
import { DatabaseBusy, type Ending, statementQueue, type Turn } from '../../src/postgres/queue.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { byToken } from '../_storage.js';

/** Lets what was told to settle do so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const ask = (text: string, over: Partial<Statement> = {}): Statement => ({ text, values: [], ...over });

/** A queue over a database that answers when it is told to, by a clock that the test moves. */
const queueOf = (places: number, timeLimit = 5000) => {
  let now = 0;
  const runs: Readonly<{ turn: Turn; text: string; end: (ending: Ending) => void }>[] = [];
  const run = (turn: Turn): Promise<Ending> =>
    new Promise((end) => void runs.push({ turn, text: turn.statement.text, end }));
  const queue = statementQueue(places, timeLimit, () => now, run);
  return {
    ...queue,
    runs,
    started: () => runs.map(({ text }) => text),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** The database answers a statement, by its place in the order of their starts. */
    answer: async (index: number): Promise<void> => {
      runs[index]?.turn.resolve([index]);
      runs[index]?.end('answered');
      await settled();
    },
    /** Asks for so many statements of a group, which nobody waits for. */
    fill: (count: number, group?: string) => {
      const over = group === undefined ? {} : { group };
      for (let n = 0; n < count; n += 1) void queue.query(ask('other', over)).catch(() => {});
    },
  };
};

test('a tenant gets connections while many are free, leaves some to others, and takes turns with them', async (t) => {
  const { query, started, answer, pass } = queueOf(8);
  const large = Array.from({ length: 6 }, (_, n) => query(ask(`large ${n}`, { group: 'large' })));
  t.deepEqual(started(), ['large 0', 'large 1'], 'as many as a third of those that are free');
  const others = ['a', 'b', 'c', 'd', 'e'].map((group) => query(ask(group, { group })));
  t.deepEqual(started().slice(2), ['a', 'b', 'c', 'd', 'e']);
  for (const index of [0, 2, 3, 4, 5, 6]) await answer(index);
  t.is(started().length, 7, 'others have just asked for something');
  pass(101);
  await answer(1);
  t.deepEqual(started().slice(7), ['large 2', 'large 3'], 'it is alone again');
  for (const index of [7, 8, 9, 10]) await answer(index);
  t.is((await Promise.all([...large, ...others])).length, 11);
});

for (const [filling, group, isAnswered, expected] of [
  [4, 'large', true, 'DatabaseBusy: the tenant has used up its share of the connections'],
  [6, undefined, true, 'DatabaseBusy: no connection was free in time'],
  [6, undefined, false, 'Error: no answer from the database within 100 ms'],
] as const)
  test(`a statement whose time is over before it was run is refused: ${expected}`, async (t) => {
    const { query, answer, pass, fill } = queueOf(4, 100);
    fill(filling, group);
    pass(100);
    const late = query(ask('late', group === undefined ? {} : { group }));
    if (isAnswered) await answer(0);
    const error = await t.throwsAsync(late);
    t.is(`${error?.constructor.name}: ${error?.message}`, expected);
  });

test('answers of the database are handled between two refusals of the queue', async (t) => {
  const { query, answer, pass } = queueOf(4, 100);
  const late = Array.from({ length: 20 }, (_, n) => query(ask(`${n}`, { group: 'large' })));
  pass(100);
  await answer(0);
  let turn = 0;
  const next = (): void => {
    turn += 1;
    immediate = setImmediate(next);
  };
  let immediate = setImmediate(next);
  const turns = await Promise.all(late.slice(1).map((each) => each.then(() => -1).catch(() => turn)));
  clearImmediate(immediate);
  t.is(new Set(turns).size, 19);
});

test('a tenant that fills its half of the queue is refused at once, and others are not', async (t) => {
  const { query, started, fill } = queueOf(4, 100);
  fill(1000, 'large');
  await t.throwsAsync(query(ask('one too many', { group: 'large' })), { instanceOf: DatabaseBusy });
  void query(ask('small', { group: 'small' })).catch(() => {});
  t.is(started().at(-1), 'small');
});

test('a statement for which no connection is granted waits for those there are, or for a moment if there is none', async (t) => {
  const { query, runs, started, answer } = queueOf(2);
  const both = ['first', 'second'].map((text) => query(ask(text)));
  runs[1]?.end('full');
  await settled();
  t.deepEqual(started(), ['first', 'second']);
  await answer(0);
  t.deepEqual(started(), ['first', 'second', 'second']);
  runs[2]?.end('full');
  while (runs.length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  await answer(3);
  t.deepEqual(await Promise.all(both), [[0], [3]]);
});

test('the statements of all credentials of a tenant are one group after the first of each', async (t) => {
  const groups: unknown[] = [];
  const query: Database['query'] = async ({ group }) => {
    groups.push(group);
    return E.right([{ userId: 'u', useDue: false, total: '0', version: '1', rows: null }]);
  };
  const storage = postgresStorage({ database: { query } }, () => {});
  for (const token of ['a', 'b', 'a', 'b']) await storage.repos(byToken(token));
  t.not(groups[0], groups[1]);
  t.deepEqual(groups.slice(2), ['u', 'u']);
});
