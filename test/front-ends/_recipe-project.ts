import { spawn } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { projectWith } from '../_package.js';
import { frontEndFile } from './_front-ends.js';

/** The packages in a folder, also those with a scope. */
const packagesIn = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  const scoped = await Promise.all(
    names
      .filter((name) => name.startsWith('@'))
      .map(async (scope) => (await readdir(join(folder, scope))).map((name) => `${scope}/${name}`)),
  );
  return [...names.filter((name) => !name.startsWith('@')), ...scoped.flat()];
};

const link = async (target: string, place: string): Promise<void> => {
  await mkdir(dirname(place), { recursive: true });
  await symlink(target, place, 'junction').catch((error: unknown) => {
    // What this package depends upon is there already.
    if (Object(error).code !== 'EEXIST') throw error;
  });
};

/**
 * A project with these files, in which this package is installed as it would be published, and the tools of the
 * recipes are, too.
 */
export const recipeProject = async (
  test: ExecutionContext,
  files: Readonly<Record<string, string>>,
): Promise<string> => {
  const project = await projectWith(test, {});
  const modules = join(project, 'node_modules');
  const installed = frontEndFile('.');
  for (const name of await packagesIn(installed)) await link(join(installed, name), join(modules, name));
  for (const name of await readdir(join(installed, '.bin')))
    await link(join(installed, '.bin', name), join(modules, '.bin', name));
  await link('../triage-api/bin/triage-api.js', join(modules, '.bin', 'triage-api'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), content);
  }
  return project;
};

/** Runs a shell command in a project to its end. What it has started ends with the test. */
export const sh = (
  test: ExecutionContext,
  project: string,
  command: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Readonly<{ code: number | null; out: string }>> =>
  new Promise((resolve, reject) => {
    const { NODE_ENV: _, FORCE_COLOR: __, ...env } = process.env;
    const child = spawn('sh', ['-c', command], {
      cwd: project,
      env: { ...env, NO_COLOR: '1', CI: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, because some programs start further ones.
      detached: true,
    });
    test.teardown(() => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of them have ended.
      }
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        out += text;
      });
    }
    child.once('error', reject);
    // Not `close`: a server that goes on in the background keeps the pipes open.
    child.once('exit', (code) => resolve({ code, out }));
  });
