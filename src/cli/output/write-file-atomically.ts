import { rename, rm, writeFile } from 'node:fs/promises';
import * as TE from 'fp-ts/lib/TaskEither.js';

/**
 * Writes a whole file or nothing: to a temporary file in the same directory, then by renaming it. `left`: why
 * it failed.
 */
export const writeFileAtomically = (file: string, text: string, pid: number): TE.TaskEither<string, void> =>
  TE.tryCatch(
    async () => {
      const temporary = `${file}.${pid}.tmp`;
      try {
        await writeFile(temporary, text);
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    (cause) => `cannot write ${file}: ${cause instanceof Error ? cause.message : cause}`,
  );
