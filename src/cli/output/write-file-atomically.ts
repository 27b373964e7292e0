import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as TE from '#fp-ts/TaskEither';
import { replaceFile } from '../../common/replace-file.js';

/** Writes a whole file or nothing. `left`: why it failed. */
export const writeFileAtomically = (file: string, text: string): TE.TaskEither<string, void> =>
  TE.tryCatch(() => replaceFile(file, text), cannotWrite(file));

/** The same, and makes the directory of the file if there is none. */
export const writeFileInDirectory = (file: string, text: string): TE.TaskEither<string, void> =>
  TE.flatMap(
    TE.tryCatch(() => mkdir(dirname(file), { recursive: true }), cannotWrite(file)),
    () => writeFileAtomically(file, text),
  );

const cannotWrite =
  (file: string) =>
  (cause: unknown): string => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    // After the reason, Node names the call of the system and its path, which may be a temporary file.
    return `cannot write ${file}: ${reason.replace(/, (?!mkdir )\w+ '.*$/s, '')}`;
  };
