import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes the version of package.json wherever else it stands, and what changes with a release: the notes of
 * CHANGELOG.md get a heading, and README.md no longer says that nothing is on npm. `npm version` runs this
 * before it commits. A pre-release changes the version alone.
 */
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Changes a file, which has to have what is replaced. */
const replace = (path, pattern, replacement) => {
  const text = readFileSync(path, 'utf8');
  if (!pattern.test(text)) throw new Error(`${path} does not have ${pattern}`);
  writeFileSync(path, text.replace(pattern, replacement));
};

replace('Dockerfile', /^ARG VERSION=.*$/m, `ARG VERSION=${version}`);
if (!version.includes('-')) {
  const day = new Date().toISOString().slice(0, 10);
  replace('CHANGELOG.md', /^## \[Unreleased\]$/m, `## [Unreleased]\n\n## [${version}] - ${day}`);
  // There is nothing to remove after the first release.
  const readme = readFileSync('README.md', 'utf8');
  writeFileSync('README.md', readme.replace(/^<!-- until the first release -->\n(?:.+\n)+\n/m, ''));
}
