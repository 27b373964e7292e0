import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * The code of a CommonJS module that runs another one when one of its exports is used for the first time.
 * Functions are wrapped, because some who import them take them out of the module at once.
 */
export const onDemand = async (path: string): Promise<string> => {
  const exported: unknown = createRequire(path)(path);
  const names = Object.entries(Object(exported)).map(
    ([name, value]) => [name, typeof value === 'function'] as const,
  );
  return `
    const define = (exports) => {${await readFile(path, 'utf8')}
    };
    let defined;
    const load = () => {
      if (defined === undefined) define((defined = {}));
      return defined;
    };
    for (const [name, isFunction] of ${JSON.stringify(names)}) {
      if (isFunction) exports[name] = (...args) => load()[name](...args);
      else Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });
    }`;
};

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the bundle is written. */
export const bundleFolder = join(root, 'build/bin');

/** Modules find files by their own address, so each keeps the one that it has in `build/src`. */
const keepAddresses = (folder: string): Plugin => ({
  name: 'keep-addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]build[\\/]src[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const own = relative(folder, path).replaceAll('\\', '/');
      const address = `new URL(${JSON.stringify(own)}, import.meta.url).href`;
      return { contents: text.replaceAll(/\bimport\.meta\.url\b/g, address), resolveDir: dirname(path) };
    });
  },
});

/** What pages load stays where it is. */
const textsApart = (folder: string): Plugin => ({
  name: 'texts-apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\.text\.js$/ }, ({ path }) => ({
      path: relative(folder, join(root, 'build/assets', basename(path))).replaceAll('\\', '/'),
      external: true,
    }));
  },
});

/**
 * The tables of media types, of which there are two versions, are read when one is looked up: the API itself
 * never does so.
 */
const mediaTypesOnDemand: Plugin = {
  name: 'media-types-on-demand',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]mime-types[\\/]index\.js$/ }, async ({ path }) => ({
      contents: await onDemand(path),
    }));
  },
};

/**
 * `serve` is the default command and has to start fast, so it is bundled for itself. The others share files
 * in a folder of their own. Their modules are collected in `apart`, by name.
 */
const setApart = (apart: Record<string, string>): Plugin => ({
  name: 'set-apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\// }, ({ path, importer, kind, resolveDir }) => {
      const name = basename(path, '.js');
      const isCommand = kind === 'dynamic-import' && basename(importer) === 'program.js';
      if (!isCommand || name === 'serve') return undefined;
      apart[name] = join(resolveDir, path);
      return { path: `./commands/${name}.js`, external: true };
    });
  },
});

/** Bodies are read as UTF-8 alone, so that the tables of East Asian encodings are never looked at. */
const withoutEncodings: Plugin = {
  name: 'without-encodings',
  setup: ({ onLoad }) => {
    onLoad({ filter: /iconv-lite[\\/]encodings[\\/]tables/ }, () => ({ contents: '[]', loader: 'json' }));
  },
};

const buildInto = (outdir: string, entryPoints: Record<string, string>, plugins: readonly Plugin[]) =>
  build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // ES modules start faster than CommonJS ones, which are wrapped.
    mainFields: ['module', 'main'],
    // Optional parts of pg and debug, which are not installed.
    external: ['pg-native', 'supports-color'],
    // Packages that are CommonJS modules call `require` for modules of Node.
    banner: {
      js:
        'import { createRequire as createRequireOfBundle } from "node:module"; ' +
        'const require = createRequireOfBundle(import.meta.url);',
    },
    plugins: [keepAddresses(outdir), textsApart(outdir), mediaTypesOnDemand, withoutEncodings, ...plugins],
    logLevel: 'warning',
    // A third less to read and compile at a start, and to download. Names stay, for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    metafile: true,
    write: false,
  });

/** The files of the bundle, by absolute path, and the paths of the files that went into it. */
type Bundle = Readonly<{
  files: ReadonlyMap<string, Uint8Array>;
  inputs: readonly string[];
}>;

/**
 * Bundles the compiled command line with the packages that it imports: a few files in place of several
 * hundred, which take most of the time of a start to find, read and compile one by one. What is imported on
 * demand stays in a file of its own.
 */
export const bundle = async (): Promise<Bundle> => {
  const apart: Record<string, string> = {};
  const main = await buildInto(bundleFolder, { 'triage-api': 'build/src/cli/main.js' }, [setApart(apart)]);
  const others = await buildInto(join(bundleFolder, 'commands'), apart, []);
  const built = [main, others];
  return {
    files: new Map(
      built.flatMap(({ outputFiles }) => outputFiles.map(({ path, contents }) => [path, contents])),
    ),
    inputs: built.flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  };
};

/** Where the worker of a demo is written. */
export const workerFile = join(root, 'build/demo/worker.js');

/** A demo has the large files of the reference beside its worker, not in it. */
const referenceApart: Plugin = {
  name: 'reference-apart',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]swagger-ui[\w.-]*\.text\.js$/ }, () => ({ contents: "export default '';" }));
  },
};

/** Bundles the service worker of a demo as one script: a worker cannot load parts on demand. */
export const bundleWorker = async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/demo/worker.js'],
    outfile: workerFile,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2023',
    plugins: [referenceApart],
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  return { files: outputFiles, inputs: Object.keys(metafile.inputs) };
};

/** Where the entry `triage-api/verify` is written, with its types. */
export const verifyFile = join(root, 'build/verify/index.js');

/** Bundles the checks of `verify` as the one file of an entry, without the packages that it shares. */
export const bundleVerify = async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['build/src/verify/contract-tests.js'],
    outfile: verifyFile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['#*', 'io-ts', 'node:*'],
    logLevel: 'warning',
    minify: true,
    lineLimit: 160,
    metafile: true,
    write: false,
  });
  const types = await readFile(join(root, 'build/src/verify/contract-tests.d.ts'));
  const files = [...outputFiles, { path: verifyFile.replace(/js$/, 'd.ts'), contents: types }];
  return { files, inputs: Object.keys(metafile.inputs) };
};
