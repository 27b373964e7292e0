import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The folder of the generator, with its settings. */
const directory = fileURLToPath(new URL('../../../docs/site/', import.meta.url));

/** What npm writes when it has installed the generator; null if it has not. */
export const findDocsSite = (): string | null => {
  const marker = join(directory, 'node_modules/.package-lock.json');
  return existsSync(marker) ? marker : null;
};

/** The sections that the search box of the built site finds, as addresses, the best first. */
export const searchSite = async (words: string): Promise<readonly string[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['find.js', words], { cwd: directory });
  return Array.from(stdout.matchAll(/^\S+/gm), ([address]) => address);
};

/** Builds the site, and returns the folder that it is in. Fails if a link between two pages leads nowhere. */
export const buildSite = async (environment: Readonly<Record<string, string>>): Promise<string> => {
  const options = { cwd: directory, env: { ...process.env, ...environment } };
  await promisify(execFile)('npm', ['run', 'build'], options);
  return join(directory, '.vitepress/dist');
};
