import { basename, resolve } from 'node:path';
import { countOf } from '../output/fixtures.js';
import type { ImportFromSettings } from './import-from-settings.js';
import { standardStream } from './read-bounded.js';

/** What is wrong with a command line, one line for each problem. */
export const usageErrors = (
  files: readonly string[],
  { out, repo, json }: Pick<ImportFromSettings, 'out' | 'repo' | 'json'>,
): readonly string[] => [
  ...(out === undefined || (out.endsWith('.json') && !basename(out).startsWith('.'))
    ? []
    : [`${out}: the name must end in .json and must not start with a dot, or the file is not served`]),
  ...(repo.length <= files.length
    ? []
    : [`--repo was given ${repo.length} times for ${countOf(files.length, 'file')}`]),
  ...(json === standardStream && out === undefined
    ? ['--json - needs --out, because both would be written to standard output']
    : []),
  ...(isSame(out, json) ? ['--out and --json must name different files'] : []),
  ...files
    .filter((file, index) => files.findIndex((other) => isSame(other, file)) < index)
    .map((file) => `${file} was given twice`),
  ...[out, json]
    .filter((written) => written !== standardStream && files.some((file) => isSame(file, written)))
    .map((written) => `${written} cannot be read and written at once`),
];

const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  (a === b || (a !== standardStream && b !== standardStream && resolve(a) === resolve(b)));
