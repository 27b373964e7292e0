import { execFile } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { listenProcess } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { ask, end, fixtureAccounts, logIn, mint, signUp, wrongOnes } from './_accounts.js';
import { faultsIn, unlimited } from './_soak.js';

const call = promisify(execFile);

/** A fault of the disk under a directory, which begins and ends. */
type Fault = Readonly<{ directory: string; begin: () => Promise<void>; end: () => Promise<void> }>;

/** Makes such a directory, which lasts until the test ends; null where this process may not. */
type MakeFault = (t: ExecutionContext) => Promise<Fault | null>;

const newDirectory = async (t: ExecutionContext): Promise<string> => {
  const directory = join(await directoryWith(t, {}), 'disk');
  await mkdir(directory);
  return directory;
};

/** A directory with a file system of a megabyte. */
const smallDisk = async (t: ExecutionContext): Promise<string | null> => {
  const directory = await newDirectory(t);
  try {
    await call('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory]);
  } catch {
    return null;
  }
  t.teardown(() => call('umount', ['-l', directory]));
  return directory;
};

const full: MakeFault = async (t) => {
  const directory = await smallDisk(t);
  if (directory === null) return null;
  const filler = join(directory, 'filler');
  // As much is written as the file system can hold, and then there is an error.
  const begin = () => writeFile(filler, Buffer.alloc(2 ** 21)).catch(() => {});
  return { directory, begin, end: () => rm(filler) };
};

/** Mounting anew is refused while a file is open for writing, and therefore repeated. */
const remount = 'for i in $(seq 100); do mount -o remount,$1 "$2" && exit; sleep 0.1; done; exit 1';

/** Root can write whatever the permissions are, so it needs a file system of its own; others do not. */
const readOnly: MakeFault = async (t) => {
  const isRoot = process.getuid?.() === 0;
  const directory = await (isRoot ? smallDisk(t) : newDirectory(t));
  if (directory === null) return null;
  const allow = async (how: 'ro' | 'rw'): Promise<void> => {
    if (isRoot) await call('sh', ['-c', remount, 'sh', how, directory]);
    else await call('chmod', ['-R', how === 'ro' ? 'a-w' : 'u+w', directory]);
  };
  if (!isRoot) t.teardown(() => allow('rw'));
  return { directory, begin: () => allow('ro'), end: () => allow('rw') };
};

/** A directory that is no longer there, as when a disk was unmounted. */
const gone: MakeFault = async (t) => {
  const directory = await newDirectory(t);
  const elsewhere = `${directory}-elsewhere`;
  const begin = () => rename(directory, elsewhere);
  return { directory, begin, end: () => rename(elsewhere, directory) };
};

const faults = Object.entries({ full, 'read-only': readOnly, gone });

/** Makes a fault or, where this process may not, the next one, and says so. */
const firstPossible = async (t: ExecutionContext, from: number): Promise<Fault> => {
  for (const [name, make] of faults.slice(from)) {
    const fault = await make(t);
    if (fault !== null) return fault;
    t.log(`NOT RUN: a disk that is ${name} takes Linux, root and the right to mount. The next form runs.`);
  }
  throw new Error('no fault could be made');
};

for (const [index, [name]] of faults.entries()) {
  test(`while the disk of the accounts is ${name}, changes get 503 and have no effect, and reads go on`, async (t) => {
    const fault = await firstPossible(t, index);
    const words = ['--state', join(fault.directory, 'accounts'), ...unlimited];
    const server = await listenProcess(t, words);
    const { url } = server;
    const [acme, demo] = fixtureAccounts();
    for (const account of [acme, demo]) {
      for (let i = 0; i < 6; i += 1) t.is(await mint(url, account), 201);
      for (let i = 0; i < 5; i += 1) t.is(await logIn(url, account), 200);
    }
    const credentials = () => [...acme.credentials, ...demo.credentials];

    await fault.begin();
    let signUps = 0;
    /** Tries each kind of change once. */
    const tryAll = async (): Promise<readonly number[]> => {
      const [token, session] = (['token', 'session'] as const).map((kind) =>
        acme.credentials.find((each) => each.kind === kind && each.isLive === true),
      );
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
    // A full disk has room for a little more in the block that was begun last.
    for (let i = 0; (await mint(url, demo, { name: '😀'.repeat(90) })) === 201; i += 1) t.true(i < 30);
    for (let i = 0; !isDeepStrictEqual(await tryAll(), refused); i += 1) t.true(i < 20);
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
    const { status } = await signUp(restarted.url, `u${signUps}@soak.test`);
    t.is(status, 401, 'the address of an account that was acknowledged is taken');
  });
}
