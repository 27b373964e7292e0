import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { groupBy } from '../../../common/sort-and-group.js';
import { fixFrom, idsIn, idsOf, severityFrom, worstSeverity } from '../advisory-texts.js';
import {
  ecosystemFrom,
  ecosystemOfFile,
  type PackageUrl,
  packageFromPurl,
  repoNameFrom,
} from '../package-and-repo-names.js';
import {
  type ConvertedReport,
  decodeEntry,
  type Entry,
  finding,
  Items,
  Line,
  leaveOut,
  type ReportFormat,
  usable,
  usableItems,
} from '../report.js';

/** What scanners write into the property bags of rules and results. */
const Properties = usable(
  t.type({
    'security-severity': usable(t.union([Line, t.number])),
    cvssv3_baseScore: usable(t.number),
    tags: usableItems(Line),
    package: usable(Line),
    packageName: usable(Line),
    purl: usable(Line),
    purls: usableItems(Line),
  }),
);

const Message = usable(t.type({ text: usable(t.string), markdown: usable(t.string) }));

/** A rule of a run: one for each advisory, or one for each advisory and package. */
const SarifRule = t.type({
  id: Line,
  shortDescription: Message,
  fullDescription: Message,
  help: Message,
  deprecatedIds: usableItems(Line),
  defaultConfiguration: usable(t.type({ level: usable(Line) })),
  properties: Properties,
});
type SarifRule = t.TypeOf<typeof SarifRule>;

const Location = t.type({
  physicalLocation: usable(t.type({ artifactLocation: usable(t.type({ uri: usable(Line) })) })),
  logicalLocations: usableItems(t.type({ fullyQualifiedName: usable(Line) })),
});

/** A result of a run. */
const SarifResult = t.type(
  {
    ruleId: usable(Line),
    rule: usable(t.type({ id: usable(Line) })),
    level: usable(Line),
    kind: usable(Line),
    message: Message,
    locations: usableItems(Location),
    suppressions: usableItems(t.unknown),
    fixes: usableItems(t.type({ description: Message })),
    baselineState: usable(Line),
    properties: Properties,
  },
  'result',
);
type SarifResult = t.TypeOf<typeof SarifResult>;

