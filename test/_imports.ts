import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of TypeScript below a folder. */
export const sources = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    // Tools that a part of the tests has installed are not ours.
    .filter((path) => !path.includes('node_modules'));

/** What a text imports, types included, as it is written there. */
export const importsOf = (text: string): readonly string[] =>
  Array.from(
    // At the beginning of a line, not in a text of several lines; or wherever something is loaded.
    text.matchAll(/^(?:import|export)\b(?:[^;']*?\bfrom)? '([^'\n]+)'|\bimport\(\s*'([^'\n]+)'/gm),
    ([, named, loaded]) => named ?? loaded ?? '',
  );
