import type { FindingStatus } from '../../../contract/enums.js';
import { worstSeverity } from '../advisory-texts.js';
import {
  type NamedPackage,
  packageFromPurl,
  percentDecoded,
  repoNameFrom,
} from '../package-and-repo-names.js';
import { type Fix, idsOf, ofObject, type Part, type ReportFormat } from '../report.js';

/**
 * A range of the `vers` scheme, such as `vers:npm/>=4.0.0|<4.3.1`, as a range expression. A constraint that
 * sets a lower bound begins an alternative, as does a single version. Any other text stays as it is.
 */
export const rangeFromVers = (range: string): string => {
  const [, constraints] = /^vers:[\w.+-]+\/(.+)$/s.exec(range) ?? [];
  if (constraints === undefined) return range;
  if (constraints.trim() === '*') return '*';
  const comparisons = constraints.split('|').flatMap((constraint) => {
    const [, operator = '=', version] = /^(>=|<=|!=|<|>|=)?\s*(\S+)$/.exec(constraint.trim()) ?? [];
    return version === undefined || operator === '!=' ? [] : `${operator} ${version}`;
  });
  const joined = comparisons.map((comparison, index) => {
    const isEnd = comparison.startsWith('<') && comparisons[index - 1]?.startsWith('>');
    return index === 0 ? comparison : `${isEnd ? ', ' : ' || '}${comparison}`;
  });
  return joined.length === 0 ? range : joined.join('');
};

/** The package that a component is; null if it has no name. */
const packageOf = (component: Part): NamedPackage | null => {
  const named = packageFromPurl(component.text('purl'));
  const name = named?.name ?? nameOf(component);
  const [ecosystem, version] = [named?.ecosystem ?? null, component.text('version')];
  return name === null ? null : { name, ecosystem, version };
};

const nameOf = (component: Part): string | null => {
  const [group, name] = [component.text('group'), component.text('name')];
  return group === null || name === null ? name : `${group}/${name}`;
};

/** How deeply components may be nested. */
const maxDepth = 50;

/**
 * Finds the package that a `ref` names: a `bom-ref`, a package URL, whether a component has it or not, or a
 * BOM-Link, whose fragment names a component of another document. Null if nothing is found.
 */
const packagesByRef = (components: readonly Part[]): ((ref: string) => NamedPackage | null) => {
  const byRef = new Map<string, NamedPackage | null>();
  const add = (component: Part, depth: number): void => {
    const named = packageOf(component);
    for (const key of [...component.texts('bom-ref'), ...component.texts('purl')])
      if (!byRef.has(key)) byRef.set(key, named);
    if (depth < maxDepth) for (const inner of component.items('components')) add(inner, depth + 1);
  };
  for (const component of components) add(component, 0);
  return (ref) => {
    const fragment = ref.startsWith('urn:cdx:') ? percentDecoded(ref.slice(ref.indexOf('#') + 1)) : ref;
    return byRef.get(ref) ?? byRef.get(fragment) ?? packageFromPurl(fragment);
  };
};

const statusFromAnalysis = (vulnerability: Part): FindingStatus => {
  const state = vulnerability.text('analysis', 'state') ?? '';
  if (state === 'exploitable') return 'escalated';
  const isResolved = /^(?:resolved|resolved_with_pedigree|false_positive|not_affected)$/.test(state);
  return isResolved ? 'resolved' : 'pending';
};

/** Generators of these documents write `Upgrade lodash to version 4.17.21`. */
const fixOf = (recommendation: string): Fix | null => {
  const [, versions] =
    /\bto versions? (v?\d[\w.+:~-]*(?:, ?v?\d[\w.+:~-]*)*)/i.exec(recommendation.slice(0, 2000)) ?? [];
  return versions?.split(/, ?/).map((version) => version.replace(/\.$/, '')) ?? null;
};

/** The words of the ratings, or their scores if no rating has a word. */
const severityOf = (vulnerability: Part): string | null =>
  worstSeverity(vulnerability.texts('ratings', '*', 'severity')) ??
  worstSeverity(vulnerability.texts('ratings', '*', 'score'));

const affectedRange = (affected: Part): string | null => {
  const ranges = affected
    .items('versions')
    .filter((version) => (version.text('status') ?? 'affected') === 'affected')
    .flatMap((version) => rangeFromVers(version.text('range') ?? version.text('version') ?? '') || [])
    .map((range) => (/^[<>=~^*]/.test(range) ? range : `= ${range}`));
  return ranges.length === 0 ? null : ranges.join(' || ');
};

const isUnaffected = (affected: Part): boolean => {
  const versions = affected.items('versions');
  return versions.length > 0 && versions.every((version) => version.text('status') === 'unaffected');
};

const vulnerabilityEntries = (packageOfRef: (ref: string) => NamedPackage | null) =>
  ofObject('vulnerability', (vulnerability) => {
    const ids = idsOf([vulnerability.text('id'), ...vulnerability.texts('references', '*', 'id')]);
    if (ids.length === 0) return vulnerability.leaveOut('no-advisory');
    if (vulnerability.text('rejected') !== null) return vulnerability.leaveOut('withdrawn', ids[0]);
    const shared = {
      ids,
      severity: severityOf(vulnerability),
      fix: fixOf(vulnerability.longText('recommendation')),
      status: statusFromAnalysis(vulnerability),
      discoveredAt: vulnerability.text('published'),
      updatedAt: vulnerability.text('updated'),
    };
    const affectedPackage = ofObject('affected component', (affected) => {
      const ref = affected.text('ref');
      const named = packageOfRef(ref ?? '');
      if (named === null) return affected.leaveOut('unknown-component', ref);
      return affected.finding({
        ...shared,
        package: named.name,
        ecosystem: named.ecosystem,
        installed: named.version,
        vulnerableRange: affectedRange(affected),
        excluded: isUnaffected(affected) && 'not-affected',
      });
    });
    const entries = vulnerability.at('affects').entries(affectedPackage);
    return entries.length === 0 ? vulnerability.leaveOut('no-package', ids[0]) : entries;
  });

/** CycloneDX in JSON: an SBOM with vulnerabilities, or VEX. An entry is an element of `affects`. */
export const cyclonedx: ReportFormat = {
  name: 'CycloneDX',
  recognizes: (document) => document.at('bomFormat').value === 'CycloneDX',
  entries: (document) => {
    const subject = document.at('metadata', 'component');
    const packageOfRef = packagesByRef([subject, ...document.items('components')]);
    return document.at('vulnerabilities').entries(vulnerabilityEntries(packageOfRef));
  },
  repos: (document) => [repoNameFrom(nameOf(document.at('metadata', 'component')))],
  scannedAt: (document) => document.text('metadata', 'timestamp'),
};