/** The package that a result is about. Null: the result does not say. */
type SarifPackage = Readonly<{
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
const packageOfResult = (
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
const fixedVersionsOf = ({ help }: SarifRule): ReadonlyMap<string, string> => {
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

const Report = t.type({ runs: t.UnknownArray });

/** A run has a rule for each advisory. */
const Rules = usableItems(SarifRule, Number.POSITIVE_INFINITY);

const Run = t.type(
  {
    tool: usable(
      t.type({
        driver: usable(t.type({ rules: Rules })),
        extensions: usableItems(t.type({ rules: Rules })),
      }),
    ),
    versionControlProvenance: usableItems(t.type({ repositoryUri: Line })),
    invocations: usableItems(t.type({ startTimeUtc: usable(Line), endTimeUtc: usable(Line) })),
    properties: usable(t.type({ imageName: usable(Line) })),
    results: Items,
  },
  'run',
);
type Run = t.TypeOf<typeof Run>;

const recognizes = (document: unknown): boolean =>
  Report.is(document) &&
  ('$schema' in document || 'version' in document) &&
  (document.runs.length === 0 ||
    document.runs.some((run) => t.type({ tool: t.unknown }).is(run) && 'tool' in run));

/** A result that passed, or that is no longer there, is no finding. */
const passed = ['pass', 'notApplicable', 'informational'];

const severityOf = (result: SarifResult, rule: SarifRule | undefined): string | null => {
  const [own, ofRule] = [result.properties, rule?.properties].map(
    (properties) => properties?.['security-severity'] ?? properties?.cvssv3_baseScore,
  );
  const score = own ?? ofRule;
  if (score !== undefined) return String(score);
  const tags = (rule?.properties?.tags ?? []).filter((tag) => severityFrom(tag)?.isApproximate === false);
  return worstSeverity(tags) ?? result.level ?? rule?.defaultConfiguration?.level ?? null;
};

/** A rule, and the fixed versions that it lists, which are read once for all of its results. */
type PreparedRule = Readonly<{ rule: SarifRule; fixedVersions: ReadonlyMap<string, string> }>;

const entryOf = (
  value: unknown,
  path: readonly (string | number)[],
  ruleOf: (result: SarifResult) => PreparedRule | undefined,
): Entry => {
  const decoded = decodeEntry(SarifResult, value, path);
  if (E.isLeft(decoded)) return decoded;
  const result = decoded.right;
  const { rule, fixedVersions = new Map<string, string>() } = ruleOf(result) ?? {};
  const ruleId = result.ruleId ?? result.rule?.id ?? rule?.id;
  if (result.kind !== undefined && passed.includes(result.kind))
    return E.left(leaveOut('not-affected', path, ruleId));
  const found = packageOfResult(result, rule, fixedVersions);
  if (found === null) return E.left(leaveOut('no-package', path, ruleId));
  // Grype appends the name of the package to the id of the advisory.
  const inRuleId = idsIn(ruleId ?? '');
  const ids = idsOf([
    ...(inRuleId.length > 0 ? inRuleId : [ruleId]),
    ...(rule?.deprecatedIds ?? []),
    ...found.ids,
  ]);
  if (ids.length === 0) return E.left(leaveOut('no-advisory', path, found.name));
  const isSettled = result.suppressions.length > 0 || result.baselineState === 'absent';
  return E.right(
    finding({
      package: found.name,
      ids,
      ecosystem: found.ecosystem,
      severity: severityOf(result, rule),
      fix: found.fixed === null ? null : fixFrom(found.fixed),
      installed: found.installed,
      status: isSettled ? 'resolved' : 'pending',
    }),
  );
};

const entriesOf = (run: Run, number: number): readonly Entry[] => {
  const rules = [
    ...(run.tool?.driver?.rules ?? []),
    ...(run.tool?.extensions ?? []).flatMap((extension) => extension.rules),
  ];
  const byId = new Map(rules.map((rule) => [rule.id, { rule, fixedVersions: fixedVersionsOf(rule) }]));
  const ruleOf = ({ ruleId, rule }: SarifResult): PreparedRule | undefined =>
    byId.get(ruleId ?? rule?.id ?? '');
  return run.results.map((each, index) => entryOf(each, ['runs', number, 'results', index], ruleOf));
};

const repoOf = ({ versionControlProvenance, properties }: Run): string | null =>
  repoNameFrom(versionControlProvenance[0]?.repositoryUri ?? properties?.imageName ?? '');

/** The entries of a run, in the repository that the run names. */
const entriesIn = (run: Run, number: number): readonly Entry[] =>
  entriesOf(run, number).map(E.map((found) => ({ ...found, repo: repoOf(run) })));

const convertedReport = (document: unknown): ConvertedReport => {
  const runs = (Report.is(document) ? document.runs : []).map((run, index) =>
    decodeEntry(Run, run, ['runs', index]),
  );
  const decoded = runs.flatMap((run) => (E.isRight(run) ? [run.right] : []));
  const invocation = decoded[0]?.invocations[0];
  return {
    repos: decoded.flatMap((run) => repoOf(run) ?? []),
    scannedAt: invocation?.endTimeUtc ?? invocation?.startTimeUtc ?? null,
    entries: runs.flatMap((run, index): readonly Entry[] =>
      E.isRight(run) ? entriesIn(run.right, index) : [run],
    ),
  };
};

/** SARIF of scanners of dependencies. An entry is a result. */
export const sarif: ReportFormat = { name: 'SARIF', recognizes, isLines: false, convert: convertedReport };
