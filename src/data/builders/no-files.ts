/** Stands for `node/write-text.ts` where there are no files: package.json chooses one of the two. */
export const writeText = async (_file: string | URL, _text: string): Promise<readonly string[]> => [
  'this environment has no files; call it in Node',
];
