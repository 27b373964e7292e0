import { createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as E from '#fp-ts/Either';
import { replaceFile, syncDirectory } from '../../common/replace-file.js';
import { type ExitCode, exitCode, fail, type Terminal } from '../terminal/terminal.js';
import { messageOf } from './text.js';

/** What stands in place of a file name for standard input or standard output. */
export const standardStream = '-';

/** Whether there is something at a path, be it a link that leads nowhere. */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The line about a file that is overwritten only with `--force`. */
export const alreadyExists = (file: string): string => `${file} already exists; pass --force to overwrite it`;

/** Writes a whole file or nothing. Resolves with why it failed, in a line; null if it did not. */
const writeFileAtomically = async (file: string, text: string): Promise<string | null> => {
  try {
    await replaceFile(file, text);
    return null;
  } catch (error) {
    return cannotWrite(file, error);
  }
};

/** The same, and makes the directory of the file if there is none. */
export const writeFileInDirectory = async (file: string, text: string): Promise<string | null> => {
  try {
    await createDirectory(dirname(file), new Set());
  } catch (error) {
    return cannotWrite(file, error);
  }
  return writeFileAtomically(file, text);
};

/**
 * Prints the lines of a report, or in their place the one of its other forms for which an option names
 * standard output; writes the others to the files that their options name. Returns the exit code.
 */
export const printReport = async (
  terminal: Terminal,
  lines: readonly string[],
  forms: readonly Readonly<{ file: string | undefined; text: string }>[],
): Promise<ExitCode> => {
  const printed = forms.find(({ file }) => file === standardStream);
  if (printed !== undefined) terminal.text(printed.text.trimEnd());
  else for (const line of lines) terminal.out(line);
  let code: ExitCode = exitCode.done;
  for (const { file, text } of forms) {
    if (file === undefined || file === standardStream) continue;
    const failure = await writeFileAtomically(file, text);
    if (failure !== null) code = fail(terminal, [failure]);
  }
  return code;
};

const cannotWrite = (file: string, error: unknown): string => {
  // After the reason, Node names the call of the system and its path, which may be a temporary file.
  const reason = messageOf(error).replace(/, (?!mkdir )\w+ '.*$/s, '');
  return `cannot write ${file}: ${reason}`;
};

/** A file to write. Its pieces are taken while it is written, so they need not be in memory together. */
export type NewFile = Readonly<{ file: string; pieces: Iterable<string> }>;

type WriteOptions = Readonly<{
  /** Whether files that exist are replaced. */
  force: boolean;
  /** Names the temporary files of this process. */
  pid: number;
  /** Why to stop, which is asked before each piece is written; null to go on. */
  stopReason?: () => string | null;
  /** Whether everybody may read the files; default: only their owner, because fixtures have secrets. */
  isPublic?: boolean;
}>;

/**
 * Writes some files, all of them or none: each is prepared beside its place, and all are renamed at the end.
 * Directories that are missing are created. `left`: why nothing was written, a line each.
 */
export const writeFilesTogether = async (
  files: readonly NewFile[],
  { force, pid, stopReason = () => null, isPublic = false }: WriteOptions,
): Promise<E.Either<readonly string[], void>> => {
  const taken = await takenPlaces(files, force);
  if (taken.length > 0) return E.left(taken);
  // Beside the place of each file, so that it can be renamed.
  const prepared = new Map(
    files.map(({ file }) => [file, join(dirname(file), `.${basename(file)}.${pid}.tmp`)]),
  );
  const created = new Set<string>();
  const undo = async (reason: string): Promise<E.Either<readonly string[], void>> => {
    for (const each of prepared.values()) await rm(each, { force: true }).catch(() => {});
    // The innermost first. One that somebody else has put a file into stays.
    for (const directory of Array.from(created).sort((l, r) => r.length - l.length))
      await rmdir(directory).catch(() => {});
    return E.left([reason, 'nothing was written']);
  };
  let current = '';
  try {
    for (const { file, pieces } of files) {
      current = file;
      await createDirectory(dirname(file), created);
      const stopped = await writePieces(prepared.get(file) ?? '', pieces, stopReason);
      if (stopped !== null) return undo(stopped);
    }
    if (isPublic) for (const directory of created) await chmod(directory, 0o755);
    for (const [file, temporary] of prepared) {
      current = file;
      if (isPublic) await chmod(temporary, 0o644);
      await rename(temporary, file);
    }
    for (const directory of new Set(files.map(({ file }) => dirname(file)))) await syncDirectory(directory);
    return E.right(undefined);
  } catch (error) {
    return undo(cannotWrite(current, error));
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

const maxNamed = 10;

/** A line for each place where no file can be written because there is something. */
const takenPlaces = async (files: readonly NewFile[], force: boolean): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const { file } of files) {
    // What cannot be looked at cannot be written either, which then says why.
    const found = await lstat(file).catch(() => null);
    if (found?.isDirectory()) lines.push(`${file} is a directory`);
    else if (found !== null && !force) lines.push(alreadyExists(file));
  }
  return lines.length <= maxNamed
    ? lines
    : [...lines.slice(0, maxNamed), `and ${lines.length - maxNamed} more files exist`];
};

/** How many characters are written at once: each piece for itself would take twice the time. */
const chunkLength = 64 * 1024;

/** Writes a file and synchronizes it. Returns why it has stopped; null if the whole file is on the disk. */
const writePieces = async (
  file: string,
  pieces: Iterable<string>,
  stopReason: () => string | null,
): Promise<string | null> => {
  let stopped: string | null = null;
  const chunks = function* (): Iterable<string> {
    let chunk = '';
    for (const piece of pieces) {
      stopped = stopReason();
      if (stopped !== null) return;
      chunk += piece;
      if (chunk.length < chunkLength) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk;
  };
  await rm(file, { force: true });
  await pipeline(chunks, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  return stopped;
};
