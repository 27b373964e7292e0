import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The package of the servers that we are compared with, which is no part of ours. */
const directory = fileURLToPath(new URL('../../bench/peers/', import.meta.url));

/** A file of that package, or of what it depends on. */
export const peerFile = (path: string): string => join(directory, path);

/** Says which versions are installed: a copy of the lock file that they were installed from. */
const marker = peerFile('node_modules/.installed-lock.json');

/**
 * Installs the peers unless they are installed already. Their install scripts do not run. Gives null, or why
 * they cannot be installed.
 */
export const installPeers = async (print: (line: string) => void): Promise<string | null> => {
  const lock = await readFile(peerFile('package-lock.json'), 'utf8');
  if ((await readFile(marker, 'utf8').catch(() => '')) === lock) return null;
  print('installing the peers in bench/peers (about 250 MB) …');
  try {
    // On Windows, npm is a script, which only a shell starts.
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: directory,
      shell: process.platform === 'win32',
    });
    await writeFile(marker, lock);
    return null;
  } catch (error) {
    return `npm ci failed in bench/peers: ${error instanceof Error ? error.message : error}`;
  }
};
