import { readFile, rm } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles the compiled command line with the packages that it imports into `build/bin`: a few files in place of
 * several hundred, which take most of the time of a start to find, read and compile one by one. What a command
 * imports on demand stays in a file of its own.
 */

const root = fileURLToPath(new URL('.', import.meta.url));
const folder = 'build/bin';

/**
 * Modules find files by their own address, so each keeps the one that it has in `build/src`. A worker that is
 * started by such an address runs from there.
 */
const keepAddresses = {
  name: 'keep-addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]build[\\/]src[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const own = relative(`${root}${folder}`, path).replaceAll('\\', '/');
      const address = `new URL(${JSON.stringify(own)}, import.meta.url).href`;
      return { contents: text.replaceAll(/\bimport\.meta\.url\b/g, address), resolveDir: dirname(path) };
    });
  },
};

/** Builds the bundle in memory: its files, and what went into them. */
export const bundle = () =>
  build({
    absWorkingDir: root,
    entryPoints: { 'triage-api': 'build/src/cli/main.js' },
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // ES modules start faster than CommonJS ones, which are wrapped.
    mainFields: ['module', 'main'],
    // An optional part of pg, which is not installed.
    external: ['pg-native'],
    // Packages that are CommonJS modules call `require` for modules of Node.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
    plugins: [keepAddresses],
    logLevel: 'warning',
    metafile: true,
    write: false,
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { mkdir, writeFile } = await import('node:fs/promises');
  const { outputFiles } = await bundle();
  await rm(`${root}${folder}`, { recursive: true, force: true });
  await mkdir(`${root}${folder}`, { recursive: true });
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
}
