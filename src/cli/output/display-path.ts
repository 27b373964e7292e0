import { relative, resolve } from 'node:path';

/** A path as it is shown to users: relative if it is below the working directory, else absolute. */
export const displayPath = (path: string): string => {
  const relativePath = relative('', path);
  return relativePath === '' || relativePath.startsWith('..') ? resolve(path) : relativePath;
};
