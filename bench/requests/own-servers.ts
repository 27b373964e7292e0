import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServerProcess } from '../server-process.js';
import type { Setup } from './bench-setup.js';
import type { Contestant } from './contestant.js';

/** A compiled server of `bench/servers`. */
export const serverFile = (name: string): string =>
  fileURLToPath(new URL(`../servers/${name}.js`, import.meta.url));

/** Writes a body to a file, for the servers that send it. */
export const writeBody = async ({ directory }: Setup, name: string, body: string): Promise<string> => {
  const file = join(directory, `${name}.json`);
  await writeFile(file, body);
  return file;
};

/** Starts a server that prints its address, and makes it a contestant for a request. */
export const startContestant = async (
  { processors, until }: Setup,
  { name, work, path, headers }: Omit<Contestant, 'url' | 'pid'> & Readonly<{ path: string }>,
  program: string,
  words: readonly string[],
): Promise<Contestant> => {
  const { url, pid } = until(await startServerProcess(program, words, { processor: processors?.server }));
  return { name, work, url: `${url}${path}`, headers, pid };
};
