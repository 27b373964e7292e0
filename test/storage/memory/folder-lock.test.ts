import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import {
  type FolderLock,
  lockFolder,
  type ProcessIdentity,
} from '../../../src/storage/memory/folder-lock.js';
import { directoryWith } from './_directory.js';

type Over = Partial<
  ProcessIdentity &
    Readonly<{ processState: (pid: number) => Readonly<{ isRunning: boolean; started: string | null }> }>
>;

/** Locks a folder for a process that exists only in a test. No other process of its container runs. */
const lock = (folder: string, { processState, ...over }: Over = {}) =>
  lockFolder(
    folder,
    { pid: 1, host: 'here', space: 'this container', started: '100', ...over },
    processState ?? (() => ({ isRunning: false, started: null })),
  );

const held = async (folder: string, over: Over = {}): Promise<FolderLock> => {
  const locked = await lock(folder, over);
  if (E.isLeft(locked)) throw new Error(locked.left);
  return locked.right;
};

/** Writes what a process leaves that was killed: its socket is closed, or gone. */
const leaveLock = (folder: string, over: object = {}): Promise<void> =>
  writeFile(
    join(folder, 'lock'),
    JSON.stringify({ id: 'dead', pid: 1, host: 'there', space: 's', started: '1', hasSocket: true, ...over }),
  );

const inOtherContainer = { host: 'there', space: 'another container' };
const never = () => Promise.reject(new Error('nothing is to be restored'));

for (const { of, self, state, outcome } of [
  {
    of: 'a running process of the same container refuses others',
    self: { pid: 2 },
    state: { isRunning: true, started: '100' },
    outcome: 'process 1',
  },
  {
    of: 'a process that has ended is taken over',
    self: { pid: 2 },
    state: { isRunning: false, started: null },
    outcome: null,
  },
  {
    of: 'a process whose id another one has by now is taken over, also if that is the newcomer',
    self: { started: '200' },
    state: { isRunning: true, started: '200' },
    outcome: null,
  },
] as const) {
  test(`the lock of ${of}`, async (t) => {
    const folder = await directoryWith(t, {});
    const first = await held(folder);
    t.teardown(first.release);
    const second = await lock(folder, { ...self, processState: () => state });
    if (outcome !== null) t.deepEqual(second, E.left(`${folder} is in use by ${outcome}`));
    else t.true(E.isRight(second));
    if (E.isRight(second)) await second.right.release();
  });
}

test('the lock of another container refuses others while its process runs, and is then taken over', async (t) => {
  const folder = await directoryWith(t, {});
  const first = await held(folder, { ...inOtherContainer, pid: 7 });
  t.deepEqual(
    await lock(folder),
    E.left(`${folder} is in use by process 7 in another container (host there)`),
  );
  const record = await readFile(join(folder, 'lock'), 'utf8');
  await first.release();
  // As after kill -9: the record is there, and nobody listens.
  await writeFile(join(folder, 'lock'), record);
  const second = await held(folder);
  await second.assertHeld(never);
  await second.release();
  t.deepEqual(await readdir(folder), []);
});

test('where the start of a process is unknown, or it has no socket, the other one decides', async (t) => {
  const processState = () => ({ isRunning: true, started: null });
  const folder = await directoryWith(t, {});
  await leaveLock(folder, { space: 'this container', started: null, hasSocket: false });
  t.true(E.isLeft(await lock(folder, { started: null, processState })));
  await leaveLock(folder, { space: 'this container', started: null });
  const taken = await held(folder, { started: null, processState });
  t.true(E.isLeft(await lock(folder, { started: null, processState })));
  await taken.release();
});

test('a folder whose path is too long for a socket is locked in the same way', async (t) => {
  const folder = join(await directoryWith(t, {}), 'long'.repeat(30));
  await mkdir(folder);
  const first = await held(folder, inOtherContainer);
  const refused = await lock(folder, { space: 'this container' });
  await first.release();
  t.deepEqual(await readdir(folder), []);
  // Only Linux has short names for folders; elsewhere there is one container.
  if (process.platform === 'linux') t.true(E.isLeft(refused));
});

