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

/** The package URL that the result or its rule names. */
const purlOf = (result: SarifResult, rule: SarifRule | undefined): PackageUrl | null => {
  const qualified = result.locations.flatMap(({ logicalLocations }) =>
    logicalLocations.flatMap(({ fullyQualifiedName }) => fullyQualifiedName ?? []),
  );
  const properties = [result.properties, rule?.properties].flatMap((each) => [
    each?.purl ?? [],
    each?.purls ?? [],
  ]);
  for (const text of [...properties.flat(), ...qualified]) {
    const purl = packageFromPurl(text);
    if (purl !== null) return purl;
  }
  return null;
};

/** The package that a result names by a package URL, a property, or a sentence of a known scanner. */
export const packageOfResult = (result: SarifResult, rule: SarifRule | undefined): SarifPackage | null => {
  const texts = [result.message?.text, rule?.help?.text, rule?.help?.markdown, rule?.shortDescription?.text]
    .flatMap((text) => text ?? [])
    .map((text) => text.slice(0, maxSearched));
  const purl = purlOf(result, rule);
  const sentence = sentenceIn(texts);
  const name = purl?.name ?? result.properties?.packageName ?? result.properties?.package ?? sentence.name;
  if (!Line.is(name)) return null;
  const file = result.locations[0]?.physicalLocation?.artifactLocation?.uri ?? '';
  const type = sentence.type ?? lineIn(texts, /^(?:Type|\* Package Manager): (\S+)/m);
  return {
    name,
    ecosystem: purl?.ecosystem ?? (type === undefined ? ecosystemOfFile(file) : ecosystemFrom(type)),
    installed:
      purl?.version ?? sentence.installed ?? lineIn(texts, /^(?:Installed )?Version: (.+)$/m) ?? null,
    fixed: lineIn(texts, /^(?:Fixed|Fix) Version: (.+)$/m) ?? fixedInTable(rule, name) ?? null,
    ids: texts.slice(0, 1).flatMap(idsIn),
  };
};

/** OSV-Scanner lists the fixed versions in a table: id, package, version. */
const fixedInTable = (rule: SarifRule | undefined, name: string): string | undefined => {
  const [, table = ''] =
    /### Fixed Versions\s+([|][^#]*)/.exec(rule?.help?.text ?? rule?.help?.markdown ?? '') ?? [];
  const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  const versions = rows.filter((cells) => cells[2] === name).flatMap((cells) => cells[3] || []);
  return versions.length === 0 ? undefined : Array.from(new Set(versions)).join(', ');
};
