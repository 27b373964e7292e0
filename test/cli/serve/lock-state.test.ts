import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { lockState } from '../../../src/cli/serve/lock-state.js';
import { directoryWith } from '../../storage/fixtures/_directory.js';

const release = (lock: E.Either<string, () => void>): void => {
  if (E.isRight(lock)) lock.right();
};

test('a state file belongs to one running process at a time', async (t) => {
  const file = join(await directoryWith(t, {}), 'state.json');
  const first = lockState(file, 11, () => true);
  t.true(E.isRight(first));
  t.deepEqual(
    lockState(file, 22, () => true),
    E.left(`${file} is in use by process 11`),
  );
  release(first);
  t.false(existsSync(`${file}.lock`));
  t.true(E.isRight(lockState(file, 22, () => true)));
});

test('a lock is taken over if its process has ended, is this one, or is not a process id', async (t) => {
  for (const [claim, pid, isRunning] of [
    ['11', 22, false],
    ['1', 1, true],
    ['', 22, true],
    ['x', 22, true],
    ['-1', 22, true],
  ] as const) {
    const file = join(await directoryWith(t, {}), 'state.json');
    await writeFile(`${file}.lock`, claim);
    t.true(E.isRight(lockState(file, pid, () => isRunning)), claim);
    t.is(await readFile(`${file}.lock`, 'utf8'), String(pid));
  }
});

test('a lock file that cannot be written is an error', (t) => {
  const lock = lockState('/nowhere/state.json', 1, () => true);
  t.regex(
    E.isLeft(lock) ? lock.left : '',
    /^\/nowhere\/state\.json: cannot write the lock file \/nowhere\/state\.json\.lock: /,
  );
});
