import { open } from 'node:fs/promises';
import * as t from 'io-ts';
import { parseJson } from '../common/parse-json.js';
import { errorCode } from './replace-file.js';

/** A process as processes in other containers and on other machines can tell it from themselves. */
export type ProcessIdentity = Readonly<{
  pid: number;
  host: string;
  /** Where the process id is unique: on Linux a boot of a machine and a namespace, elsewhere the host. */
  space: string;
  /** When the process started, in a unit of the system; null if that is unknown. */
  started: string | null;
}>;

/** The content of a lock file. `id` is random and belongs to one locking. */
export const LockRecord = t.strict(
  {
    id: t.refinement(t.string, (text) => /^[\w-]{1,64}$/.test(text), 'id of a lock'),
    pid: t.refinement(t.number, (pid) => Number.isInteger(pid) && pid > 0, 'process id'),
    host: t.string,
    space: t.string,
    started: t.union([t.string, t.null]),
  },
  'lock',
);
export type LockRecord = t.TypeOf<typeof LockRecord>;

/** A lock file as it was at one moment. */
export type SeenLock = Readonly<{
  text: string;
  /** Null if the content is incomplete or of another format. */
  record: LockRecord | null;
  /** Changes with every refresh. */
  version: string;
}>;

/** Reads a lock file; null if there is none. It is opened each time, so that NFS asks its server anew. */
export const readLock = async (path: string): Promise<SeenLock | null> => {
  try {
    const handle = await open(path, 'r');
    try {
      const { ino, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
      const text = await handle.readFile('utf8');
      const content = parseJson(text);
      const record = LockRecord.is(content) ? content : null;
      return { text, record, version: [ino, mtimeNs, ctimeNs].join(' ') };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
};

/** The holder of a lock in words, for those who want to know who keeps them out. */
export const holderName = (record: LockRecord | null, self: ProcessIdentity): string => {
  if (record === null) return 'an unknown process';
  if (record.space === self.space) return `process ${record.pid}`;
  return `process ${record.pid} in another container or on another machine (host ${record.host})`;
};
