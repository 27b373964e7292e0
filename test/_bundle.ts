import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type Bundle = Readonly<{
  script: string;
  /** All files that are in it, as paths below the root of the package. */
  inputs: readonly string[];
}>;

/** Bundles a module for browsers. Inside of the package, its own name leads to what it exports. */
export const bundleForBrowsers = async (module: string, format: 'iife' | 'esm' = 'iife'): Promise<Bundle> => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: module, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    platform: 'browser',
    format,
    ...(format === 'iife' ? { globalName: 'bundled' } : {}),
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  return { script: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs) };
};
