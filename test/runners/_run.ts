import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What a program prints, to both outputs; `code` is null if it succeeds. */
export const run = async (
  project: string,
  ...words: readonly string[]
): Promise<Readonly<{ code: unknown; out: string }>> => {
  // A test runner must not take itself for a child of this one.
  const { NODE_ENV: _, FORCE_COLOR: __, ...env } = process.env;
  try {
    const options = { cwd: project, env: { ...env, NO_COLOR: '1', CI: '1' }, timeout: 300_000 };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, options);
    return { code: null, out: stdout + stderr };
  } catch (failed) {
    const { code, stdout, stderr } = Object(failed);
    return { code, out: `${stdout}${stderr}` };
  }
};

/** The option of Node with which Jest runs ES modules. */
export const withEsm = '--experimental-vm-modules';

/** The example for one runner as one for another. */
export const forJest = (example: string): string =>
  example
    .replace("from 'vitest'", "from '@jest/globals'")
    .replaceAll(/\bvi\b/g, 'jest')
    .replace('// @vitest-environment happy-dom', '/** @jest-environment @happy-dom/jest-environment */');
