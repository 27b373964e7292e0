import { type FileHandle, lstat, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as E from '#fp-ts/Either';
import * as TE from '#fp-ts/TaskEither';
import { replaceFile, syncDirectory } from '../../common/replace-file.js';

/** A file to write. Its pieces are taken while it is written, so they need not be in memory together. */
export type NewFile = Readonly<{ file: string; pieces: Iterable<string> }>;

type WriteOptions = Readonly<{
  /** Whether files that exist are replaced. */
  force: boolean;
  /** Names the temporary files of this process. */
  pid: number;
  /** Why to stop, which is asked before each piece is written; null to go on. */
  stopReason?: () => string | null;
}>;

/**
 * Writes some files, all of them or none: each is prepared beside its place, and all are renamed at the end.
 * Directories that are missing are created. `left`: why nothing was written, a line each.
 */
export const writeFilesTogether = async (
  files: readonly NewFile[],
  options: WriteOptions,
): Promise<E.Either<readonly string[], void>> => {
  const taken = await takenPlaces(files, options.force);
  if (taken.length > 0) return E.left(taken);
  const temporary = new Map(files.map(({ file }) => [file, temporaryFile(file, options.pid)]));
  const created = new Set<string>();
  const undo = async (): Promise<void> => {
    for (const each of temporary.values()) await rm(each, { force: true }).catch(() => {});
    // The innermost first. One that somebody else has put a file into stays.
    for (const directory of Array.from(created).sort((l, r) => r.length - l.length))
      await rmdir(directory).catch(() => {});
  };
  let current = '';
  try {
    for (const { file, pieces } of files) {
      current = file;
      await createDirectory(dirname(file), created);
      const stopped = await writeFile(temporary.get(file) ?? '', pieces, options.stopReason);
      if (stopped !== null) {
        await undo();
        return E.left([stopped, nothingWritten]);
      }
    }
    for (const [file, prepared] of temporary) {
      current = file;
      await rename(prepared, file);
    }
    for (const directory of new Set(files.map(({ file }) => dirname(file)))) await syncDirectory(directory);
    return E.right(undefined);
  } catch (error) {
    await undo();
    return E.left([
      `cannot write ${current}: ${error instanceof Error ? error.message : String(error)}`,
      nothingWritten,
    ]);
  }
};

/**
 * Creates a directory, and those above it that are missing, and adds them to `created`. The option
 * `recursive` of Node does not end where a directory refuses new ones with ENOENT, as `/proc` does.
 */
const createDirectory = async (directory: string, created: Set<string>): Promise<void> => {
  const path = resolve(directory);
  const existing = await stat(path).catch(() => null);
  if (existing?.isDirectory()) return;
  if (dirname(path) !== path) await createDirectory(dirname(path), created);
  await mkdir(path);
  created.add(path);
};

/** Where the new content of a file is prepared: beside it, so that it can be renamed. */
const temporaryFile = (file: string, pid: number): string =>
  join(dirname(file), `.${basename(file)}.${pid}.tmp`);

const nothingWritten = 'nothing was written';

/** How many files a message names. */
const maxNamed = 10;

/** A line for each place where no file can be written because there is something. */
const takenPlaces = async (files: readonly NewFile[], force: boolean): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const { file } of files) {
    // What cannot be looked at cannot be written either, which then says why.
    const found = await lstat(file).catch(() => null);
    if (found?.isDirectory()) lines.push(`${file} is a directory`);
    else if (found !== null && !force) lines.push(`${file} already exists; pass --force to overwrite it`);
  }
  return lines.length <= maxNamed
    ? lines
    : [...lines.slice(0, maxNamed), `and ${lines.length - maxNamed} more files exist`];
};

/** Returns why it has stopped; null if the whole file is on the disk. */
const writeFile = async (
  file: string,
  pieces: Iterable<string>,
  stopReason: () => string | null = () => null,
): Promise<string | null> => {
  let stopped: string | null = null;
  const untilStopped = function* (): Iterable<string> {
    for (const piece of pieces) {
      stopped = stopReason();
      if (stopped !== null) return;
      yield piece;
    }
  };
  await rm(file, { force: true });
  const handle = await open(file, 'wx', 0o600);
  try {
    await writeInPieces(handle, untilStopped());
  } finally {
    await handle.close();
  }
  return stopped;
};

/** What is written at once, and what is synchronized at once, so that the disk is not busy for long. */
const pieceSize = 64 * 1024;
const syncedAtOnce = 8 * 1024 * 1024;

/** Writes texts to a new file, and synchronizes it. They are taken as they are written. */
const writeInPieces = async (handle: FileHandle, texts: Iterable<string>): Promise<void> => {
  let [pending, unsynced]: [string[], number] = [[], 0];
  let length = 0;
  const writePending = async (): Promise<void> => {
    await handle.appendFile(pending.join(''));
    unsynced += length;
    [pending, length] = [[], 0];
    if (unsynced < syncedAtOnce) return;
    await handle.datasync();
    unsynced = 0;
  };
  for (const text of texts) {
    pending.push(text);
    length += text.length;
    if (length >= pieceSize) await writePending();
  }
  await writePending();
  await handle.datasync();
};

/** Writes a whole file or nothing. `left`: why it failed. */
export const writeFileAtomically = (file: string, text: string): TE.TaskEither<string, void> =>
  TE.tryCatch(() => replaceFile(file, text), cannotWrite(file));

/** The same, and makes the directory of the file if there is none. */
export const writeFileInDirectory = (file: string, text: string): TE.TaskEither<string, void> =>
  TE.flatMap(
    TE.tryCatch(() => mkdir(dirname(file), { recursive: true }), cannotWrite(file)),
    () => writeFileAtomically(file, text),
  );

const cannotWrite =
  (file: string) =>
  (cause: unknown): string =>
    `cannot write ${file}: ${cause instanceof Error ? cause.message : cause}`;
