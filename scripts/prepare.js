import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Builds the package if it is not built yet. npm runs this after it has installed packages in a clone, also in
 * that of a dependency that is named by the address of a git repository, which would have no build otherwise.
 * It is no script `prepare`, because npm warns whoever installs a package file that has one.
 */
const isBuilt = ['build/bin/triage-api.js', 'sbom.cdx.json', 'THIRD-PARTY-LICENSES.txt'].every((path) =>
  existsSync(path),
);

const hasCompiler = () => {
  try {
    createRequire(import.meta.url).resolve('typescript/package.json');
    return true;
  } catch {
    return false;
  }
};

if (!isBuilt && hasCompiler()) {
  // The program of npm itself: on Windows, its command is a batch file, which Node does not start.
  const npm = process.env.npm_execpath;
  const [program, words] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  execFileSync(program, [...words, 'run', '--silent', 'build:package'], { stdio: ['ignore', 2, 2] });
} else if (!isBuilt) {
  process.stderr.write('triage-api is not built, because its development dependencies are not installed.\n');
}
