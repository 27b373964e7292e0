import { replaceFile } from '../../../src/common/replace-file.js';

type FaultyWrites = {
  failure: Error | null;
  files: string[];
  replace: (file: string, text: string) => Promise<void>;
};

/** Replaces files, unless there is a cause to fail; `files` are those that were replaced, by their paths. */
export const faultyWrites = (): FaultyWrites => {
  const writes: FaultyWrites = {
    failure: null,
    files: [],
    replace: async (file, text) => {
      if (writes.failure !== null) throw writes.failure;
      writes.files.push(file);
      await replaceFile(file, text);
    },
  };
  return writes;
};
