import { readFileSync } from 'node:fs';
import * as E from '#fp-ts/Either';

/**
 * The secret in a file, without the line break at its end, which editors and `echo` add. `left`: why it
 * cannot be read.
 */
export const readSecretFile = (path: string): E.Either<string, string> =>
  E.tryCatch(
    () => readFileSync(path, 'utf8').replace(/\r?\n$/, ''),
    (error) =>
      error instanceof Error && 'code' in error && typeof error.code === 'string'
        ? (reasons[error.code] ?? error.code)
        : String(error),
  );

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory',
};
