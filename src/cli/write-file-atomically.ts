import { rename, rm, writeFile } from 'node:fs/promises';
import * as TE from 'fp-ts/lib/TaskEither.js';

/** Writes a file whole or not at all: beside its place first, then in it. `left`: why it could not be, in one line. */
export const writeFileAtomically = (file: string, text: string, pid: number): TE.TaskEither<string, void> =>
  TE.tryCatch(
    async () => {
      const beside = `${file}.${pid}.tmp`;
      try {
        await writeFile(beside, text);
        await rename(beside, file);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
    (cause) =>
      `${file}: expected a file that can be written, got ${cause instanceof Error ? cause.message : cause}`,
  );
