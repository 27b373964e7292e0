import { open } from 'node:fs/promises';
import type { JournalHandle, OpenFile } from '../../src/files/journal-file.js';

/** What fails, while there is a cause. A write that fails has written half of what it should. */
type Faults = Record<'open' | 'write' | 'datasync' | 'truncate', Error | null>;

/** Files whose operations fail on demand; `count` is how many times something was synchronized. */
export const faultyFiles = (): { count: number; fail: Faults; openFile: OpenFile } => {
  const fail: Faults = { open: null, write: null, datasync: null, truncate: null };
  const files = {
    count: 0,
    fail,
    openFile: async (path: string, flags: string, mode?: number): Promise<JournalHandle> => {
      if (fail.open !== null) throw fail.open;
      const handle = await open(path, flags, mode);
      return new Proxy(handle, {
        get: (target, name) => {
          if (name === 'write')
            return async (bytes: Buffer, offset: number, length: number, position: number) => {
              if (fail.write === null) return target.write(bytes, offset, length, position);
              await target.write(bytes, offset, Math.floor(length / 2), position);
              throw fail.write;
            };
          if (name === 'datasync')
            return async () => {
              files.count += 1;
              if (fail.datasync !== null) throw fail.datasync;
              await target.datasync();
            };
          if (name === 'truncate')
            return async (length: number) => {
              if (fail.truncate !== null) throw fail.truncate;
              await target.truncate(length);
            };
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  };
  return files;
};
