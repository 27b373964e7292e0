import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The first of some paths at which a program stands, or null. */
export const firstProgram = (paths: readonly string[]): string | null =>
  paths.find((path) => path !== '' && isExecutable(path)) ?? null;

/**
 * Runs tests that need a program which not every machine has. With `--if-found`, that there is none is told and no failure.
 */
export const runWithProgram = (what: string, program: string | null, hint: string, config: string): void => {
  if (program === null) {
    const isFailure = !process.argv.includes('--if-found');
    process.stdout.write(`${what} ${isFailure ? 'failed' : 'SKIPPED'}: ${hint}\n`);
    process.exitCode = isFailure ? 1 : 0;
    return;
  }
  process.stdout.write(`${what} with ${program}\n`);
  const ava = fileURLToPath(new URL('../../node_modules/ava/entrypoints/cli.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [ava, '--config', config], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
};
