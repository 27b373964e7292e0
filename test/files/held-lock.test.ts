import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { acquireLock } from '../../src/files/acquire-lock.js';
import { lockFile } from '../../src/files/held-lock.js';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { aProcess, lockDependencies } from './_lock.js';

const yes = async (): Promise<boolean> => true;

/** A lock whose refreshes happen when the test says so. */
const held = async (file: string) => {
  let refresh = (): void => {};
  let time = 1_000_000;
  let isStopped = false;
  const lost: string[] = [];
  const lock = await lockFile(file, {
    ...lockDependencies(),
    clock: () => {
      time += 1000;
      return time;
    },
    every: (_, task) => {
      refresh = task;
      return () => {
        isStopped = true;
      };
    },
    onLost: (holder) => lost.push(holder),
  });
  if (E.isLeft(lock)) throw new Error(lock.left);
  return { lock: lock.right, refresh: () => refresh(), lost, isStopped: () => isStopped };
};

const takeOver = async (file: string): Promise<void> => {
  await rm(`${file}.lock`);
  await acquireLock(`${file}.lock`, lockDependencies({ self: aProcess({ pid: 7 }) }));
};

/** Resolves once the condition holds. */
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};

test('a held lock is refreshed, and removed when it is released', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'x');
  const { lock, refresh, isStopped } = await held(file);
  await t.notThrowsAsync(lock.assertHeld(yes));
  const before = (await stat(`${file}.lock`)).mtimeMs;
  refresh();
  await until(async () => (await stat(`${file}.lock`)).mtimeMs !== before);
  await lock.release();
  t.true(isStopped());
  t.deepEqual(await readdir(directory), []);
});

test('a holder that lost its lock may not write, is told so, and leaves the lock alone', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'x');
  const { lock, refresh, lost, isStopped } = await held(file);
  await takeOver(file);
  await t.throwsAsync(lock.assertHeld(yes), { message: 'it is in use by process 7' });
  refresh();
  await until(() => lost.length > 0);
  t.deepEqual(lost, ['process 7']);
  t.true(isStopped());
  await lock.release();
  t.deepEqual(await readdir(directory), ['x.lock']);
});

test('a lock file that was removed is created again if the locked file has not changed', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'x');
  const { lock } = await held(file);
  await rm(`${file}.lock`);
  await t.throwsAsync(
    lock.assertHeld(async () => false),
    { message: 'it has changed since its lock file was removed' },
  );
  t.deepEqual(await readdir(directory), []);
  await t.notThrowsAsync(lock.assertHeld(yes));
  t.deepEqual(await readdir(directory), ['x.lock']);
});

test('a lock file that cannot be written is an error', async (t) => {
  const lock = await lockFile('/nowhere/x', {
    ...lockDependencies(),
    clock: () => 0,
    every: () => () => {},
    onLost: () => {},
  });
  t.regex(E.isLeft(lock) ? lock.left : '', /^\/nowhere\/x: cannot write the lock file \/nowhere\/x\.lock: /);
});
