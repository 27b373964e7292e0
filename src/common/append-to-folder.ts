import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomUuid } from '#platform';

/** Returns what appends texts to a new file of a folder, which is made with the first one. */
export const appendToFolder = (folder: string, extension: string): ((text: string) => void) => {
  const file = join(folder, `${randomUuid()}.${extension}`);
  return (text) => {
    mkdirSync(folder, { recursive: true });
    appendFileSync(file, text);
  };
};
