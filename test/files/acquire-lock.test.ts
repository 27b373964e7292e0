import { writeFileSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { acquireLock, releaseLock } from '../../src/files/acquire-lock.js';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { aProcess, lockDependencies } from './_lock.js';

const inOtherContainer = aProcess({ host: 'there', space: 'another container' });

for (const { of, self, state, outcome } of [
  {
    of: 'a running process of the same container refuses others at once',
    self: aProcess({ pid: 2 }),
    state: { isRunning: true, started: '100' },
    outcome: E.left('process 1'),
  },
  {
    of: 'a process that has ended is taken over at once',
    self: aProcess({ pid: 2 }),
    state: { isRunning: false, started: null },
    outcome: null,
  },
  {
    of: 'a process whose id another one has by now is taken over at once',
    self: aProcess({ started: '200' }),
    state: { isRunning: true, started: '200' },
    outcome: null,
  },
] as const) {
  test(`the lock of ${of}`, async (t) => {
    const path = join(await directoryWith(t, {}), 'x.lock');
    await acquireLock(path, lockDependencies());
    const waits: string[] = [];
    const result = await acquireLock(path, lockDependencies({ self, processState: () => state, waits }));
    if (outcome === null) t.true(E.isRight(result));
    else t.deepEqual(result, outcome);
    t.deepEqual(waits, []);
  });
}

test('the lock of another container that is refreshed refuses others', async (t) => {
  const path = join(await directoryWith(t, {}), 'x.lock');
  await acquireLock(path, lockDependencies({ self: inOtherContainer }));
  let beat = 0;
  const waits: string[] = [];
  const onSleep = async (): Promise<void> => {
    beat += 1;
    if (beat === 4) await utimes(path, beat, beat);
  };
  t.deepEqual(
    await acquireLock(path, lockDependencies({ onSleep, waits })),
    E.left('process 1 in another container or on another machine (host there)'),
  );
  t.deepEqual(waits, [
    `${path} belongs to process 1 in another container or on another machine (host there); watching for 10 seconds whether that still runs`,
  ]);
});

test('the lock of another container that is not refreshed for ten seconds is taken over', async (t) => {
  const path = join(await directoryWith(t, {}), 'x.lock');
  await acquireLock(path, lockDependencies({ self: inOtherContainer }));
  const slept: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds);
  const taken = await acquireLock(path, lockDependencies({ sleep }));
  t.true(E.isRight(taken));
  t.is(
    slept.reduce((sum, each) => sum + each, 0),
    10_000,
  );
  const content: unknown = JSON.parse(await readFile(path, 'utf8'));
  t.deepEqual(E.right(content), taken);
});

test('where the start of a process is unknown, its lock is watched', async (t) => {
  const path = join(await directoryWith(t, {}), 'x.lock');
  const self = aProcess({ started: null });
  await acquireLock(path, lockDependencies({ self }));
  const waits: string[] = [];
  const processState = () => ({ isRunning: true, started: null });
  t.true(E.isRight(await acquireLock(path, lockDependencies({ self, processState, waits }))));
  t.is(waits.length, 1);
});

for (const content of [
  '',
  '{"id":',
  '11',
  '{"id":"../../x","pid":1,"host":"h","space":"s","started":null}',
]) {
  test(`a lock file that contains ${JSON.stringify(content)} is watched, then taken over`, async (t) => {
    const directory = await directoryWith(t, { 'x.lock': content });
    const waits: string[] = [];
    t.true(E.isRight(await acquireLock(join(directory, 'x.lock'), lockDependencies({ waits }))));
    t.regex(waits[0] ?? '', / belongs to an unknown process; /);
    t.deepEqual(await readdir(directory), ['x.lock']);
  });
}

test('a lock that is released while it is watched is acquired', async (t) => {
  const path = join(await directoryWith(t, {}), 'x.lock');
  const theirs = await acquireLock(path, lockDependencies({ self: inOtherContainer }));
  const onSleep = async (): Promise<void> => {
    if (E.isRight(theirs)) await releaseLock(path, theirs.right);
  };
  t.true(E.isRight(await acquireLock(path, lockDependencies({ onSleep }))));
});

test('of many newcomers to a dead lock exactly one wins', async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const directory = await directoryWith(t, {});
    const path = join(directory, 'x.lock');
    await acquireLock(path, lockDependencies());
    const newcomers = Array.from({ length: 8 }, (_, i) => aProcess({ pid: 10 + i, started: `${10 + i}` }));
    // Only the process with the dead lock has ended.
    const processState = (pid: number) => ({ isRunning: pid !== 1, started: String(pid) });
    const results = await Promise.all(
      newcomers.map((self) => acquireLock(path, lockDependencies({ self, processState }))),
    );
    t.is(results.filter(E.isRight).length, 1);
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    t.deepEqual(results.find(E.isRight), E.right(content));
    t.deepEqual(await readdir(directory), ['x.lock'], 'no claim is left');
  }
});

test('a newcomer that finds a lock dead too late does not take the new one over', async (t) => {
  const path = join(await directoryWith(t, {}), 'x.lock');
  await acquireLock(path, lockDependencies());
  const winner = JSON.stringify({ id: 'winner', ...aProcess({ pid: 7 }) });
  const processState = (pid: number) => {
    // While this one looks at the process of the dead lock, another newcomer wins.
    if (pid === 1) writeFileSync(path, winner);
    return { isRunning: pid === 7, started: '100' };
  };
  const self = aProcess({ pid: 2 });
  t.deepEqual(await acquireLock(path, lockDependencies({ self, processState })), E.left('process 7'));
  t.is(await readFile(path, 'utf8'), winner);
});

test('a claim that a killed newcomer left behind is taken over, too', async (t) => {
  const directory = await directoryWith(t, {});
  const path = join(directory, 'x.lock');
  const dead = await acquireLock(path, lockDependencies());
  if (E.isRight(dead))
    await acquireLock(`${path}.${dead.right.id}`, lockDependencies({ self: aProcess({ pid: 9 }) }));
  t.true(E.isRight(await acquireLock(path, lockDependencies({ self: aProcess({ pid: 2 }) }))));
  t.deepEqual(await readdir(directory), ['x.lock']);
});

test('a lock is released only by its owner', async (t) => {
  const directory = await directoryWith(t, {});
  const path = join(directory, 'x.lock');
  const first = await acquireLock(path, lockDependencies());
  await writeFile(path, 'another');
  if (E.isRight(first)) await releaseLock(path, first.right);
  t.deepEqual(await readdir(directory), ['x.lock']);
});
