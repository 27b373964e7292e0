import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { run } from '../cli/_cli.js';

/** The script that completes this program in a shell. */
export const completionScript = async (shell: string): Promise<string> =>
  (await run(['completion', shell])).out;

/** Runs code of a shell in a directory, and returns the lines that it prints, sorted. */
export const linesOf = async (
  program: string,
  options: readonly string[],
  code: string,
  directory: string,
): Promise<readonly string[]> => {
  const { stdout } = await promisify(execFile)(program, [...options, '-c', code], { cwd: directory });
  return stdout.split('\n').filter(Boolean).sort();
};

/** What is typed, and what every shell has to offer for it: all of it, or at least some. */
export const table: readonly Readonly<{
  typed: string;
  all?: readonly string[];
  some?: readonly string[];
}>[] = [
  { typed: 'triage-api ser', all: ['serve'] },
  { typed: 'triage-api import', all: ['import', 'import-from'] },
  { typed: 'triage-api ', some: ['serve', 'check', 'completion', 'help'] },
  { typed: 'triage-api --por', all: ['--port'] },
  { typed: 'triage-api --vers', all: ['--version'] },
  { typed: 'triage-api serve --no-w', all: ['--no-watch'] },
  { typed: 'triage-api check --js', all: ['--json'] },
  { typed: 'triage-api check --', some: ['--complete', '--no-complete', '--out', '--watch', '--help'] },
  { typed: 'triage-api --log-level d', all: ['debug'] },
  { typed: 'triage-api serve --log-level ', all: ['debug', 'error', 'info', 'silent', 'warn'] },
  { typed: 'triage-api generate x --distribution ed', all: ['edge'] },
  { typed: 'triage-api completion ', all: ['bash', 'fish', 'zsh'] },
  { typed: 'triage-api help rec', all: ['record', 'recount'] },
  { typed: 'triage-api config exp', all: ['explore'] },
  { typed: 'triage-api serve --port ', all: [] },
  { typed: 'triage-api check te', all: ['team 1.json', 'team.json'] },
  { typed: 'triage-api serve -f te', all: ['team 1.json', 'team.json'] },
  { typed: 'triage-api check --complete --out di', all: ['directory/'] },
  { typed: 'triage-api generate di', all: ['directory/'] },
];
