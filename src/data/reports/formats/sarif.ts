import * as E from '#fp-ts/Either';
import { onceFor } from '../../../common/lru.js';
import { advisoryIds, severityFrom, worstSeverity } from '../advisory-texts.js';
import { fixFrom } from '../merge-ranges.js';
import {
  ecosystemFrom,
  ecosystemOfFile,
  ecosystemOfSnykId,
  packageFromPurl,
  repoNameFrom,
} from '../package-and-repo-names.js';
import { fixInSentences, proseOf } from '../prose.js';
import { ofObject, Part, type ReportFormat } from '../report.js';

const titleOf = (rule: Part): string => rule.longText('shortDescription', 'text');

/** The texts of a rule name a package, unless the message of the result does. */
const proseOfRule = onceFor((rule: Part) =>
  proseOf([rule.longText('help', 'text'), rule.longText('help', 'markdown'), titleOf(rule)]),
);

/** What the message of a result says, and then what its rule does. */
type Prose = readonly ReturnType<typeof proseOf>[];

const first = <T>(prose: Prose, read: (each: Prose[number]) => T | null): T | null =>
  prose.map(read).find((value) => value !== null) ?? null;

/** The packages that a result names by package URLs, a property, or a sentence. */
const packagesOf = (result: Part, rule: Part, prose: Prose) => {
  // A rule may be about more packages than a result of it.
  const [named = []] = [result, rule]
    .map((each) => [
      ...['purl', 'purls'].flatMap((key) => each.texts('properties', key)),
      ...each.texts('properties', 'purls', '*'),
      ...each.texts('locations', '*', 'logicalLocations', '*', 'fullyQualifiedName'),
    ])
    .map((purls) => purls.map(packageFromPurl).filter((each) => each !== null))
    .filter((each) => each.length > 0);
  if (named.length > 0) return Array.from(new Map(named.map((each) => [each.name, each])).values());
  const [property] = ['packageName', 'package'].flatMap((key) => result.texts('properties', key));
  const sentence = first(prose, (each) => each.package);
  const ecosystem = ecosystemFrom(sentence?.type ?? null);
  return [{ name: property ?? sentence?.name ?? null, ecosystem, version: sentence?.installed ?? null }];
};

/** The scanner's own word, in a line, a title, or the tags; else a score, else the level. */
const severityOf = (result: Part, rule: Part, prose: Prose): string | null => {
  const [, word = ''] = /^(\w+) severity\b/i.exec(titleOf(rule)) ?? [];
  const tags = rule.texts('properties', 'tags', '*');
  const exact = [word, ...tags].filter((tag) => severityFrom(tag)?.isApproximate === false);
  const scores = [result, rule].flatMap((each) =>
    ['security-severity', 'cvssv3_baseScore'].flatMap((key) => each.texts('properties', key)),
  );
  const level = result.text('level') ?? rule.text('defaultConfiguration', 'level');
  const line = first(prose, ({ severity }) => severity);
  return line || (worstSeverity(exact) ?? scores[0] ?? level);
};

/** The form of the id of an advisory, such as `RUSTSEC-2022-0013`, in contrast to `vulnerable-package`. */
const advisoryForm = /^[a-z]+\d*-[\w:.-]*\d/i;

/** The ids by which the rule names the advisory; the one in the message only if the rule has none. */
const idsOf = (ruleId: string | null, result: Part, rule: Part): readonly (string | null)[] => {
  // Snyk begins a description with the id of CVE in parentheses.
  const [, snyk = ''] = /^\(([^()]{1,300})\)/.exec(rule.longText('fullDescription', 'text')) ?? [];
  const others = [...rule.texts('deprecatedIds', '*'), ...advisoryIds(snyk)];
  // Some scanners append the name of the package.
  const inRuleId = advisoryIds(ruleId);
  if (inRuleId.length > 0) return [...inRuleId, ...others];
  const inMessage = advisoryIds(result.longText('message', 'text')).slice(0, 1);
  const isOwn = advisoryForm.test(ruleId ?? '') || others.length > 0 || inMessage.length === 0;
  return isOwn ? [ruleId, ...others] : inMessage;
};

