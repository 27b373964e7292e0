import { groupBy } from '../../common/sort-and-group.js';
import { idsIn } from './advisory-ids.js';
import { ecosystemFrom, ecosystemOfFile } from './ecosystem.js';
import { type PackageUrl, packageFromPurl } from './purl.js';
import type { SarifResult, SarifRule } from './sarif-result.js';
import { Line } from './usable.js';

/** The package that a result is about. Null: the result does not say. */
export type SarifPackage = Readonly<{
  name: string;
  ecosystem: string | null;
  installed: string | null;
  fixed: string | null;
  ids: readonly string[];
}>;

/** Messages are longer only if they quote an advisory, which comes last. */
const maxSearched = 4000;

/** The sentences in which scanners name a package: Trivy, OSV-Scanner, two versions of Grype, Snyk. */
const sentences: readonly RegExp[] = [
  /^Package: (?<name>\S+)/m,
  /^Package '(?<name>@?[^'@]+)@(?<installed>[^']*)' is vulnerable/,
  /vulnerability in (?<type>[\w.-]+) package: (?<name>\S+?), version (?<installed>\S+) was found/,
  /reports (?<name>\S+) at version (?<installed>\S+) .*vulnerable \((?<type>[\w.-]+)\) package/,
  /\bVulnerable module: (?<name>\S+)/,
  /introduces a vulnerable (?<name>\S+) package/,
];

const sentenceIn = (texts: readonly string[]): Readonly<Record<string, string | undefined>> => {
  for (const text of texts)
    for (const sentence of sentences) {
      const groups = sentence.exec(text)?.groups;
      if (groups !== undefined) return groups;
    }
  return {};
};

/** The value of a line such as `Fixed Version: 4.17.21`. */
const lineIn = (texts: readonly string[], label: RegExp): string | undefined =>
  texts.flatMap((text) => label.exec(text)?.[1]?.trim() || []).find(Line.is);

const qualifiedNames = ({ locations }: SarifResult): readonly string[] =>
  locations.flatMap(({ logicalLocations }) =>
    logicalLocations.flatMap(({ fullyQualifiedName }) => fullyQualifiedName ?? []),
  );

/** The package URL that the result or its rule names. */
const purlOf = (result: SarifResult, rule: SarifRule | undefined): PackageUrl | null => {
  const properties = [result.properties, rule?.properties].flatMap((each) => [
    each?.purl ?? [],
    each?.purls ?? [],
  ]);
  for (const text of [...properties.flat(), ...qualifiedNames(result)]) {
    const purl = packageFromPurl(text);
    if (purl !== null) return purl;
  }
  return null;
};

/** The package that a result names by a package URL, a property, or a sentence of a known scanner. */
export const packageOfResult = (
  result: SarifResult,
  rule: SarifRule | undefined,
  fixedVersions: ReadonlyMap<string, string>,
): SarifPackage | null => {
  const texts = [result.message?.text, rule?.help?.text, rule?.help?.markdown, rule?.shortDescription?.text]
    .flatMap((text) => text ?? [])
    .map((text) => text.slice(0, maxSearched));
  const purl = purlOf(result, rule);
  const sentence = sentenceIn(texts);
  const name = purl?.name ?? result.properties?.packageName ?? result.properties?.package ?? sentence.name;
  if (!Line.is(name)) return null;
  const file = result.locations[0]?.physicalLocation?.artifactLocation?.uri ?? '';
  const type = firstLine(sentence.type, lineIn(texts, /^(?:Type|\* Package Manager): (\S+)/m));
  return {
    name,
    ecosystem: purl?.ecosystem ?? (type === null ? ecosystemOfFile(file) : ecosystemFrom(type)),
    installed: firstLine(
      purl?.version,
      sentence.installed,
      lineIn(texts, /^(?:Installed )?Version: (.+)$/m),
      versionIn(qualifiedNames(result), name),
    ),
    fixed: firstLine(
      lineIn(texts, /^(?:Fixed|Fix) Version: (.+)$/m),
      fixedVersions.get(name),
      versionIn(
        result.fixes.flatMap(({ description }) => description?.text?.replace(/^Upgrade to /, '') ?? []),
        name,
      ),
    ),
    ids: [...texts.slice(0, 1), rule?.fullDescription?.text ?? ''].flatMap(idsAtStart),
  };
};

/** The first of these that is text which can be stored. */
const firstLine = (...texts: readonly (string | null | undefined)[]): string | null =>
  texts.find((text) => Line.is(text)) ?? null;

/** The version in the first text of the form `NAME@VERSION`, which Snyk writes. */
const versionIn = (texts: readonly string[], name: string): string | undefined =>
  texts.find((text) => text.startsWith(`${name}@`))?.slice(name.length + 1);

/** Snyk begins a description with the id of CVE in parentheses; others name ids in the message. */
const idsAtStart = (text: string, index: number): readonly string[] =>
  index === 0 ? idsIn(text) : idsIn(/^\(([^()]{1,100})\)/.exec(text)?.[1] ?? '');

/** The fixed versions by package that OSV-Scanner lists in the help of a rule: id, package, version. */
export const fixedVersionsOf = ({ help }: SarifRule): ReadonlyMap<string, string> => {
  const [, table = ''] = /### Fixed Versions\s+([|][^#]*)/.exec(help?.text ?? help?.markdown ?? '') ?? [];
  const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  const versions = groupBy(
    rows.flatMap(([, , name = '', version = '']) => (version === '' ? [] : [{ name, version }])),
    ({ name }) => name,
  );
  return new Map(
    Array.from(versions, ([name, own]) => [
      name,
      Array.from(new Set(own.map(({ version }) => version))).join(', '),
    ]),
  );
};
