import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { dirname, join, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { newId } from '../../accounts/sessions-and-tokens.js';
import { parseJson } from '../../common/json.js';
import { errorCode, makePrivateFolder } from '../../common/replace-file.js';

const LockRecord = t.strict(
  {
    /** Random; it belongs to one locking, and names its socket. */
    id: t.refinement(t.string, (text) => /^[\w-]{1,64}$/.test(text), 'id of a lock'),
    pid: t.refinement(t.number, (pid) => Number.isInteger(pid) && pid > 0, 'process id'),
    host: t.string,
    /** Where the process id is unique: on Linux a boot of a machine and a namespace, elsewhere the host. */
    space: t.string,
    /** When the process started, in a unit of the system; null if that is unknown. */
    started: t.union([t.string, t.null]),
    hasSocket: t.boolean,
  },
  'lock',
);
type LockRecord = t.TypeOf<typeof LockRecord>;

/** A process, as others can tell it from themselves. */
export type ProcessIdentity = Pick<LockRecord, 'pid' | 'host' | 'space' | 'started'>;

/** A process of the same space: whether it runs, and when it started if that is known. */
type ProcessState = (pid: number) => Readonly<{ isRunning: boolean; started: string | null }>;

/** A folder that no other process writes. */
export type FolderLock = Readonly<{
  /**
   * Rejects if the lock is not this process's any more. If the folder was removed and made anew, it is filled
   * by `restore` and locked again.
   */
  assertHeld: (restore: () => Promise<void>) => Promise<void>;
  release: () => Promise<void>;
}>;

/**
 * Locks a folder by the file `lock` in it. `left`: why it cannot be locked. A suspended process keeps its
 * lock; that of one that has ended is taken over at once. A process of the same space is looked up by its id
 * and its start; one in another container has a socket in the folder, which the system closes with it.
 */
export const lockFolder = async (
  folder: string,
  self: ProcessIdentity,
  processState: ProcessState,
): Promise<E.Either<string, FolderLock>> => {
  const path = join(folder, 'lock');
  const id = newId('lock');
  let socket: Socket | null = null;
  try {
    await makePrivateFolder(folder);
    socket = await listenIn(folder, id);
    const own: LockRecord = { id, ...self, hasSocket: socket !== null };
    const holder = await acquire(path, own, processState);
    if (holder !== null) {
      await socket?.close();
      return E.left(`${folder} is in use by ${holder}`);
    }
    return E.right({
      assertHeld: async (restore) => {
        const seen = await readLock(path);
        if (seen?.record?.id === id) return;
        if (seen !== null) throw new Error(`it is in use by ${holderName(seen.record, self)}`);
        if ((await readdir(folder)).length > 0)
          throw new Error('its lock file was removed; restart the server');
        await restore();
        await socket?.close();
        socket = await listenIn(folder, id);
        if (!(await create(path, own))) throw new Error('another process has just locked it');
      },
      release: async () => {
        await release(path, own).catch(() => {});
        await socket?.close();
      },
    });
  } catch (error) {
    await socket?.close();
    return E.left(`${folder}: cannot write the lock file ${path}: ${String(error)}`);
  }
};

/**
 * Creates a lock, or takes over that of a process that has ended. Returns the name of the holder if there is
 * one, else null. Of several newcomers one wins: they create a claim, a lock that is named after the one to
 * be taken over, and that takes its place.
 */
const acquire = async (path: string, own: LockRecord, processState: ProcessState): Promise<string | null> => {
  const folder = dirname(path);
  for (;;) {
    if (await create(path, own)) return null;
    const seen = await readLock(path);
    if (seen === null) continue;
    if (seen.record !== null && (await isAlive(folder, seen.record, own, processState)))
      return holderName(seen.record, own);
    const claim = `${path}.${seen.record?.id ?? 'unreadable'}`;
    const rival = await acquire(claim, own, processState);
    if (rival !== null) return rival;
    try {
      if ((await readLock(path))?.text !== seen.text) continue;
      await rename(claim, path);
      if (seen.record !== null) await rm(join(folder, socketName(seen.record.id)), { force: true });
      return null;
    } finally {
      await release(claim, own);
    }
  }
};

const isAlive = async (
  folder: string,
  { id, pid, space, started, hasSocket }: LockRecord,
  own: LockRecord,
  processState: ProcessState,
): Promise<boolean> => {
  if (space === own.space) {
    const state = processState(pid);
    if (!state.isRunning) return false;
    if (state.started !== null && started !== null) return state.started === started;
    if (!hasSocket) return true;
  }
  return hasSocket && isListening(folder, id);
};

/** Creates a lock file unless there is one; false if there is. */
const create = async (path: string, own: LockRecord): Promise<boolean> => {
  try {
    await writeFile(path, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    // On a full disk, it was created but not written.
    if (errorCode(error) === 'ENOSPC') await rm(path, { force: true });
    throw error;
  }
  // Another process may have found the file while it was empty.
  return (await readLock(path))?.record?.id === own.id;
};

/** Removes a lock file if it is still one's own. */
const release = async (path: string, own: LockRecord): Promise<void> => {
  if ((await readLock(path))?.record?.id === own.id) await rm(path, { force: true });
};

/** How often a lock file is read that has no record: for a moment, a new one is empty. */
const attempts = 10;

/** A lock file; null if there is none. Its record is null if the process was killed while it wrote it. */
const readLock = async (path: string): Promise<{ text: string; record: LockRecord | null } | null> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const text = await readFile(path, 'utf8');
      const record = parseJson(text);
      if (LockRecord.is(record)) return { text, record };
      if (attempt === attempts) return { text, record: null };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
    await setTimeout(20);
  }
};

/** The holder of a lock in words, for those who want to know who keeps them out. */
const holderName = (record: LockRecord | null, self: ProcessIdentity): string => {
  if (record === null) return 'an unknown process';
  if (record.space === self.space) return `process ${record.pid}`;
  return `process ${record.pid} in another container (host ${record.host})`;
};

const socketName = (id: string): string => `lock.${id}.socket`;

/** The longest path of a socket on all systems, in bytes. */
const maxSocketPath = 100;

/** The path of a socket: on Windows outside of the file system, on Linux short for any folder. */
const withSocketPath = async <A>(folder: string, id: string, use: (path: string) => Promise<A>) => {
  if (sep === '\\') return use(`\\\\.\\pipe\\triage-api-${id}`);
  const path = join(folder, socketName(id));
  if (Buffer.byteLength(path) <= maxSocketPath) return use(path);
  const handle = await open(folder, 'r');
  try {
    return await use(`/proc/self/fd/${handle.fd}/${socketName(id)}`);
  } finally {
    await handle.close();
  }
};

type Socket = Readonly<{ close: () => Promise<void> }>;

/** Listens until it is closed or the process ends; null where the system has no sockets. */
const listenIn = (folder: string, id: string): Promise<Socket | null> =>
  withSocketPath(folder, id, async (path) => {
    const server = createServer((connection) => connection.destroy()).unref();
    const isOpen = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(path, () => resolve(true));
    });
    if (!isOpen) return null;
    return {
      close: async () => {
        await new Promise((resolve) => server.close(resolve));
        await rm(join(folder, socketName(id)), { force: true });
      },
    };
  });

/** Whether a process listens. If that cannot be found out, it is assumed. */
const isListening = (folder: string, id: string): Promise<boolean> =>
  withSocketPath(
    folder,
    id,
    (path) =>
      new Promise((resolve) => {
        const connection = createConnection(path, () => {
          resolve(true);
          connection.destroy();
        });
        connection.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(errorCode(error))));
      }),
  );
