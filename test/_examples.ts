import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

/** What somebody who tries an example has installed or made there. */
const made = new Set(['node_modules', 'public', 'test-results', 'package-lock.json']);

/** The files of an example by their paths, without its README. */
export const exampleFiles = (name: string): Readonly<Record<string, string>> => {
  const folder = join(examples, name);
  const files = (directory: string): readonly string[] =>
    readdirSync(directory, { withFileTypes: true })
      .filter((entry) => !made.has(entry.name))
      .flatMap((entry) => {
        const path = join(directory, entry.name);
        return entry.isDirectory() ? files(path) : [path];
      });
  return Object.fromEntries(
    files(folder)
      .map((path) => [relative(folder, path).replaceAll(sep, '/'), readFileSync(path, 'utf8')] as const)
      .filter(([path]) => path !== 'README.md'),
  );
};
