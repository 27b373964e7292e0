import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installationOf } from './this-program.js';

const binary = fileURLToPath(new URL('../../../../bin/triage-api.js', import.meta.url));

/**
 * A command line of this program that can be pasted into a shell, and starts the program as it can be started
 * from the working directory.
 */
export const shellCommand = (words: readonly string[], program = binary): string =>
  [...startOf(program), ...words].map(shellWord).join(' ');

const startOf = (program: string): readonly string[] => {
  const installation = installationOf(program);
  if (installation === 'clone') return ['node', relative('', program)];
  if (installation === 'project' || installation === 'npx') return ['npx', 'triage-api'];
  return program.includes('node_modules') ? ['triage-api'] : ['node', program];
};

/** A word as a shell has to read it. */
const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
