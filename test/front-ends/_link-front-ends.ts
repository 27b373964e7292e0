import { mkdir, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the tools for front ends are installed. */
export const installedFrontEnds = fileURLToPath(
  new URL('../../../examples/front-ends/node_modules/', import.meta.url),
);

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
 * Makes the installed tools packages of a project, one by one: what they write beside their packages, such as
 * the cache of Vite, then belongs to the project.
 */
export const linkFrontEnds = async (project: string): Promise<void> => {
  const modules = join(project, 'node_modules');
  // Which of the installed versions npm gives the name to is by chance.
  await link(join(installedFrontEnds, 'vite/bin/vite.js'), join(modules, '.bin', 'vite'));
  const programs = (await readdir(join(installedFrontEnds, '.bin'))).map((name) => join('.bin', name));
  for (const name of [...(await packagesIn(installedFrontEnds)), ...programs])
    await link(join(installedFrontEnds, name), join(modules, name));
};
