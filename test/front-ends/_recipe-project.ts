import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { projectWith } from '../_package.js';
import { startShell } from '../_shell.js';
import { linkFrontEnds } from './_link-front-ends.js';

/**
 * A project with these files, in which this package is installed as it would be published, and the tools of
 * the recipes are, too.
 */
export const recipeProject = async (
  test: ExecutionContext,
  files: Readonly<Record<string, string>>,
): Promise<string> => {
  const project = await projectWith(test, {}, ['axe-core']);
  await linkFrontEnds(project);
  await symlink('../triage-api/bin/triage-api.js', join(project, 'node_modules', '.bin', 'triage-api'));
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
): Promise<Readonly<{ code: number | null; out: string }>> => {
  const { NODE_ENV: _, FORCE_COLOR: __, ...env } = process.env;
  return startShell(test, project, command, { ...env, NO_COLOR: '1', CI: '1', ...environment }).finished;
};
