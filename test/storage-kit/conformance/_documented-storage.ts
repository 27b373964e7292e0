import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { block, documentText } from '../../_documented.js';
import { node, projectWith } from '../../_package.js';

const compiler = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));

/** As strict as TypeScript gets, and without a type that the example does not import itself. */
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  types: [],
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
};

/**
 * A project of an outsider: the package as it is published, the storage that the page shows, compiled to
 * JavaScript, and further files.
 */
export const projectWithStorage = async (
  test: ExecutionContext,
  files: Readonly<Record<string, string>>,
): Promise<string> => {
  const page = documentText('storage.md');
  const project = await projectWith(test, { 'my-storage.ts': block(page, 'ts my-storage.ts'), ...files }, [
    'fast-check',
    'ava',
  ]);
  const settings = { compilerOptions, files: ['my-storage.ts'] };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(settings));
  await node(project, compiler, '-p', project).catch((failed: unknown) => {
    throw new Error(String(Object(failed).stdout));
  });
  return project;
};
