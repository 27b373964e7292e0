import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { listenProcess } from '../cli/_cli.js';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { ask, end, faultsIn, fixtureAccounts, logIn, mint, signUp, unlimited, wrongOnes } from './_soak.js';

const call = promisify(execFile);

/** A fault of the disk under a directory, which begins and ends. */
type Fault = Readonly<{ directory: string; begin: () => Promise<void>; end: () => Promise<void> }>;

/** Mounts a file system of a megabyte until the test ends; null where this process may not. */
const smallDisk = async (t: ExecutionContext): Promise<string | null> => {
  const directory = join(await directoryWith(t, {}), 'disk');
  await mkdir(directory);
  try {
    await call('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory]);
  } catch {
    return null;
  }
  t.teardown(() => call('umount', ['-l', directory]));
  return directory;
};

const full = async (t: ExecutionContext): Promise<Fault | null> => {
  const directory = await smallDisk(t);
  if (directory === null) return null;
  const filler = join(directory, 'filler');
  return {
    directory,
    // What a file system cannot hold is an error, after as much as it can hold was written.
    begin: () => writeFile(filler, Buffer.alloc(2 ** 21)).catch(() => {}),
    end: () => rm(filler),
  };
};

const remount = async (directory: string, how: 'ro' | 'rw'): Promise<void> => {
  // It is refused while a file is open for writing.
  for (let attempt = 1; ; attempt += 1) {
    const isDone = await call('mount', ['-o', `remount,${how}`, directory]).then(
      () => true,
      (error: unknown) => {
        if (attempt === 100) throw error;
        return false;
      },
    );
    if (isDone) return;
    await delay(100);
  }
};

/** Root can write whatever the permissions are, so it needs a file system of its own; others do not. */
const readOnly = async (t: ExecutionContext): Promise<Fault | null> => {
  if (process.getuid?.() === 0) {
    const directory = await smallDisk(t);
    if (directory === null) return null;
    return { directory, begin: () => remount(directory, 'ro'), end: () => remount(directory, 'rw') };
  }
  const directory = join(await directoryWith(t, {}), 'disk');
  await mkdir(directory);
  const permit = async (ofDirectory: number, ofFiles: number): Promise<void> => {
    await chmod(directory, 0o755);
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? ofDirectory : ofFiles);
    }
    await chmod(directory, ofDirectory);
  };
  t.teardown(() => permit(0o755, 0o600));
  return { directory, begin: () => permit(0o555, 0o400), end: () => permit(0o755, 0o600) };
};

/** A directory that is no longer there, as when a disk was unmounted. */
const removed = async (t: ExecutionContext): Promise<Fault> => {
  const directory = join(await directoryWith(t, {}), 'disk');
  await mkdir(directory);
  const elsewhere = `${directory}-elsewhere`;
  return {
    directory,
    begin: () => rename(directory, elsewhere),
    end: () => rename(elsewhere, directory),
  };
};

/** Makes the first fault that this machine allows, and says so if it is not the one that was wanted. */
const firstPossible = async (
  t: ExecutionContext,
  wanted: readonly (readonly [string, (t: ExecutionContext) => Promise<Fault | null>])[],
): Promise<Fault> => {
  for (const [name, make] of wanted) {
    const fault = await make(t);
    if (fault !== null) return fault;
    t.log(
      `a ${name} disk could not be made: this takes Linux, root and the right to mount; another form runs`,
    );
  }
  throw new Error('no fault could be made');
};

for (const [title, wanted] of [
  ['is full', [['full', full] as const, ['read-only', readOnly] as const, ['removed', removed] as const]],
  ['is read-only', [['read-only', readOnly] as const, ['removed', removed] as const]],
  ['is gone', [['removed', removed] as const]],
] as const) {
  test(`while the disk of the accounts ${title}, changes get 503 and have no effect, reads go on; then all works`, async (t) => {
    const fault = await firstPossible(t, wanted);
    const state = join(fault.directory, 'accounts');
    const words = ['--state', state, ...unlimited];
    const server = await listenProcess(t, words);
    const { url } = server;
    const [acme, demo] = fixtureAccounts();
    if (acme === undefined || demo === undefined) throw new Error('there are no accounts');
    for (const account of [acme, demo]) {
      for (let i = 0; i < 6; i += 1) t.is(await mint(url, account), 201);
      for (let i = 0; i < 5; i += 1) t.is(await logIn(url, account), 200);
    }
    const credentials = () => [...acme.credentials, ...demo.credentials];

    await fault.begin();
    let signUps = 0;
    /** Tries each kind of change once. */
    const tryAll = async (): Promise<readonly number[]> => {
      const of = (kind: 'session' | 'token') =>
        acme.credentials.find((each) => each.kind === kind && each.isLive === true);
      const [token, session] = [of('token'), of('session')];
      if (token === undefined || session === undefined) throw new Error('too much was acknowledged');
      signUps += 1;
      return [
        await mint(url, demo),
        await logIn(url, demo),
        await end(url, acme, token),
        await end(url, acme, session),
        (await signUp(url, `u${signUps}@soak.test`)).status,
      ];
    };
    const refused = [503, 503, 503, 503, 503];
    const isRefused = (statuses: readonly number[]): boolean => statuses.every((status) => status === 503);
    // A full disk has room for a little more in the block that was begun last.
    for (let i = 0; (await mint(url, demo, { name: '😀'.repeat(90) })) === 201; i += 1) t.true(i < 30);
    for (let i = 0; !isRefused(await tryAll()); i += 1) t.true(i < 20);
    for (let i = 0; i < 3; i += 1) {
      t.deepEqual(await tryAll(), refused);
      t.is((await ask(url, '/api/v1/repos', { session: acme.keeper })).status, 200);
      t.is((await ask(url, '/login')).status, 200);
    }
    t.deepEqual(await wrongOnes(url, credentials()), []);
    t.true(server.err().includes(fault.directory), server.err());
    t.deepEqual(faultsIn(server), []);

    await fault.end();
    t.deepEqual(await tryAll(), [201, 200, 204, 204, 200]);
    t.is((await signUp(url, 'u1@soak.test')).status, 200, 'what was refused is not half there');
    t.deepEqual(await wrongOnes(url, credentials()), []);
    t.is((await server.end('SIGTERM')).code, 0);
    const restarted = await listenProcess(t, words);
    t.deepEqual(await wrongOnes(restarted.url, credentials()), []);
    const { account } = await signUp(restarted.url, `u${signUps}@soak.test`);
    t.is(await logIn(restarted.url, account), 200, 'the account that was acknowledged is there');
  });
}
