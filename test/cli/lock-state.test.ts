import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { lockState } from '../../src/cli/lock-state.js';
import { directoryWith } from '../storage/fixtures/_directory.js';

const letGo = (lock: E.Either<string, () => void>): void => {
  if (E.isRight(lock)) lock.right();
};

test('a state file belongs to one running process at a time', async (t) => {
  const file = join(await directoryWith(t, {}), 'state.json');
  const first = lockState(file, 11, () => true);
  t.true(E.isRight(first));
  t.deepEqual(
    lockState(file, 22, () => true),
    E.left(`${file}: expected a state file for this process alone, got one that process 11 uses`),
  );
  letGo(first);
  t.false(existsSync(`${file}.lock`));
  t.true(E.isRight(lockState(file, 22, () => true)));
});

test('a claim whose process is gone, or is one\u2019s own from before a restart, or is no number, is taken over', async (t) => {
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

test('a place where nothing can be written is told', (t) => {
  const lock = lockState('/nowhere/state.json', 1, () => true);
  t.regex(
    E.isLeft(lock) ? lock.left : '',
    /^\/nowhere\/state\.json: expected a place for \/nowhere\/state\.json\.lock to be written, got /,
  );
});
