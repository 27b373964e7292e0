import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Writes a text file and makes its folders. Resolves to why that failed; an empty list if it did not. */
export const writeText = async (file: string | URL, text: string): Promise<readonly string[]> => {
  try {
    const path = file instanceof URL ? fileURLToPath(file) : resolve(file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};
