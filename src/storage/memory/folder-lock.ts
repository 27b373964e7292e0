import { once } from 'node:events';
import { readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { resolve as absolute, join, sep } from 'node:path';
import * as E from '#fp-ts/Either';
import { randomBase64url } from '#platform';
import { errorCode, makePrivateFolder } from '../../common/replace-file.js';
import { pause } from '../../common/timers.js';

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
 * Locks a folder by a socket in it, on which the process listens. `left`: why it cannot be locked. One that
 * is suspended keeps its lock; the system closes the socket of one that has ended, in whatever container.
 */
export const lockFolder = async (
  folder: string,
  { pid, host }: Readonly<{ pid: number; host: string }>,
): Promise<E.Either<string, FolderLock>> => {
  const own = `lock.${randomBase64url(6)}.${pid}.${host.replaceAll(/[^\w-]/g, '-').slice(0, 24)}`;
  let close = async (): Promise<void> => {};
  const lock = async (): Promise<string | null> => {
    close = await listenIn(folder, own);
    const holder = await findHolder(folder, own);
    if (holder !== null) await close();
    return holder;
  };
  try {
    await makePrivateFolder(folder);
    const holder = await lock();
    if (holder !== null) return E.left(`${folder} is in use by ${holder}`);
  } catch (error) {
    await close().catch(() => {});
    return E.left(`${folder}: cannot be locked: ${String(error)}`);
  }
  return E.right({
    assertHeld: async (restore) => {
      if ((await stat(join(folder, own)).catch(() => null)) !== null) return;
      if ((await readdir(folder)).length > 0) throw new Error('its lock was removed; restart the server');
      await restore();
      await close();
      const holder = await lock();
      if (holder !== null) throw new Error(`it is in use by ${holder}`);
    },
    release: () => close().catch(() => {}),
  });
};

/**
 * The name of a process that has the lock; null if none has, and those of processes that have ended are
 * removed. Each listens before it looks, so that of two newcomers one sees the other at least; the one whose
 * name comes first waits for the others to give way, for two seconds.
 */
const findHolder = async (folder: string, own: string): Promise<string | null> => {
  for (let attempt = 1; ; attempt += 1) {
    const names = await readdir(folder);
    const others = names.filter((name) => /^lock\.[\w-]{8}\.\d+\./.test(name) && name !== own).sort();
    const areHeld = await Promise.all(others.map((name) => isListening(folder, name)));
    const holder = others.find((_, i) => areHeld[i]);
    if (holder === undefined) {
      for (const name of others) await rm(join(folder, name), { force: true });
      return null;
    }
    const [, , pid, host] = holder.split('.');
    if (holder < own || attempt === 40) return `process ${pid} (host ${host})`;
    await pause(50);
  }
};

/** The address of a socket: on Windows a named pipe, elsewhere a path, which has to be short. */
const withAddress = async <A>(folder: string, name: string, use: (address: string) => Promise<A>) => {
  if (sep === '\\') return use(`\\\\.\\pipe\\${name}`);
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= 100) return use(path);
  const link = `/tmp/triage-api-${randomBase64url(6)}`;
  await symlink(absolute(folder), link);
  return use(join(link, name)).finally(() => rm(link, { force: true }));
};

/** Listens until the returned function is called, or the process ends. */
const listenIn = async (folder: string, name: string): Promise<() => Promise<void>> => {
  const server = createServer((connection) => connection.destroy()).unref();
  await withAddress(folder, name, (address) => once(server.listen(address), 'listening').catch(() => {}));
  const path = join(folder, name);
  // A named pipe, or a file system without sockets, leaves nothing in the folder.
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  return async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(path, { force: true });
  };
};

/** Whether a process listens. If that cannot be found out, it is assumed. */
const isListening = (folder: string, name: string): Promise<boolean> =>
  withAddress(folder, name, async (address) => {
    const connection = createConnection(address);
    const result: unknown = await once(connection, 'connect').catch((error) => error);
    connection.destroy();
    return !['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(errorCode(result));
  });
