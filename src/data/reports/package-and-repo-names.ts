import { PackageURL } from 'packageurl-js';
import { isLine } from './report.js';

/** Ecosystems, as OSV names them, by what else tools call each one, and the files that list its packages. */
const aliases: Readonly<Record<string, string>> = {
  npm:
    'node-pkg, nodejs, javascript, yarn, pnpm, bun, package-lock.json, yarn.lock, pnpm-lock.yaml, ' +
    'npm-shrinkwrap.json, package.json, bun.lock',
  PyPI:
    'pip, python, python-pkg, poetry, pipenv, uv, requirements.txt, poetry.lock, pipfile.lock, ' +
    'uv.lock, setup.py, pyproject.toml',
  Maven: 'java, java-archive, jar, pom, gradle, sbt, pom.xml, gradle.lockfile, build.gradle',
  NuGet: 'dotnet, dotnet-core, dotnet-deps, .net, packages-props, packages.lock.json, packages.config',
  RubyGems: 'gem, gemspec, bundler, ruby, gemfile.lock, gemfile',
  Go: 'golang, gomod, gobinary, go-module, go.mod, go.sum',
  'crates.io': 'cargo, rust, rustbinary, rust-crate, rust-binary, cargo.lock, cargo.toml',
  Packagist: 'composer, composer-vendor, php-composer, php, composer.lock, composer.json',
  Pub: 'dart, dart-pub, pubspec.lock',
  Hex: 'erlang, elixir, mix.lock',
  SwiftURL: 'swift, swiftpm, package.resolved',
  CocoaPods: 'pod, podfile.lock',
  ConanCenter: 'conan, conan.lock',
  'GitHub Actions': 'actions, github-action, githubactions, github-actions',
  Debian: 'deb',
  Ubuntu: 'ubuntu',
  Alpine: 'apk',
  'Red Hat': 'redhat, rhel',
};

const byName = new Map(
  Object.entries(aliases).flatMap(([ecosystem, others]) =>
    [ecosystem.toLowerCase(), ...others.split(', ')].map((name) => [name, ecosystem] as const),
  ),
);

/** An ecosystem as OSV names it; any other one stays as the tool names it. Null for null. */
export const ecosystemFrom = (name: string | null): string | null =>
  name === null ? null : (byName.get(name.trim().toLowerCase()) ?? name.trim());

/** The ecosystem of a file that lists dependencies, such as `web/package-lock.json`; null for any other. */
export const ecosystemOfFile = (path: string): string | null =>
  byName.get((path.split(/[\\/]/).at(-1) ?? '').toLowerCase()) ?? null;

/** A package as a report names it. */
export type NamedPackage = Readonly<{ name: string; ecosystem: string | null; version: string | null }>;

/** Types whose namespace is that of a distribution of Linux, which is no part of the name of a package. */
const distributions = ['deb', 'apk', 'rpm', 'alpm'];

/**
 * The package that a package URL such as `pkg:maven/org.acme/web@1.0?type=jar` names, under the name that its
 * ecosystem uses; null if the text is no package URL.
 */
export const packageFromPurl = (purl: string | null): NamedPackage | null => {
  const [type = '', namespace = '', name, version] = partsOfPurl(purl ?? '');
  if (!isLine(name) || !isLine(`${namespace}/`)) return null;
  const isDistribution = distributions.includes(type.toLowerCase());
  const separator = type.toLowerCase() === 'maven' ? ':' : '/';
  return {
    ecosystem: ecosystemFrom(isDistribution && namespace !== '' ? namespace : type.toLowerCase()),
    name: namespace === '' || isDistribution ? name : `${namespace}${separator}${name}`,
    version: isLine(version) ? version : null,
  };
};

/** Type, namespace, name and version as they are written: names that are normalized would be others. */
const partsOfPurl = (purl: string): Partial<ReturnType<typeof PackageURL.parseString>> => {
  try {
    return purl.startsWith('pkg:') ? PackageURL.parseString(purl) : [];
  } catch {
    return [];
  }
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
export const repoNameOf = (parts: readonly string[]): string | null => {
  const [name, owner] = parts
    .map(clean)
    .filter((part) => part !== '')
    .toReversed();
  return name === undefined ? null : `${owner ?? unknownOwner}/${name}`;
};

/** Whether a text is `owner/name`, with the characters that GitHub allows. */
export const isRepoName = (text: string): boolean => {
  const parts = text.split('/');
  return parts.length === 2 && repoNameOf(parts) === text;
};

/** A project or an image, whose first part is a registry if it has a dot or a port. */
const repoOfImage = (image: string): string | null => {
  const parts = image
    .replace(/@sha256:.*$/s, '')
    .replace(/:[^:/]*$/, '')
    .split('/');
  return repoNameOf(parts.length > 1 && /[.:]/.test(parts[0] ?? '') ? parts.slice(1) : parts);
};

const repoOfUrl = (path: string): string | null => {
  const parts = path.replace(/[?#].*$/s, '').split('/');
  return repoNameOf(parts.slice(0, 2).map((part) => part.replace(/\.git$/, '')));
};

const repoOfPath = (path: string): string | null => {
  const parts = path.split(/[\\/]+/).filter((part) => clean(part) !== '');
  return repoNameOf(parts.slice(-1));
};

const maxTextLength = 1000;

/**
 * The repository that a text of a report names: a URL, a package URL, an image such as
 * `ghcr.io/acme/web:1.2`, a path such as `/home/dana/web`, or the name of a project. Null if it names none,
 * as `.` does.
 */
export const repoNameFrom = (text: string | null): string | null => {
  const trimmed = (text ?? '')
    .trim()
    .slice(0, maxTextLength)
    .replace(/^file:\/\//i, '');
  const purl = packageFromPurl(trimmed);
  if (purl !== null) return repoNameOf(purl.name.split(/[/:]/));
  const [, url] = /^(?:[a-z+]+:\/\/[^/]+\/|git@[^:]+:)(.+)$/is.exec(trimmed) ?? [];
  if (url !== undefined) return repoOfUrl(url);
  return /^(?:[./~\\]|[A-Za-z]:[\\/])/.test(trimmed) ? repoOfPath(trimmed) : repoOfImage(trimmed);
};

/** The repository for a file of this name, of a report that names none. */
export const repoNameOfFile = (file: string): string => {
  const base = (file.split(/[\\/]/).at(-1) ?? '').slice(0, maxTextLength);
  const name = base.replace(/(?:\.json|\.sarif|\.jsonl|\.ndjson|\.txt|\.cdx|\.vex)+$/i, '');
  return repoNameOf([name]) ?? `${unknownOwner}/report`;
};
