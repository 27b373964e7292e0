/** The names that tools use, by the ecosystem as the shipped advisories and OSV name it. */
const names: Readonly<Record<string, readonly string[]>> = {
  npm: [
    'npm',
    'node-pkg',
    'nodejs',
    'javascript',
    'yarn',
    'pnpm',
    'bun',
    'package-lock.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'npm-shrinkwrap.json',
    'package.json',
    'bun.lock',
  ],
  PyPI: [
    'pypi',
    'pip',
    'python',
    'python-pkg',
    'poetry',
    'pipenv',
    'uv',
    'requirements.txt',
    'poetry.lock',
    'pipfile.lock',
    'uv.lock',
    'setup.py',
    'pyproject.toml',
  ],
  Maven: [
    'maven',
    'java',
    'java-archive',
    'jar',
    'pom',
    'gradle',
    'sbt',
    'pom.xml',
    'gradle.lockfile',
    'build.gradle',
  ],
  NuGet: [
    'nuget',
    'dotnet',
    'dotnet-core',
    'dotnet-deps',
    '.net',
    'packages-props',
    'packages.lock.json',
    'packages.config',
  ],
  RubyGems: ['rubygems', 'gem', 'gemspec', 'bundler', 'ruby', 'gemfile.lock', 'gemfile'],
  Go: ['go', 'golang', 'gomod', 'gobinary', 'go-module', 'go.mod', 'go.sum'],
  'crates.io': [
    'crates.io',
    'cargo',
    'rust',
    'rustbinary',
    'rust-crate',
    'rust-binary',
    'cargo.lock',
    'cargo.toml',
  ],
  Packagist: [
    'packagist',
    'composer',
    'composer-vendor',
    'php-composer',
    'php',
    'composer.lock',
    'composer.json',
  ],
  Pub: ['pub', 'dart', 'dart-pub', 'pubspec.lock'],
  Hex: ['hex', 'erlang', 'elixir', 'mix.lock'],
  SwiftURL: ['swifturl', 'swift', 'swiftpm', 'package.resolved'],
  CocoaPods: ['cocoapods', 'pod', 'podfile.lock'],
  ConanCenter: ['conancenter', 'conan', 'conan.lock'],
  'GitHub Actions': ['github actions', 'actions', 'github-action', 'githubactions', 'github-actions'],
  Debian: ['debian', 'deb'],
  Ubuntu: ['ubuntu'],
  Alpine: ['alpine', 'apk'],
  'Red Hat': ['red hat', 'redhat', 'rhel'],
};

const byName = new Map(
  Object.entries(names).flatMap(([ecosystem, aliases]) =>
    aliases.map((alias) => [alias, ecosystem] as const),
  ),
);

/** An ecosystem in the words of the shipped advisories; any other one stays as the tool names it. */
export const ecosystemFrom = (name: string): string => byName.get(name.trim().toLowerCase()) ?? name.trim();

/** The ecosystem of a file that lists dependencies, such as `web/package-lock.json`; null for any other. */
export const ecosystemOfFile = (path: string): string | null =>
  byName.get((path.split(/[\\/]/).at(-1) ?? '').toLowerCase()) ?? null;
