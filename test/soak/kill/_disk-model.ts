import type { SystemCall } from './_system-calls.js';

/** A file as programs see it, and what of it was synced; null: nothing was. */
type File = { content: Buffer; synced: Buffer | null };

/** The files of a directory by their names. */
type Entries = ReadonlyMap<string, File>;

type Handle = { file: File | null; position: number };

/** What a file may hold after a power loss; null: something that is neither old nor new. */
export type Survivor = Readonly<{ content: Buffer | null; why: string }>;

/**
 * What may be left of a file. What was appended since the last sync may be there in part, or as zeros where
 * the length was stored before the bytes; what was cut off may be back. Anything else may be broken.
 */
const remainsOf = ({ content, synced }: File): readonly (Buffer | null)[] => {
  if (synced === null) return [null];
  if (synced.equals(content)) return [content];
  if (content.subarray(0, synced.length).equals(synced)) {
    const added = content.subarray(synced.length);
    const half = Math.floor(added.length / 2);
    const zeros = (count: number): Buffer => Buffer.alloc(count);
    return [
      ...[0, 1, half, added.length - 1].map((length) => added.subarray(0, length)),
      zeros(added.length),
      Buffer.concat([zeros(half), added.subarray(half)]),
      Buffer.concat([added.subarray(0, half), zeros(added.length - half)]),
      added,
    ].map((rest) => Buffer.concat([synced, rest]));
  }
  return synced.subarray(0, content.length).equals(content) ? [synced, content] : [null];
};

/**
 * A directory on a disk that keeps no more than it must (POSIX): the content of a file survives once the file
 * was synced, its name once the directory was. Changes of names that were not synced survive up to any of
 * them, in their order.
 */
export const diskModel = (directory: string) => {
  let names: Entries = new Map();
  let syncedNames: Entries = names;
  /** Every state of the names since the directory was last synced, the oldest first. */
  let pending: Entries[] = [];
  const handles = new Map<number, Handle>();
  const nameOf = (path: string): string | null =>
    path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : null;
  const changeNames = (change: (next: Map<string, File>) => void): void => {
    const next = new Map(names);
    change(next);
    names = next;
    pending.push(next);
  };

  const apply = (call: SystemCall): void => {
    switch (call._tag) {
      case 'Open': {
        handles.delete(call.fd);
        if (call.path === directory) handles.set(call.fd, { file: null, position: 0 });
        const name = nameOf(call.path);
        if (name === null) return;
        let file = names.get(name);
        if (file === undefined) {
          const created: File = { content: Buffer.alloc(0), synced: null };
          file = created;
          changeNames((next) => next.set(name, created));
        } else if (call.isEmptied) {
          file.content = Buffer.alloc(0);
        }
        handles.set(call.fd, { file, position: 0 });
        return;
      }
      case 'Write': {
        const handle = handles.get(call.fd);
        if (handle?.file == null) return;
        const { file } = handle;
        const start = call.offset ?? handle.position;
        const end = start + call.bytes.length;
        const content = Buffer.alloc(Math.max(file.content.length, end));
        file.content.copy(content);
        call.bytes.copy(content, start);
        file.content = content;
        if (call.offset === null) handle.position = end;
        return;
      }
      case 'Truncate': {
        const file = handles.get(call.fd)?.file;
        if (file != null) file.content = file.content.subarray(0, call.length);
        return;
      }
      case 'Sync': {
        const handle = handles.get(call.fd);
        if (handle === undefined) return;
        if (handle.file === null) {
          syncedNames = names;
          pending = [];
        } else {
          handle.file.synced = handle.file.content;
        }
        return;
      }
      case 'Close':
        handles.delete(call.fd);
        return;
      case 'Rename': {
        const [from, to] = [nameOf(call.from), nameOf(call.to)];
        const file = from === null ? undefined : names.get(from);
        if (from === null || to === null || file === undefined) return;
        changeNames((next) => {
          next.delete(from);
          next.set(to, file);
        });
        return;
      }
      case 'Remove': {
        const name = nameOf(call.path);
        if (name !== null && names.has(name)) changeNames((next) => next.delete(name));
      }
    }
  };

  /** Everything that a file may hold if the power fails now. */
  const survivors = (name: string): readonly Survivor[] =>
    [syncedNames, ...pending].flatMap((entries, index): readonly Survivor[] => {
      const file = entries.get(name);
      const suffix = index < pending.length ? 'the directory was not synced' : '';
      if (file === undefined) return [{ content: null, why: `there is no file; ${suffix}` }];
      return remainsOf(file).map((content) => ({
        content,
        why: content === null ? 'the file was not synced before it got its name' : suffix,
      }));
    });

  return { apply, survivors, isOfDirectory: (fd: number): boolean => handles.has(fd) };
};
