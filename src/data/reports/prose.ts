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
export const packageInProse = (texts: readonly string[]) => {
  for (const text of texts)
    for (const sentence of sentences) {
      const { name, installed, type } = sentence.exec(text.slice(0, maxSearched))?.groups ?? {};
      if (isLine(name)) return { name, installed: lineOf(installed), type: lineOf(type) };
    }
  return { name: null, installed: null, type: null };
};

const lineOf = (text: string | undefined): string | null => (isLine(text) ? text : null);

const lines = {
  package: /^Package: *(.*)$/m,
  installed: /^(?:Installed )?Version: *(.*)$/m,
  fix: /^(?:Fixed|Fix) Version: *(.*)$/m,
  type: /^(?:Type|\* Package Manager): *(.*)$/m,
  severity: /^Severity: *(.*)$/m,
};

/** The value of the first line such as `Fixed Version: 4.17.21`, which may be empty; null without one. */
export const lineInProse = (texts: readonly string[], line: keyof typeof lines): string | null => {
  const values = texts.map((text) => lines[line].exec(text.slice(0, maxSearched))?.[1]?.trim());
  return values.find((value) => value === '' || isLine(value)) ?? null;
};

/** Sentences such as "Upgrade `alpha` to version 1.2.3, 2.0.1 or higher", with or without a package. */
const upgrade =
  /\bupgrade ((?:\S{1,200} ){0,4}?)to (?:versions? )?(?:\S{1,200}@)?(v?\d[\w.+:~-]*(?:, ?v?\d[\w.+:~-]*)*)/gi;
const noFix = /\bno (?:fixed version|fix|solution|patch|remediation)\b/i;

/** The fix of a package that sentences name, or deny; null if they do neither. */
export const fixInSentences = (text: string, name: string): Fix | null => {
  const searched = text.slice(0, maxSearched);
  const found = Array.from(searched.matchAll(upgrade), ([, words = '', versions = '']) => ({
    words: words.replaceAll('`', '').trim().split(' '),
    versions: versions.split(/, ?/).map((version) => version.replace(/\W+$/, '')),
  }));
  // A sentence about another package says nothing of this one.
  const own = found.filter(
    ({ words: [first, ...others] }) => first === '' || [first, ...others].includes(name),
  );
  if (own.length > 0) return own.flatMap(({ versions }) => versions);
  return found.length === 0 && noFix.test(searched) ? [] : null;
};

/** How far into the help of a rule a section is looked for. */
const maxHelp = 20_000;

const sectionOf = (text: string, title: RegExp): string =>
  text.slice(0, maxHelp).split(title)[1]?.split(/^#+ /m)[0] ?? '';

/** What the section about the remedy says, in Snyk's words: the distribution of a package, and the fix. */
const remedies = (texts: readonly string[]): string =>
  texts.map((text) => sectionOf(text, /^#+ Remediation$/m)).join('\n');

/** The distribution with its release, such as `Debian:12`, which the section about the remedy names. */
export const distributionInProse = (texts: readonly string[]): string | null =>
  /`([A-Z][\w ]{1,40}:[\w.]{1,20})`/.exec(remedies(texts))?.[1] ?? null;

/**
 * The fix of a package that texts name, or deny: in a line, in the table of OSV-Scanner with the columns id,
 * package and version, or in a section about the remedy. Null if they do neither.
 */
export const fixInProse = (texts: readonly string[], name: string): Fix | null => {
  const line = lineInProse(texts, 'fix');
  if (line !== null) return fixFrom(line);
  const tables = texts.flatMap((text) => sectionOf(text, /^### Fixed Versions$/m).split('\n'));
  const rows = tables.map((row) => row.split('|').map((cell) => cell.trim()));
  const fixed = rows.flatMap(([, , of, version]) => (of === name && isLine(version) ? version : []));
  return fixed.length > 0 ? Array.from(new Set(fixed)) : fixInSentences(remedies(texts), name);
};