/** What a result says of one of its packages. */
const versionsOf = (name: string, ruleId: string | null, result: Part, rule: Part, prose: Prose) => {
  const isOfAnother = ![null, name].includes(proseOfRule(rule).packageLine);
  const own = isOfAnother ? prose.slice(0, 1) : prose;
  const named = result.texts('locations', '*', 'logicalLocations', '*', 'fullyQualifiedName');
  const file = result.text('locations', '*', 'physicalLocation', 'artifactLocation', 'uri') ?? '';
  const snyk = /^SNYK-/.test(ruleId ?? '') ? /^(?:\([^()]{1,300}\) )?\S{1,300}@([\w.+:~-]{1,100})$/ : null;
  const installed =
    first(own, ({ installed }) => installed) ??
    named.find((each) => each.startsWith(`${name}@`))?.slice(name.length + 1) ??
    snyk?.exec(rule.longText('fullDescription', 'text'))?.[1];
  const ecosystem = first(own, ({ type }) => type) || first(own, ({ distribution }) => distribution);
  const fixed = rule.text('properties', 'fixed_version');
  const upgrades = result.items('fixes').map((fix) => fix.longText('description', 'text'));
  return {
    installed: installed || null,
    ecosystem: ecosystemFrom(ecosystem || ecosystemOfSnykId(ruleId)) ?? ecosystemOfFile(file),
    // Docker Scout has properties for the ranges. Snyk says only which version is vulnerable.
    vulnerableRange:
      rule.text('properties', 'affected_version') ?? (snyk !== null && installed ? `= ${installed}` : null),
    fix:
      fixed === null
        ? (first(own, ({ fixOf }) => fixOf(name)) ?? fixInSentences(upgrades.join('\n'), name))
        : fixFrom(fixed),
  };
};

/** A result of this kind says that there is no problem. */
const passed = ['pass', 'notApplicable', 'informational'];

const resultEntry = (ruleOf: (result: Part) => Part) =>
  ofObject('result', (result) => {
    const rule = ruleOf(result);
    const ruleId = result.text('ruleId') ?? result.text('rule', 'id') ?? rule.text('id');
    if (passed.includes(result.text('kind') ?? '')) return result.leaveOut('not-affected', ruleId);
    const isSettled = result.items('suppressions').length > 0 || result.text('baselineState') === 'absent';
    const prose = [proseOf([result.longText('message', 'text')]), proseOfRule(rule)];
    return packagesOf(result, rule, prose).map(({ name, ecosystem, version }) => {
      const versions = versionsOf(name ?? '', ruleId, result, rule, prose);
      return result.finding({
        ...versions,
        package: name,
        ids: idsOf(ruleId, result, rule),
        ecosystem: ecosystem ?? versions.ecosystem,
        installed: version ?? versions.installed,
        severity: severityOf(result, rule, prose),
        status: isSettled ? 'resolved' : 'pending',
      });
    });
  });

/** Finds the rule of a result by its index and by its id, which may be longer than that of the rule. */
const rulesOf = (run: Part): ((result: Part) => Part) => {
  const extensions = run.items('tool', 'extensions').map((each) => each.items('rules'));
  const driver = run.items('tool', 'driver', 'rules');
  const byId = new Map([driver, ...extensions].flat().map((rule) => [rule.text('id'), rule]));
  return (result) => {
    const id = result.text('ruleId') ?? result.text('rule', 'id');
    const index = Number(result.text('ruleIndex') ?? result.text('rule', 'index') ?? -1);
    const extension = result.text('rule', 'toolComponent', 'index');
    const rule = (extension === null ? driver : extensions[Number(extension)])?.[index];
    const isOwn = rule !== undefined && (id === null || `${id}/`.startsWith(`${rule.text('id')}/`));
    return (isOwn ? rule : byId.get(id)) ?? new Part(null);
  };
};

const repoOf = (run: Part): string | null => {
  const uri = run.text('versionControlProvenance', '*', 'repositoryUri');
  return repoNameFrom(uri ?? run.text('properties', 'imageName'));
};

/** The entries of a run, in the repository that the run names. */
const runEntries = ofObject('run', (run) => {
  const repo = repoOf(run);
  const entries = run.at('results').entries(resultEntry(rulesOf(run)));
  return entries.map(E.map((found) => ({ ...found, repo })));
});

/** SARIF of scanners of dependencies. An entry is a result, or a package of it. */
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
