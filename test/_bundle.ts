import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type Bundle = Readonly<{
  /** What is loaded at once. */
  script: string;
  /** The files that are in it, as paths below the root of the package. */
  inputs: readonly string[];
  /** All scripts, those that are loaded on demand, too. */
  scripts: readonly string[];
}>;

/**
 * Bundles a module for browsers: as one script with the global name `bundled`, or as modules, of which some
 * may be loaded on demand. Inside of the package, its own name leads to what it exports.
 */
export const bundleForBrowsers = async (module: string, format: 'iife' | 'esm' = 'iife'): Promise<Bundle> => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: module, resolveDir: root },
    absWorkingDir: root,
    outdir: 'bundle',
    bundle: true,
    minify: true,
    platform: 'browser',
    format,
    ...(format === 'iife' ? { globalName: 'bundled' } : { splitting: true }),
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const { outputs } = metafile;
  /** A script and those that it imports at once. */
  const withImports = (name: string): readonly string[] => {
    const imported = outputs[name]?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
    return [name, ...imported.flatMap(({ path }) => withImports(path))];
  };
  const atOnce = new Set(withImports('bundle/stdin.js'));
  const textOf = (name: string): string =>
    outputFiles.find(({ path }) => path === join(root, name))?.text ?? '';
  return {
    script: Array.from(atOnce, textOf).join('\n'),
    inputs: Array.from(atOnce).flatMap((name) => Object.keys(outputs[name]?.inputs ?? {})),
    scripts: outputFiles.map(({ text }) => text),
  };
};
