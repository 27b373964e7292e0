import { accessSync, constants } from 'node:fs';

/** The first of some paths that leads to a program, or null. */
export const findProgram = (paths: readonly string[]): string | null =>
  paths.find((path) => path !== '' && isExecutable(path)) ?? null;

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
