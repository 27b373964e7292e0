import { relative, sep } from 'node:path';

/** Where a file of this package is, seen from the working directory. */
export type Installation = 'project' | 'clone' | 'npx' | 'elsewhere';

/**
 * How this package got to where it is: npm has installed it into the project of the working directory, the
 * working directory is in a clone of it, npx has downloaded it for one run, or it is elsewhere, such as
 * installed globally.
 */
export const installationOf = (file: string): Installation => {
  const folders = file.split(sep);
  const modules = folders.lastIndexOf('node_modules');
  if (folders.includes('_npx')) return 'npx';
  const owner = folders.slice(0, modules === -1 ? -2 : modules).join(sep) || sep;
  if (relative(owner, '').startsWith('..')) return 'elsewhere';
  return modules === -1 ? 'clone' : 'project';
};
