import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { root } from '../../scripts/inventory.js';
import { node, projectWith } from '../_package.js';
import { directoryWith } from '../fixtures/_directory.js';

/** The paths of all files in a folder, with slashes. */
const filesIn = async (folder: string): Promise<ReadonlySet<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(
    files.map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    ),
  );
};

test('the package has no source maps, and its code is compiled without any', async (t) => {
  const files = await filesIn(join(await projectWith(t, {}), 'node_modules/triage-api'));
  t.deepEqual(
    [...files].filter((file) => file.endsWith('.map')),
    [],
  );
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  t.regex(scripts.prepack, /^npm run clean && npm run build:package$/);
  t.regex(scripts['build:package'], /^tsc -p scripts\/package\.tsconfig\.json && /);
  const folder = await directoryWith(t, {});
  const words = ['-p', join(root, 'scripts/package.tsconfig.json'), '--outDir', folder];
  await node(root, join(root, 'node_modules/typescript/bin/tsc'), ...words);
  const compiled = await filesIn(folder);
  const named: string[] = [];
  for (const file of compiled)
    if (/sourceMappingURL/.test(await readFile(join(folder, file), 'utf8'))) named.push(file);
  t.deepEqual(named, []);
  const missing = [...files].filter((file) => /^build\/src\/.*\.[jt]s$/.test(file));
  t.true(missing.length > 100);
  t.deepEqual(
    missing.filter((file) => !compiled.has(file.slice('build/'.length))),
    [],
  );
});

/** Prints where the program is when it writes its first line. */
const probe = `
const { write } = process.stdout;
process.stdout.write = (...words) => {
  process.stdout.write = write;
  return process.stdout.write(new Error().stack + '\\n') && process.stdout.write(...words);
};
`;

/** Throws inside of a module of the package. */
const throwing = `
import { startTriageApi } from 'triage-api';
await startTriageApi({ fixtures: 'missing.json' }).catch((error) => console.log(error.stack));
`;

/** The files of the package that a stack trace names, relative to the package. */
const filesOfTrace = (trace: string): readonly string[] =>
  Array.from(
    trace.replaceAll('\\', '/').matchAll(/^ +at .*\/node_modules\/triage-api\/([^\s():]+):\d+:\d+\)?$/gm),
    ([, file = '']) => file,
  );

for (const options of [[], ['--enable-source-maps']]) {
  test(`stack traces name files that are packed: node ${options.join(' ')}`, async (t) => {
    const project = await projectWith(t, { 'probe.js': probe, 'throwing.js': throwing });
    const files = await filesIn(join(project, 'node_modules/triage-api'));
    const program = ['--import', './probe.js', 'node_modules/triage-api/bin/triage-api.js', 'check'];
    for (const words of [program, ['throwing.js']]) {
      const trace = await node(project, ...options, ...words);
      const named = filesOfTrace(trace);
      t.true(named.length > 1, trace);
      t.deepEqual(
        named.filter((file) => !files.has(file)),
        [],
      );
    }
  });
}