for (const content of [
  '',
  '{"id":',
  '11',
  '{"id":"../../x","pid":1,"host":"h","space":"s","started":null}',
]) {
  test(`a lock file that contains ${JSON.stringify(content)} is taken over`, async (t) => {
    const folder = await directoryWith(t, { lock: content });
    const taken = await held(folder);
    await taken.assertHeld(never);
    await taken.release();
    t.deepEqual(await readdir(folder), []);
  });
}

test('of many newcomers to a dead lock exactly one wins', async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const folder = await directoryWith(t, {});
    await leaveLock(folder, { space: 'this container', started: '1' });
    // Only the process with the dead lock has ended.
    const processState = (pid: number) => ({ isRunning: pid !== 1, started: String(pid) });
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => lock(folder, { pid: 10 + i, started: `${10 + i}`, processState })),
    );
    const [winner, ...others] = results.filter(E.isRight);
    t.is(others.length, 0);
    await winner?.right.assertHeld(never);
    await winner?.right.release();
    t.deepEqual(await readdir(folder), [], 'no claim is left');
  }
});

test('a newcomer that finds a lock dead too late does not take the new one over', async (t) => {
  const folder = await directoryWith(t, {});
  await leaveLock(folder, { space: 'this container' });
  const winner = {
    id: 'winner',
    pid: 7,
    host: 'here',
    space: 'this container',
    started: '100',
    hasSocket: false,
  };
  const processState = (pid: number) => {
    // While this one looks at the process of the dead lock, another newcomer wins.
    if (pid === 1) writeFileSync(join(folder, 'lock'), JSON.stringify(winner));
    return { isRunning: pid === 7, started: '100' };
  };
  t.deepEqual(await lock(folder, { pid: 2, processState }), E.left(`${folder} is in use by process 7`));
  t.deepEqual(JSON.parse(await readFile(join(folder, 'lock'), 'utf8')), winner);
});

test('a claim that a killed newcomer left behind is taken over, too', async (t) => {
  const folder = await directoryWith(t, {});
  await leaveLock(folder);
  await writeFile(
    join(folder, 'lock.dead'),
    (await readFile(join(folder, 'lock'), 'utf8')).replace('dead', 'too'),
  );
  const taken = await held(folder);
  await taken.assertHeld(never);
  await taken.release();
  t.deepEqual(await readdir(folder), []);
});

test('a holder whose lock another process has may not write, and leaves that lock alone', async (t) => {
  const folder = await directoryWith(t, {});
  const first = await held(folder);
  await leaveLock(folder, { pid: 7, space: 'this container' });
  await t.throwsAsync(first.assertHeld(never), { message: 'it is in use by process 7' });
  await first.release();
  t.deepEqual(await readdir(folder), ['lock']);
});

test('a lock file that was removed stops the holder, unless the whole folder is new: that is restored', async (t) => {
  const folder = join(await directoryWith(t, {}), 'accounts');
  const first = await held(folder, inOtherContainer);
  await writeFile(join(folder, 'x'), '');
  await rm(join(folder, 'lock'));
  await t.throwsAsync(first.assertHeld(never), { message: 'its lock file was removed; restart the server' });
  await rm(folder, { recursive: true });
  await t.throwsAsync(first.assertHeld(never), { code: 'ENOENT' });
  await mkdir(folder);
  await first.assertHeld(() => writeFile(join(folder, 'restored'), ''));
  await first.assertHeld(never);
  t.true((await readdir(folder)).includes('restored'));
  t.true(E.isLeft(await lock(folder)), 'others find it locked');
  await first.release();
  t.deepEqual(await readdir(folder), ['restored']);
});

test('a lock file that cannot be written is an error', async (t) => {
  const folder = join(await directoryWith(t, { file: '' }), 'file');
  const locked = await lock(folder);
  t.regex(E.isLeft(locked) ? locked.left : '', /cannot write the lock file .*lock: Error: /);
});
