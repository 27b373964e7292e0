import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installed = fileURLToPath(new URL('../../../bench/runners/node_modules/', import.meta.url));

/** Where the test runners are installed, or null: `npm ci --prefix bench/runners` installs them. */
export const findRunners = (): string | null => (existsSync(join(installed, 'vitest')) ? installed : null);

/** The file that starts each runner. */
export const runners = {
  vitest: join(installed, 'vitest', 'vitest.mjs'),
  jest: join(installed, 'jest', 'bin', 'jest.js'),
  ava: fileURLToPath(new URL('../../../node_modules/ava/entrypoints/cli.mjs', import.meta.url)),
};

const packages = [
  ...['vitest', '@vitest/browser-playwright', 'playwright', 'vite', 'msw'],
  ...['jest', '@jest/globals', 'happy-dom', '@happy-dom/jest-environment'],
];

/** Makes the runners packages of a project. */
export const addRunners = async (project: string): Promise<void> => {
  for (const name of packages) {
    const place = join(project, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(installed, name), place, 'junction');
  }
};
