import { lstatSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import * as E from '#fp-ts/Either';
import { type Problem, problem } from '../../contract/codecs/problem.js';
import { type FileProblem, formatFileProblem } from '../../fixtures/json-file.js';
import { duplicateKeys, locate, syntaxProblems } from '../../fixtures/line-and-column.js';
import { type FoundConfig, packageKey, packageName, settingsIn } from './find-config.js';

/** The settings in a file, not yet checked. */
export type ConfigFile = Readonly<{
  /** As it is shown. */
  file: string;
  /** Whether it is a package.json, which has the settings under a key of its own. */
  isPackage: boolean;
  content: unknown;
  /** Formats problems with the settings, each with its place in the file. */
  format: (problems: readonly Problem[]) => readonly string[];
  /** `file:line` of a value. */
  placeOf: (path: readonly string[]) => string;
}>;

/** A file of settings is small; anything else is not meant to be one. */
const maxSize = 1024 * 1024;

/** Reads a config file. `left`: why it cannot be used, one line each. */
export const readConfig = (found: FoundConfig): E.Either<readonly string[], ConfigFile> => {
  const { file } = found;
  const isPackage = basename(file) === packageName;
  const prefix = isPackage ? [packageKey] : [];
  const unusable = (reason: string) => E.left([`${file}: ${reason}`]);
  const why = whyUnusable(found);
  if (why !== null) return unusable(why);
  const bytes = E.tryCatch(() => readFileSync(file), E.toError);
  if (E.isLeft(bytes)) return unusable(`it cannot be read: ${bytes.left.message}`);
  // It drops a byte-order mark.
  const decoded = E.tryCatch(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes.right), E.toError);
  if (E.isLeft(decoded)) return unusable('it is not valid UTF-8');
  const text = decoded.right;
  const format = (problems: readonly Omit<FileProblem, 'file'>[]): readonly string[] =>
    problems.map((each) => formatFileProblem({ ...each, file }));
  try {
    const parsed = E.tryCatch((): unknown => JSON.parse(text), E.toError);
    if (E.isLeft(parsed)) return E.left(format(syntaxProblems(text)));
    const duplicates = duplicateKeys(text).filter(({ path }) => prefix.every((key, i) => path[i] === key));
    if (duplicates.length > 0) return E.left(format(duplicates));
    const content = isPackage ? settingsIn(parsed.right) : parsed.right;
    if (content === undefined) return unusable(`it has no key ${packageKey}`);
    const located = (problems: readonly Problem[]) =>
      locate(
        text,
        problems.map((each) => ({ ...each, path: [...prefix, ...each.path] })),
      );
    return E.right({
      file,
      isPackage,
      content,
      format: (problems) => format(located(problems)),
      placeOf: (path) => `${file}:${located([problem(path, '')])[0]?.line ?? 1}`,
    });
  } catch {
    // What looks for problems is recursive, and throws only on a stack overflow.
    return unusable('values are nested too deeply');
  }
};

/** Why a file is not read at all; null if it is. */
const whyUnusable = ({ file, namedBy }: FoundConfig): string | null => {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined)
      return namedBy === null && lstatSync(file).isSymbolicLink()
        ? 'it links to a file that does not exist'
        : `there is no such file, which ${namedBy} names`;
    if (!stats.isFile()) return 'it is not a regular file';
    if (stats.size > maxSize) return `it has more than ${maxSize} bytes`;
    return file.endsWith('.json') ? null : 'a config file is JSON, so its name has to end in .json';
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
};
