import { Line } from './report.js';

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

/** A package as a package URL names it. */
export type PackageUrl = Readonly<{ ecosystem: string; name: string; version: string | null }>;

/** Types whose namespace is that of a distribution of Linux, which is no part of the name of a package. */
const distributions = ['deb', 'apk', 'rpm', 'alpm'];

/**
 * The package that a package URL such as `pkg:maven/org.acme/web@1.0?type=jar` names, under the name that its
 * ecosystem uses; null if the text is no package URL.
 */
export const packageFromPurl = (purl: string): PackageUrl | null => {
  const [, type = '', path = ''] = /^pkg:(?:\/\/)?([A-Za-z][\w.+-]*)\/([^?#]+)/.exec(purl) ?? [];
  if (type === '') return null;
  const at = path.indexOf('@', path.startsWith('@') ? 1 : 0);
  const [named, version] = at === -1 ? [path, null] : [path.slice(0, at), path.slice(at + 1)];
  const parts = named
    .split('/')
    .map(percentDecoded)
    .filter((part) => part !== '');
  const name = parts.at(-1) ?? '';
  const namespace = parts.slice(0, -1).join('/');
  if (!Line.is(name) || !Line.is(`${namespace}/`)) return null;
  const kind = type.toLowerCase();
  const isDistribution = distributions.includes(kind);
  return {
    ecosystem: ecosystemFrom(isDistribution && namespace !== '' ? namespace : kind),
    name: namespace === '' || isDistribution ? name : `${namespace}${kind === 'maven' ? ':' : '/'}${name}`,
    version: version !== null && Line.is(percentDecoded(version)) ? percentDecoded(version) : null,
  };
};

/** Text without `%` sequences; as it is if one of them is malformed. */
export const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The owner of a repository of which only the name is known. */
export const unknownOwner = 'imported';

const maxLength = 100;

/** The name with the characters that GitHub allows; others become hyphens. Empty if nothing is left of it. */
const clean = (part: string): string => {
  const allowed = part.replaceAll(/[^\w.-]+/g, '-');
  const name = allowed === part ? part : allowed.replaceAll(/^-+|-+$/g, '');
  return /^[.-]*$/.test(name) ? '' : name.slice(0, maxLength);
};

/** `owner/name` of the last two parts that are names; null if there is none. */
const joined = (parts: readonly string[]): string | null => {
  const [name, owner] = parts
    .map(clean)
    .filter((part) => part !== '')
    .toReversed();
  return name === undefined ? null : `${owner ?? unknownOwner}/${name}`;
};

/** Whether a text is `owner/name`, with the characters that GitHub allows. */
export const isRepoName = (text: string): boolean => {
  const parts = text.split('/');
  return parts.length === 2 && joined(parts) === text;
};

/** A project or an image, whose first part is a registry if it has a dot or a port. */
const repoOfImage = (image: string): string | null => {
  const parts = image
    .replace(/@sha256:.*$/s, '')
    .replace(/:[^:/]*$/, '')
    .split('/');
  return joined(parts.length > 1 && /[.:]/.test(parts[0] ?? '') ? parts.slice(1) : parts);
};

const repoOfUrl = (path: string): string | null =>
  joined(
    path
      .replace(/[?#].*$/s, '')
      .split('/')
      .slice(0, 2)
      .map((part) => part.replace(/\.git$/, '')),
  );

const repoOfPath = (path: string): string | null =>
  joined(
    path
      .split(/[\\/]+/)
      .filter((part) => clean(part) !== '')
      .slice(-1),
  );

const maxTextLength = 1000;

/**
 * The repository that a text of a report names: a URL, a package URL, an image such as
 * `ghcr.io/acme/web:1.2`, a path such as `/home/dana/web`, or the name of a project. Null if it names none,
 * as `.` does.
 */
export const repoNameFrom = (text: string): string | null => {
  const trimmed = text
    .trim()
    .slice(0, maxTextLength)
    .replace(/^file:\/\//i, '');
  const purl = packageFromPurl(trimmed);
  if (purl !== null) return joined(purl.name.split(/[/:]/));
  const [, url] = /^(?:[a-z+]+:\/\/[^/]+\/|git@[^:]+:)(.+)$/is.exec(trimmed) ?? [];
  if (url !== undefined) return repoOfUrl(url);
  return /^(?:[./~\\]|[A-Za-z]:[\\/])/.test(trimmed) ? repoOfPath(trimmed) : repoOfImage(trimmed);
};

/** The repository for a file of this name, of a report that names none. */
export const repoNameOfFile = (file: string): string => {
  const base = (file.split(/[\\/]/).at(-1) ?? '').slice(0, maxTextLength);
  const name = base.replace(/(?:\.json|\.sarif|\.jsonl|\.ndjson|\.txt|\.cdx|\.vex)+$/i, '');
  return joined([name]) ?? `${unknownOwner}/report`;
};
