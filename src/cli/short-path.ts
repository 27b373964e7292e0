import { relative, resolve } from 'node:path';

/** A path as people like to read it: seen from the working directory where it is below that, else whole. */
export const shortPath = (path: string): string => {
  const below = relative('', path);
  return below === '' || below.startsWith('..') ? resolve(path) : below;
};
