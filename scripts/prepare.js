import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Builds the package with a script of package.json, unless it is built and nothing has changed since. npm runs
 * this before `npm start`, and after it has installed packages in a clone, also in that of a dependency that is
 * named by the address of a git repository, which would have no build otherwise. It is no script `prepare`,
 * because npm warns whoever installs a package file that has one.
 */
const [, , script] = process.argv;
const isStart = process.env.npm_lifecycle_event === 'prestart';
const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const oldest = engines.node.replace('>=', '');
const { node: version } = process.versions;

const isBuilt = () => {
  const built = ['build/bin/triage-api.js', 'sbom.cdx.json', 'THIRD-PARTY-LICENSES.txt'];
  const folders = ['src', 'scripts', 'fixtures'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  );
  const changedAt = (path) => statSync(path).mtimeMs;
  return (
    built.every((path) => existsSync(path)) &&
    // The bundle is written by every build. A file that was deleted has changed its folder.
    [...folders, ...files, 'package.json', 'tsconfig.json'].every(
      (path) => changedAt(path) <= changedAt('build/bin/triage-api.js'),
    )
  );
};

const hasCompiler = () => {
  try {
    createRequire(import.meta.url).resolve('typescript/package.json');
    return true;
  } catch {
    return false;
  }
};

if (version.localeCompare(oldest, 'en', { numeric: true }) < 0) {
  process.stderr.write(`triage-api needs Node.js ${oldest} or later; this is ${version}\n`);
  process.exitCode = 1;
} else if (isBuilt()) {
  // Nothing is to be done.
} else if (hasCompiler()) {
  process.stderr.write('Building triage-api …\n');
  // The program of npm itself: on Windows, its command is a batch file, which Node does not start.
  const npm = process.env.npm_execpath;
  const [program, words] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  execFileSync(program, [...words, 'run', '--silent', script], { stdio: ['ignore', 2, 2] });
} else {
  process.stderr.write('triage-api is not built: run npm ci first, which installs what builds it\n');
  if (isStart) process.exitCode = 1;
}
