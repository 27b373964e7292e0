import { PackageURL } from 'packageurl-js';
import * as E from '#fp-ts/Either';
import { isLine } from './report.js';

/** Ecosystems, as OSV names them, by what else tools call each one, and the files that list its packages. */
const aliases: Readonly<Record<string, string>> = {
  npm:
    'node-pkg, nodejs, javascript, js, yarn, pnpm, bun, package-lock.json, yarn.lock, pnpm-lock.yaml, ' +
    'npm-shrinkwrap.json, package.json, bun.lock',
  PyPI:
    'pip, python, python-pkg, poetry, pipenv, uv, requirements.txt, poetry.lock, pipfile.lock, ' +
    'uv.lock, setup.py, pyproject.toml',
  Maven: 'java, java-archive, jar, pom, gradle, sbt, pom.xml, gradle.lockfile, build.gradle',
  NuGet: 'dotnet, paket, dotnet-core, dotnet-deps, .net, packages-props, packages.lock.json, packages.config',
  RubyGems: 'gem, gemspec, bundler, ruby, gemfile.lock, gemfile',
  Go: 'golang, gomod, gomodules, golangdep, govendor, gobinary, go-module, stdlib, go.mod, go.sum',
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
  'Rocky Linux': 'rocky',
  AlmaLinux: 'alma',
  CentOS: 'centos',
  Oracle: 'oracle, ol',
  Amazon: 'amazon, amzn, amazonlinux',
  Fedora: 'fedora',
  SUSE: 'suse, sles, suse linux enterprise server',
  openSUSE: 'opensuse, opensuse-leap, opensuse.leap, opensuse.tumbleweed',
  'Azure Linux': 'azurelinux, cbl-mariner, mariner',
  Photon: 'photon, photon os',
  Wolfi: 'wolfi',
  Chainguard: 'chainguard',
};

const byName = new Map(
  Object.entries(aliases).flatMap(([ecosystem, others]) =>
    [ecosystem.toLowerCase(), ...others.split(', ')].map((name) => [name, ecosystem] as const),
  ),
);

/** An ecosystem as OSV names it, with a release after a colon; any other one as the tool names it. */
export const ecosystemFrom = (name: string | null): string | null => {
  if (name === null) return null;
  const [base = '', ...release] = name.trim().split(':');
  return [byName.get(base.toLowerCase()) ?? base, ...release].join(':');
};

/**
 * The ecosystem of a file that lists packages, such as `web/package-lock.json`, or of an image after which
 * its system stands, as in `acme/web:1 (debian 10.2)`; null for any other.
 */
export const ecosystemOfFile = (path: string): string | null => {
  const [, system] = / \(([a-z-]{1,40})(?: [^()]{0,40})?\)$/i.exec(path.slice(-90)) ?? [];
  return byName.get((system ?? path.split(/[\\/]/).at(-1) ?? '').toLowerCase()) ?? null;
};

/** The ecosystem that an id of Snyk contains, such as `SNYK-JS-LODASH-590103` and `SNYK-DEBIAN12-CURL-1`. */
export const ecosystemOfSnykId = (id: string | null): string | null =>
  byName.get(/^SNYK-([A-Z]{1,20})\d*-/.exec(id ?? '')?.[1]?.toLowerCase() ?? '') ?? null;

/** A package as a report names it. */
export type NamedPackage = Readonly<{ name: string; ecosystem: string | null; version: string | null }>;

/** Types whose namespace is that of a distribution of Linux, which is no part of the name of a package. */
const distributions = ['deb', 'apk', 'rpm', 'alpm'];

/** The package of a package URL, under the name that its ecosystem uses; null if the text is none. */
export const packageFromPurl = (purl: string | null): NamedPackage | null => {
  const [type = '', namespace = '', name, version] = purl?.startsWith('pkg:') ? partsOfPurl(purl) : [];
  if (!isLine(name) || !isLine(`${namespace}/`)) return null;
  const isDistribution = distributions.includes(type.toLowerCase());
  const separator = type.toLowerCase() === 'maven' ? ':' : '/';
  return {
    ecosystem: ecosystemFrom(isDistribution && namespace !== '' ? namespace : type.toLowerCase()),
    name: namespace === '' || isDistribution ? name : `${namespace}${separator}${name}`,
    version: isLine(version) ? version : null,
  };
};

type PartsOfPurl = Partial<ReturnType<typeof PackageURL.parseString>>;

/** Type, namespace, name and version as they are written: names that are normalized would be others. */
const partsOfPurl = (purl: string): PartsOfPurl =>
  E.getOrElse((): PartsOfPurl => [])(E.tryCatch((): PartsOfPurl => PackageURL.parseString(purl), String));

/** Text without `%` sequences; as it is if one of them is malformed. */
export const percentDecoded = (text: string): string =>
  E.getOrElse(() => text)(E.tryCatch(() => decodeURIComponent(text), String));

/** The owner of a repository of which only the name is known. */
const unknownOwner = 'imported';

/** The name as GitHub allows it: other characters become hyphens. Empty if nothing is left of it. */
const clean = (part: string): string => {
  const allowed = part.replaceAll(/[^\w.-]+/g, '-');
  const name = allowed === part ? part : allowed.replaceAll(/^-+|(?<!-)-+$/g, '');
  return /^[.-]*$/.test(name) ? '' : name.slice(0, 100);
};

/** `owner/name` of the last two parts that are names; null if there is none. */
export const repoNameOf = (parts: readonly string[]): string | null => {
  const names = parts.map(clean).filter((part) => part !== '');
  const [name, owner] = names.toReversed();
  return name === undefined ? null : `${owner ?? unknownOwner}/${name}`;
};

/** Whether a text is `owner/name`, with the characters that GitHub allows. */
export const isRepoName = (text: string): boolean => {
  const parts = text.split('/');
  return parts.length === 2 && repoNameOf(parts) === text;
};

/** The repository that a URL, a package URL, an image, a path or a project stands for; null for none. */
export const repoNameFrom = (text: string | null): string | null => {
  const name = (text ?? '').trim().replace(/^file:\/\//i, '');
  const purl = packageFromPurl(name);
  if (purl !== null) return repoNameOf(purl.name.split(/[/:]/));
  const [, path] = /^(?:[a-z+]+:\/\/[^/]+\/|git@[^:]+:)([^?#]+)/i.exec(name) ?? [];
  if (path !== undefined) {
    const parts = path.split('/').slice(0, 2);
    return repoNameOf(parts.map((part) => part.replace(/\.git$/, '')));
  }
  const isPath = /^(?:[./~\\]|[A-Za-z]:[\\/])/.test(name);
  if (isPath)
    return repoNameOf(
      name
        .split(/[\\/]+/)
        .filter(clean)
        .slice(-1),
    );
  const image = name
    .replace(/@sha256:.*$/s, '')
    .replace(/:[^:/]*$/, '')
    .split('/');
  // The first part of an image is a registry if it has a dot or a port.
  return repoNameOf(image.length > 1 && /[.:]/.test(image[0] ?? '') ? image.slice(1) : image);
};

/** The repository for a file of this name, of a report that names none. */
export const repoNameOfFile = (file: string): string => {
  const base = file.split(/[\\/]/).at(-1) ?? '';
  const endings = /(?<!\.(?:jsonl?|sarif|ndjson|txt|cdx|vex))(?:\.(?:jsonl?|sarif|ndjson|txt|cdx|vex))+$/i;
  const name = base.replace(endings, '');
  return repoNameOf([name]) ?? `${unknownOwner}/report`;
};
