import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The text of a document of this project. */
export const documentText = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');

/** The fenced blocks of a document whose info string is `info`. */
export const blocks = (text: string, info: string): readonly string[] =>
  Array.from(text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm))
    .filter(([, found]) => found === info)
    .map(([, , block]) => block ?? '');

/** The first of them; fails if there is none. */
export const block = (text: string, info: string): string => {
  const [found] = blocks(text, info);
  if (found === undefined) throw new Error(`no block is marked ${info}`);
  return found;
};
