import { delimiter, join } from 'node:path';
import { findProgram } from '../_find-program.js';
import { python } from '../cli/terminal/_pseudo-terminal.js';

const find = (name: string): string | null =>
  findProgram((process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)));

const found = {
  bash: find('bash'),
  zsh: find('zsh'),
  fish: find('fish'),
  mandoc: find('mandoc'),
  groff: find('groff'),
} as const;

/** The path of each program. The tests of this folder run only where all of them are installed. */
export const programs = {
  bash: found.bash ?? '',
  zsh: found.zsh ?? '',
  fish: found.fish ?? '',
  mandoc: found.mandoc ?? '',
  groff: found.groff ?? '',
} as const;

/** Any of the programs that these tests need; null if one of them is missing. */
export const findTerminalPrograms = (): string | null =>
  python === null || Object.values(found).includes(null) ? null : found.bash;
