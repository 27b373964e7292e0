import * as E from '#fp-ts/Either';
import { advisoryIds } from '../advisory-texts.js';
import { fixFrom } from '../merge-ranges.js';
import {
  ecosystemFrom,
  ecosystemOfFile,
  packageFromPurl,
  repoNameFrom,
  repoNameOf,
} from '../package-and-repo-names.js';
import { ofObject, type Part, type ReportFormat } from '../report.js';

const trivyVulnerability = (ecosystem: string | null) =>
  ofObject('vulnerability', (found) => {
    const purl = packageFromPurl(found.text('PkgIdentifier', 'PURL'));
    return found.finding({
      package: found.text('PkgName') ?? purl?.name ?? null,
      // `VendorIDs` are bulletins for distributions, and other names of the same for languages.
      ids: [found.text('VulnerabilityID'), ...found.texts('VendorIDs', '*').flatMap(advisoryIds)],
      ecosystem: purl?.ecosystem ?? ecosystem,
      severity: found.text('Severity'),
      // Trivy names a fixed version whenever it knows one. `Status` is about the fix, not about the finding.
      fix: fixFrom(found.text('FixedVersion') ?? ''),
      installed: found.text('InstalledVersion'),
      discoveredAt: found.text('PublishedDate'),
      updatedAt: found.text('LastModifiedDate'),
      excluded: found.text('Status') === 'not_affected' && 'not-affected',
    });
  });

const trivyResult = ofObject('result', (result) => {
  // Before version 0.20, the target alone tells the type.
  const type = ecosystemFrom(result.text('Type')) ?? ecosystemOfFile(result.text('Target') ?? '');
  return [
    ...result.at('Vulnerabilities').entries(trivyVulnerability(type)),
    ...result
      .at('ExperimentalModifiedFindings')
      .entries((each) => each.leaveOut('ignored', each.text('Finding', 'PkgName'))),
    ...['Misconfigurations', 'Secrets', 'Licenses'].flatMap((kind) =>
      result.at(kind).entries((other) => other.leaveOut('not-a-dependency')),
    ),
  ];
});

const isTrivyResult = (result: Part): boolean =>
  typeof result.at('Target').value === 'string' &&
  ['Vulnerabilities', 'Class', 'Type'].some((key) => result.has(key));

/** Without findings, a report has no `Results`. */
const isTrivyReport = (document: Part): boolean =>
  document.has('SchemaVersion')
    ? document.at('Results').isList || document.has('ArtifactName')
    : document.items('Results').some(isTrivyResult);

/** Where reports about a cluster list its resources: in full, in short, and before version 0.34. */
const resourceLists = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'];

const isClusterReport = (document: Part): boolean =>
  typeof document.at('ClusterName').value === 'string' &&
  (resourceLists.some((list) => document.at(list).isList) ||
    document.fields().every(({ path: [key] }) => key === 'ClusterName' || key === 'SchemaVersion'));

/** The repository that a workload stands for; null for a resource whose packages were not looked at. */
const repoOfResource = (resource: Part): string | null => {
  const isWorkload = resource.items('Results').some((result) => {
    return result.has('Vulnerabilities') || result.text('Class')?.endsWith('-pkgs');
  });
  return isWorkload ? repoNameOf([resource.text('Namespace') ?? '', resource.text('Name') ?? '']) : null;
};

const resourceEntries = ofObject('resource', (resource) => {
  const repo = repoOfResource(resource);
  const results = resource.at('Results').entries(trivyResult);
  const entries = results.map(E.map((found) => ({ ...found, repo })));
  const isScanned = resource.text('Error') === null;
  return isScanned ? entries : [resource.leaveOut('not-scanned', resource.text('Name')), ...entries];
});

/** `trivy --format json`, before version 0.20 a list of results; and `trivy k8s`, a list of resources. */
export const trivy: ReportFormat = {
  name: 'Trivy',
  recognizes: (document) =>
    document.items().some(isTrivyResult) || isTrivyReport(document) || isClusterReport(document),
  entries: (document) =>
    isClusterReport(document)
      ? resourceLists.flatMap((list) => document.at(list).entries(resourceEntries))
      : (document.isList ? document : document.at('Results')).entries(trivyResult),
  repos: (document) =>
    isClusterReport(document)
      ? resourceLists.flatMap((list) => document.items(list)).map(repoOfResource)
      : [repoNameFrom(document.text('ArtifactName'))],
  scannedAt: (document) => document.text('CreatedAt'),
};

const grypeMatch = ofObject('match', (match) => {
  const purl = packageFromPurl(match.text('artifact', 'purl'));
  const fixed = match.texts('vulnerability', 'fix', 'versions', '*');
  const isUnfixed = ['not-fixed', 'wont-fix'].includes(match.text('vulnerability', 'fix', 'state') ?? '');
  return match.finding({
    package: purl?.name ?? match.text('artifact', 'name'),
    ids: [match.text('vulnerability', 'id'), ...match.texts('relatedVulnerabilities', '*', 'id')],
    ecosystem: purl?.ecosystem ?? ecosystemFrom(match.text('artifact', 'type')),
    severity: match.text('vulnerability', 'severity'),
    // `< 4.17.21 (semver)` without the scheme; `none (unknown)` is no range.
    vulnerableRange:
      match
        .texts('matchDetails', '*', 'found', 'versionConstraint')
        .map((range) => range.replace(/\([^()]*\)$/, '').trimEnd())
        .find((range) => range !== '' && range !== 'none') ?? null,
    fix: fixed.length > 0 || isUnfixed ? fixed : null,
    installed: match.text('artifact', 'version') ?? purl?.version ?? null,
  });
});

/** `grype -o json`. An entry is a match. */
export const grype: ReportFormat = {
  name: 'Grype',
  recognizes: (document) => {
    const matches = document.at('matches');
    const isMatch = (match: Part) => match.at('vulnerability').isObject && match.has('artifact');
    return matches.isList && matches.items().length === 0
      ? ['descriptor', 'source', 'distro'].some((key) => document.has(key))
      : matches.items().some(isMatch);
  },
  entries: (document) => [
    ...document.at('matches').entries(grypeMatch),
    ...document.at('ignoredMatches').entries((match) => match.leaveOut('ignored')),
  ],
  repos: (document) => [
    repoNameFrom(document.text('source', 'target') ?? document.text('source', 'target', 'userInput')),
  ],
  scannedAt: (document) => document.text('descriptor', 'timestamp'),
};
