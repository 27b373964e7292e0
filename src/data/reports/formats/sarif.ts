import * as E from '#fp-ts/Either';
import { advisoryIds, fixFrom, severityFrom, worstSeverity } from '../advisory-texts.js';
import { ecosystemFrom, ecosystemOfFile, packageFromPurl, repoNameFrom } from '../package-and-repo-names.js';
import { isLine, ofObject, Part, type ReportFormat } from '../report.js';

/** Messages are longer only if they quote an advisory, which comes last. */
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

/** The fixed versions of a package that OSV-Scanner lists in the help of a rule: id, package, version. */
const fixedVersionsOf = (name: string, rule: Part): string => {
  // Long help would be read again for each result of a rule.
  const help = rule.longText('help', 'text') || rule.longText('help', 'markdown');
  const [, table = ''] = /### Fixed Versions\s+([|][^#]*)/.exec(help.slice(0, 20_000)) ?? [];
  const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  const versions = rows.flatMap(([, , of, version]) => (of === name && version ? version : []));
  return Array.from(new Set(versions)).join(', ');
};

/** The first of these that is text which can be stored. */
const firstLine = (...candidates: readonly (string | null | undefined)[]): string | null =>
  candidates.find(isLine)?.trim() ?? null;

/** The version in the first text of the form `NAME@VERSION`, which Snyk writes. */
const versionIn = (candidates: readonly string[], name: string): string | undefined =>
  candidates.find((each) => each.startsWith(`${name}@`))?.slice(name.length + 1);

/** The package that a result names by a package URL, a property, or a sentence of a known scanner. */
const packageOf = (result: Part, rule: Part) => {
  const searched = [
    result.longText('message', 'text'),
    ...['text', 'markdown'].map((key) => rule.longText('help', key)),
    rule.longText('shortDescription', 'text'),
  ].map((each) => each.slice(0, maxSearched));
  /** The value of a line such as `Fixed Version: 4.17.21`. */
  const lineIn = (label: RegExp) => firstLine(...searched.map((each) => label.exec(each)?.[1]));
  const locations = result.texts('locations', '*', 'logicalLocations', '*', 'fullyQualifiedName');
  const purls = [result, rule].flatMap((each) => [
    ...each.texts('properties', 'purl'),
    ...each.texts('properties', 'purls', '*'),
  ]);
  const purl = packageFromPurl([...purls, ...locations].find(packageFromPurl) ?? null);
  const properties = ['packageName', 'package'].flatMap((key) => result.texts('properties', key));
  const groups = searched.flatMap((each) => sentences.map((sentence) => sentence.exec(each)?.groups));
  const sentence = groups.find((each) => each !== undefined) ?? {};
  const name = purl?.name ?? properties[0] ?? sentence.name;
  if (!isLine(name)) return null;
  const [file = ''] = result.texts('locations', '*', 'physicalLocation', 'artifactLocation', 'uri');
  const type = firstLine(sentence.type, lineIn(/^(?:Type|\* Package Manager): (\S+)/m));
  const fixes = result.items('fixes').map((fix) => fix.longText('description', 'text'));
  const upgrades = fixes.map((each) => each.replace(/^Upgrade to /, ''));
  const fixed = firstLine(
    lineIn(/^(?:Fixed|Fix) Version: (.+)$/m),
    fixedVersionsOf(name, rule),
    versionIn(upgrades, name),
  );
  return {
    package: name,
    ecosystem: purl?.ecosystem ?? ecosystemFrom(type) ?? ecosystemOfFile(file),
    installed: firstLine(
      purl?.version,
      sentence.installed,
      lineIn(/^(?:Installed )?Version: (.+)$/m),
      versionIn(locations, name),
    ),
    fix: fixed === null ? null : fixFrom(fixed),
    // Snyk begins a description with the id of CVE in parentheses; others name ids in the message.
    ids: [
      ...advisoryIds(searched[0] ?? ''),
      ...advisoryIds(/^\(([^()]{1,100})\)/.exec(rule.longText('fullDescription', 'text'))?.[1] ?? ''),
    ],
  };
};

/** `security-severity`, else the tags of the rule, else the level. */
const severityOf = (result: Part, rule: Part): string | null => {
  const scores = [result, rule].flatMap((each) =>
    ['security-severity', 'cvssv3_baseScore'].flatMap((key) => each.texts('properties', key)),
  );
  const tags = rule.texts('properties', 'tags', '*');
  const exact = tags.filter((tag) => severityFrom(tag)?.isApproximate === false);
  const level = result.text('level') ?? rule.text('defaultConfiguration', 'level');
  return scores[0] ?? worstSeverity(exact) ?? level;
};

/** A result of this kind says that there is no problem. */
const passed = ['pass', 'notApplicable', 'informational'];

const resultEntry = (rules: ReadonlyMap<string | null, Part>) =>
  ofObject('result', (result) => {
    const ruleId = result.text('ruleId') ?? result.text('rule', 'id');
    const rule = rules.get(ruleId) ?? new Part(null);
    if (passed.includes(result.text('kind') ?? '')) return result.leaveOut('not-affected', ruleId);
    const found = packageOf(result, rule);
    if (found === null) return result.leaveOut('no-package', ruleId);
    // Grype appends the name of the package to the id of the advisory.
    const inRuleId = advisoryIds(ruleId);
    const isSettled = result.items('suppressions').length > 0 || result.text('baselineState') === 'absent';
    return result.finding({
      ...found,
      ids: [
        ...(inRuleId.length > 0 ? inRuleId : [ruleId]),
        ...rule.texts('deprecatedIds', '*'),
        ...found.ids,
      ],
      severity: severityOf(result, rule),
      status: isSettled ? 'resolved' : 'pending',
    });
  });

const repoOf = (run: Part): string | null => {
  const uri = run.text('versionControlProvenance', '*', 'repositoryUri');
  return repoNameFrom(uri ?? run.text('properties', 'imageName'));
};

/** The entries of a run, in the repository that the run names. */
const runEntries = ofObject('run', (run) => {
  const tools = [run.at('tool', 'driver'), ...run.items('tool', 'extensions')];
  const rules = tools.flatMap((tool) => tool.items('rules')).filter((rule) => rule.text('id') !== null);
  const byId = new Map(rules.map((rule) => [rule.text('id'), rule]));
  const repo = repoOf(run);
  const entries = run.at('results').entries(resultEntry(byId));
  return entries.map(E.map((found) => ({ ...found, repo })));
});

/** SARIF of scanners of dependencies. An entry is a result. */
export const sarif: ReportFormat = {
  name: 'SARIF',
  recognizes: (document) => {
    const runs = document.at('runs');
    const isSarif = runs.isList && (document.has('$schema') || document.has('version'));
    return isSarif && (runs.items().length === 0 || runs.items().some((run) => run.has('tool')));
  },
  entries: (document) => document.at('runs').entries(runEntries),
  repos: (document) => document.items('runs').map(repoOf),
  scannedAt: (document) => {
    const invocations = ['runs', '*', 'invocations', '*'];
    return document.text(...invocations, 'endTimeUtc') ?? document.text(...invocations, 'startTimeUtc');
  },
};
