import { readFileSync, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { lilconfig } from 'lilconfig';
import * as E from '#fp-ts/Either';
import { type Problem, problem } from '../../contract/codecs/problem.js';
import { type FileProblem, formatFileProblem } from '../../fixtures/json-file.js';
import { jsonText } from '../../fixtures/line-and-column.js';
import { displayPath } from '../output/text.js';
import type { ChosenConfig } from './config-options.js';
import { configName, packageKey, packageName } from './config-places.js';

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

/** Reads the chosen config file. Null: there is none. `left`: why it cannot be used, one line each. */
export const readConfig = async (
  chosen: ChosenConfig,
): Promise<E.Either<readonly string[], ConfigFile | null>> => {
  if (chosen._tag === 'None') return E.right(null);
  if (chosen._tag === 'Named')
    return chosen.file === ''
      ? E.left(['--config: expected text that is not empty, got ""'])
      : load(chosen.file, chosen.namedBy);
  const own = await load(configName);
  const shared = await load(packageName);
  if (E.isLeft(own)) return own;
  if (own.right !== null && E.isRight(shared) && shared.right !== null)
    return E.left([`${configName} and ${packageKey} in ${packageName} both have settings; keep one of them`]);
  return own.right === null ? shared : own;
};

/** An error that says what is wrong with a whole file. */
class UnusableFile extends Error {}

/** Reads a file. `namedBy`: the option or the variable that names it; null if it is looked for. */
const load = async (
  path: string,
  namedBy: string | null = null,
): Promise<E.Either<readonly string[], ConfigFile | null>> => {
  const file = displayPath(path);
  const isPackage = basename(path) === packageName;
  // A package.json that was only found need not be ours, whatever is wrong with it.
  const isOurs = namedBy !== null || !isPackage;
  let text = '';
  try {
    if (!(await isUsable(path, namedBy))) return E.right(null);
    const parse = (_: string, content: string): unknown => {
      // Decoding has put this character in place of each byte that is not UTF-8.
      if (content.includes('\uFFFD') && !Buffer.from(content).equals(readFileSync(path)))
        throw new UnusableFile('it is not valid UTF-8');
      text = content.replace(/^\uFEFF/, '');
      const parsed: unknown = JSON.parse(text);
      return isPackage ? withKey(parsed) : parsed;
    };
    const loader = lilconfig(packageKey, {
      packageProp: packageKey,
      ignoreEmptySearchPlaces: false,
      cache: false,
      loaders: { '.json': parse, noExt: parse },
      searchPlaces: [],
    });
    const loaded = await loader.load(resolve(path));
    const content: unknown = loaded?.config;
    if (isPackage && content === null) {
      return isOurs ? E.left([`${file}: it has no key ${packageKey}`]) : E.right(null);
    }
    return checkText(text, file, isPackage, content);
  } catch (error) {
    if (error instanceof SyntaxError && (isOurs || text.includes(`"${packageKey}"`)))
      return E.left(syntaxProblems(text, file));
    if (error instanceof UnusableFile) return E.left([`${file}: ${error.message}`]);
    return isOurs ? E.left([`${file}: ${unreadable(error)}`]) : E.right(null);
  }
};

/** Whether there is a file. Throws if there is something that cannot be read as one. */
const isUsable = async (path: string, namedBy: string | null): Promise<boolean> => {
  const found = await statOrNull(path, stat);
  if (found === null) {
    if (namedBy !== null) throw new UnusableFile(`there is no such file, which ${namedBy} names`);
    if (path === configName && (await statOrNull(path, lstat)) !== null)
      throw new UnusableFile('it links to a file that does not exist');
    return false;
  }
  if (path === packageName && namedBy === null && !found.isFile()) return false;
  if (!found.isFile()) throw new UnusableFile('it is not a regular file');
  if (found.size > maxSize) throw new UnusableFile(`it has more than ${maxSize} bytes`);
  if (!/^[^.]+$|\.json$/.test(basename(path)))
    throw new UnusableFile('a config file is JSON, so its name has to end in .json');
  return true;
};

/** What there is at a path; null if there is nothing. Throws if that cannot be found out. */
const statOrNull = (path: string, ask: typeof stat): Promise<Stats | null> =>
  ask(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });

/** A package.json as lilconfig has to find it: an object whose key, if there is one, is not empty. */
const withKey = (manifest: unknown): object => {
  if (typeof manifest !== 'object' || manifest === null || !Object.hasOwn(manifest, packageKey)) return {};
  const settings: unknown = Object(manifest)[packageKey];
  if (typeof settings !== 'object' || settings === null)
    throw new UnusableFile(`/${packageKey}: expected an object of settings`);
  return { [packageKey]: settings };
};

const unreadable = (error: unknown): string =>
  `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;

const syntaxProblems = (text: string, file: string): readonly string[] => {
  try {
    return jsonText(text)
      .syntaxProblems()
      .map((found) => formatFileProblem({ ...found, file }));
  } catch {
    // What looks for problems is recursive, and throws only on a stack overflow.
    return [`${file}: values are nested too deeply`];
  }
};

const checkText = (
  text: string,
  file: string,
  isPackage: boolean,
  content: unknown,
): E.Either<readonly string[], ConfigFile> => {
  const { duplicateKeys, locate } = jsonText(text);
  const prefix = isPackage ? [packageKey] : [];
  const format = (problems: readonly FileProblem[]): readonly string[] => problems.map(formatFileProblem);
  const located = (problems: readonly Problem[]): readonly FileProblem[] =>
    locate(problems.map((each) => ({ ...each, path: [...prefix, ...each.path] }))).map((each) => ({
      ...each,
      file,
    }));
  try {
    const duplicates = duplicateKeys().filter(({ path }) => prefix.every((key, i) => path[i] === key));
    if (duplicates.length > 0) return E.left(format(duplicates.map((each) => ({ ...each, file }))));
  } catch {
    return E.left([`${file}: values are nested too deeply`]);
  }
  return E.right({
    file,
    isPackage,
    content,
    format: (problems) => format(located(problems)),
    placeOf: (path) => `${file}:${located([problem(path, '')])[0]?.line ?? 1}`,
  });
};
