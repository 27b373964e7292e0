import * as TE from 'fp-ts/lib/TaskEither.js';
import { replaceFile } from '../../files/replace-file.js';

/** Writes a whole file or nothing. `left`: why it failed. */
export const writeFileAtomically = (file: string, text: string, pid: number): TE.TaskEither<string, void> =>
  TE.tryCatch(
    () => replaceFile(file, text, { writer: String(pid) }),
    (cause) => `cannot write ${file}: ${cause instanceof Error ? cause.message : cause}`,
  );
