import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/**
 * Prints what publint and Are the types wrong? report about a package, one problem a line:
 * node check-package.mjs package.tgz
 */
const tarball = new Uint8Array(await readFile(process.argv[2] ?? ''));

const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
for (const message of messages) process.stdout.write(`publint: ${formatMessage(message, pkg)}\n`);

/**
 * This package has ES modules only: `import` works everywhere, `require` where Node supports it. The oldest
 * way in which TypeScript finds modules, `node10`, does not read `exports`. `#fp-ts/…` leads to a dependency,
 * which is not in the archive; the tests with several versions of TypeScript resolve it.
 */
const isExpected = ({ kind, resolutionKind, moduleSpecifier = '' }) =>
  kind === 'CJSResolvesToESM' ||
  (kind === 'NoResolution' && resolutionKind === 'node10') ||
  (kind === 'InternalResolutionError' && moduleSpecifier.startsWith('#fp-ts/'));

const analysis = await checkPackage(createPackageFromTarballData(tarball));
for (const problem of analysis.types === false ? [{ kind: 'NoTypes' }] : analysis.problems) {
  const { trace, ...report } = problem;
  if (!isExpected(problem)) process.stdout.write(`types: ${JSON.stringify(report)}\n`);
}
