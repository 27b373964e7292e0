import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { type FolderLock, lockFolder } from '../../../src/fixtures/folder-lock.js';
import { directoryWith } from './_directory.js';

/** Locks a folder as a process that exists only in a test. */
const lock = (folder: string, pid = 1, host = 'here') => lockFolder(folder, { pid, host });

const held = async (folder: string, pid = 1, host = 'here'): Promise<FolderLock> => {
  const locked = await lock(folder, pid, host);
  if (E.isLeft(locked)) throw new Error(locked.left);
  return locked.right;
};

/** What a process leaves that was killed: nobody listens there any more. */
const dead = 'lock.AAAAAAAA.9.there';

const never = () => Promise.reject(new Error('nothing is to be restored'));

const inUse = (folder: string, by: string) => E.left(`${folder} is in use by ${by}`);

test('a process that runs keeps its folder, and others are told which one it is', async (t) => {
  const folder = await directoryWith(t, { 'x.json': '' });
  // The names are random: the holder's comes before that of a newcomer in some rounds, in others after it.
  for (let round = 0; round < 4; round += 1) {
    const first = await held(folder, 7, 'web-1.example.com');
    t.deepEqual(await lock(folder), inUse(folder, 'process 7 (host web-1-example-com)'));
    await first.assertHeld(never);
    await first.release();
    t.deepEqual(await readdir(folder), ['x.json']);
  }
});

/** Listens as a process does that has not looked at the folder yet; nothing else of it runs. */
const listenAs = async (t: ExecutionContext, folder: string, name: string) => {
  const server = createServer().listen(join(folder, name));
  await new Promise((resolve) => server.once('listening', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  t.teardown(close);
  return close;
};

if (process.platform !== 'win32') {
  test('of two newcomers, the one whose name comes first waits until the other one has given way', async (t) => {
    const folder = await directoryWith(t, {});
    const close = await listenAs(t, folder, 'lock.zzzzzzzz.9.there');
    const waiting = held(folder);
    // It listens, and has seen the other one at least once.
    while ((await readdir(folder)).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await close();
    await (await waiting).release();
    t.deepEqual(await readdir(folder), []);
  });

  test('of two newcomers, the one whose name comes last gives way at once', async (t) => {
    const folder = await directoryWith(t, {});
    await listenAs(t, folder, 'lock.--------.9.there');
    t.deepEqual(await lock(folder), inUse(folder, 'process 9 (host there)'));
    t.deepEqual(await readdir(folder), ['lock.--------.9.there']);
  });
}

test('what a process has left that was killed is removed', async (t) => {
  const folder = await directoryWith(t, { [dead]: '', 'lock.txt': '' });
  const taken = await held(folder);
  t.false((await readdir(folder)).includes(dead));
  await taken.release();
  t.deepEqual(await readdir(folder), ['lock.txt']);
});

test('of many newcomers to a dead lock exactly one wins', async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const folder = await directoryWith(t, { [dead]: '' });
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => lock(folder, 10 + i)));
    const [winner, ...others] = results.filter(E.isRight);
    t.is(others.length, 0);
    await winner?.right.assertHeld(never);
    await winner?.right.release();
    t.deepEqual(await readdir(folder), []);
  }
});

test('a folder whose path is too long for a socket is locked in the same way', async (t) => {
  const folder = join(await directoryWith(t, {}), 'long'.repeat(30));
  await mkdir(folder);
  const first = await held(folder, 7);
  t.deepEqual(await lock(folder), inUse(folder, 'process 7 (host here)'));
  await first.release();
  t.deepEqual(await readdir(folder), []);
});

test('a lock that was removed stops the holder, unless the whole folder is new: that is restored', async (t) => {
  const folder = join(await directoryWith(t, {}), 'accounts');
  const first = await held(folder);
  await writeFile(join(folder, 'x'), '');
  for (const name of await readdir(folder)) if (name !== 'x') await rm(join(folder, name));
  await t.throwsAsync(first.assertHeld(never), { message: 'its lock was removed; restart the server' });
  await rm(folder, { recursive: true });
  await t.throwsAsync(first.assertHeld(never), { code: 'ENOENT' });
  await mkdir(folder);
  await first.assertHeld(() => writeFile(join(folder, 'restored'), ''));
  await first.assertHeld(never);
  t.true((await readdir(folder)).includes('restored'));
  t.deepEqual(await lock(folder, 2), inUse(folder, 'process 1 (host here)'));
  await first.release();
  t.deepEqual(await readdir(folder), ['restored']);
});

test('a new folder that another process has locked meanwhile is not written', async (t) => {
  const folder = join(await directoryWith(t, {}), 'accounts');
  const first = await held(folder);
  await rm(folder, { recursive: true });
  const second = await held(folder, 2);
  await t.throwsAsync(first.assertHeld(never), { message: 'its lock was removed; restart the server' });
  await first.release();
  await second.assertHeld(never);
  await second.release();
});

test('a folder that cannot be locked is an error', async (t) => {
  const folder = join(await directoryWith(t, { file: '' }), 'file');
  const locked = await lock(folder);
  t.regex(E.isLeft(locked) ? locked.left : '', /file: cannot be locked: Error: /);
});
