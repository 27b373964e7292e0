import { relative, resolve, sep } from 'node:path';

/** Where a file of this package is, seen from a directory. */
export type Installation = 'project' | 'clone' | 'npx' | 'elsewhere';

/**
 * How this package got to where a file of it is: npm has installed it into the project of the directory, the
 * directory is in a clone of it, npx has downloaded it for one run, or it is elsewhere, such as installed
 * globally.
 */
export const installationOf = (file: string, directory = ''): Installation => {
  const folders = file.split(sep);
  if (folders.includes('_npx')) return 'npx';
  const modules = folders.lastIndexOf('node_modules');
  const owner = folders.slice(0, modules === -1 ? -2 : modules).join(sep) || sep;
  if (relative(owner, resolve(directory)).startsWith('..')) return 'elsewhere';
  return modules === -1 ? 'clone' : 'project';
};
