import { fixFrom } from './merge-ranges.js';
import { type Fix, isLine } from './report.js';

// What scanners write for people, in the words of those that are known.

/** Texts are longer only if they quote an advisory, which comes last. */
const maxSearched = 4000;

/**
 * The sentences in which scanners name a package: Trivy, OSV-Scanner, two versions of Grype, Snyk. Nothing in
 * them repeats without a bound across several words: they are looked for in each of many results.
 */
const sentences: readonly RegExp[] = [
  /^Package: (?<name>\S+)/m,
  /^Package '(?<name>@?[^'@]+)@(?<installed>[^']*)' is vulnerable/,
  /vulnerability in (?<type>[\w.-]+) package: (?<name>\S+?), version (?<installed>\S+) was found/,
  /reports (?<name>\S+) at version (?<installed>\S+) {1,9}which (?:\w+ ){1,9}vulnerable \((?<type>[\w.-]+)\) package/,
  /\bVulnerable module: (?<name>\S+)/,
  /introduces a vulnerable (?<name>\S+) package/,
];

/** What the first of these texts that names a package says of it. */
const packageIn = (texts: readonly string[]) => {
  for (const text of texts)
    for (const sentence of sentences) {
      const { name, installed, type } = sentence.exec(text.slice(0, maxSearched))?.groups ?? {};
      if (isLine(name)) return { name, installed: lineOf(installed), type: lineOf(type) };
    }
  return null;
};

const lineOf = (text: string | undefined): string | null => (isLine(text) ? text : null);

/** The value of the first line such as `Fixed Version: 4.17.21`, which may be empty; null without one. */
const lineIn = (texts: readonly string[], line: RegExp): string | null => {
  const values = texts.map((text) => line.exec(text.slice(0, maxSearched))?.[1]?.trim());
  return values.find((value) => value === '' || isLine(value)) ?? null;
};

/** Sentences such as "Upgrade `alpha` to version 1.2.3, 2.0.1 or higher", with or without a package. */
const upgrade =
  /\bupgrade ((?:\S{1,200} ){0,4}?)to (?:versions? )?(?:\S{1,200}@)?(v?\d[\w.+:~-]*(?:, ?v?\d[\w.+:~-]*)*)/gi;
const noFix = /\bno (?:fixed version|fix|solution|patch|remediation)\b/i;

/** Reads the sentences of a text about fixes: finds what it says of a package, null if that is nothing. */
const fixesIn = (text: string): ((name: string) => Fix | null) => {
  const searched = text.slice(0, maxSearched);
  const fixes = Array.from(searched.matchAll(upgrade), ([, words = '', versions = '']) => ({
    words: words.replaceAll('`', '').trim().split(' '),
    versions: versions.split(/, ?/).map((version) => version.replace(/\W+$/, '')),
  }));
  const isDenied = fixes.length === 0 && noFix.test(searched);
  return (name) => {
    // A sentence about another package says nothing of this one.
    const own = fixes.filter(({ words }) => words[0] === '' || words.includes(name));
    if (own.length > 0) return own.flatMap(({ versions }) => versions);
    return isDenied ? [] : null;
  };
};

/** The fix of a package that sentences name, or deny; null if they do neither. */
export const fixInSentences = (text: string, name: string): Fix | null => fixesIn(text)(name);

/** How far into the help of a rule a section is looked for. */
const maxHelp = 20_000;

const sectionOf = (text: string, title: RegExp): string =>
  text.slice(0, maxHelp).split(title)[1]?.split(/^#+ /m)[0] ?? '';

/** The versions by package in the tables of OSV-Scanner, with the columns id, package and version. */
const fixedVersionsIn = (texts: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const versions = new Map<string, Set<string>>();
  for (const row of texts.flatMap((text) => sectionOf(text, /^### Fixed Versions$/m).split('\n'))) {
    const [, , name = '', version] = row.split('|').map((cell) => cell.trim());
    if (isLine(version)) versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return new Map(Array.from(versions, ([name, set]) => [name, Array.from(set)]));
};

/**
 * What texts of a result, or of its rule, say of a vulnerable package; null for what they do not mention. All
 * is looked for once, because a long text of a rule may be that of many results.
 */
export const proseOf = (texts: readonly string[]) => {
  // The section about the remedy, in Snyk's words.
  const remedies = texts.map((text) => sectionOf(text, /^#+ Remediation$/m)).join('\n');
  const line = lineIn(texts, /^(?:Fixed|Fix) Version: *(.*)$/m);
  const fixedVersions = fixedVersionsIn(texts);
  const remedyOf = fixesIn(remedies);
  return {
    package: packageIn(texts),
    /** The package of a line, of which all lines are. */
    packageLine: lineIn(texts, /^Package: *(.*)$/m),
    installed: lineIn(texts, /^(?:Installed )?Version: *(.*)$/m),
    type: lineIn(texts, /^(?:Type|\* Package Manager): *(.*)$/m),
    severity: lineIn(texts, /^Severity: *(.*)$/m),
    /** The distribution with its release, such as `Debian:12`. */
    distribution: /`([A-Z][\w ]{1,40}:[\w.]{1,20})`/.exec(remedies)?.[1] ?? null,
    /** The fix of a package by a line, a table, or the section about the remedy. */
    fixOf: (name: string): Fix | null =>
      line === null ? (fixedVersions.get(name) ?? remedyOf(name)) : fixFrom(line),
  };
};
