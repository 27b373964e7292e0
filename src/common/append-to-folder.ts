import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomUuid } from '#platform';

/**
 * Returns what appends texts to a new file of a folder, which is made with the first one. `onFailure` is told
 * of the first error of the system; nothing more is written then.
 */
export const appendToFolder = (
  folder: string,
  extension: string,
  onFailure: (cause: unknown) => void,
): ((text: string) => void) => {
  const file = join(folder, `${randomUuid()}.${extension}`);
  let hasFailed = false;
  return (text) => {
    if (hasFailed) return;
    try {
      mkdirSync(folder, { recursive: true });
      appendFileSync(file, text);
    } catch (cause) {
      hasFailed = true;
      onFailure(cause);
    }
  };
};
