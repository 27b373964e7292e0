import type { FindingStatus } from '../../../contract/enums.js';
import { worstSeverity } from '../advisory-texts.js';
import {
  type NamedPackage,
  packageFromPurl,
  percentDecoded,
  repoNameFrom,
} from '../package-and-repo-names.js';
import { fixInSentences } from '../prose.js';
import { normalRange } from '../ranges.js';
import { idsOf, ofObject, type Part, type ReportFormat } from '../report.js';

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

/** Packages by whatever a `ref` may name them: a `bom-ref`, or a package URL. */
const packagesByRef = (components: readonly Part[]): ReadonlyMap<string, NamedPackage | null> => {
  const byRef = new Map<string, NamedPackage | null>();
  const add = (component: Part, depth: number): void => {
    const named = packageOf(component);
    for (const key of [...component.texts('bom-ref'), ...component.texts('purl')])
      if (!byRef.has(key)) byRef.set(key, named);
    if (depth < maxDepth) for (const inner of component.items('components')) add(inner, depth + 1);
  };
  for (const component of components) add(component, 0);
  return byRef;
};

/** A `ref` to a component of another document, or of this one by its serial number, ends with its name. */
const fragmentOf = (ref: string): string =>
  /^urn:(?:cdx|uuid):/.test(ref) ? percentDecoded(ref.slice(ref.indexOf('#') + 1)) : ref;

const statusFromAnalysis = (vulnerability: Part): FindingStatus => {
  const state = vulnerability.text('analysis', 'state') ?? '';
  if (state === 'exploitable') return 'escalated';
  const isResolved = /^(?:resolved|resolved_with_pedigree|false_positive|not_affected)$/.test(state);
  return isResolved ? 'resolved' : 'pending';
};

/** The word, or else the score, of the ratings of the vulnerability's own source, or else of all. */
const severityOf = (vulnerability: Part): string | null => {
  const ratings = vulnerability.items('ratings').slice(0, maxRatings);
  const source = vulnerability.text('source', 'name');
  const own = ratings.filter((rating) => source !== null && rating.text('source', 'name') === source);
  const named = [own, ratings].flatMap((each) =>
    ['severity', 'score'].map((key) => worstSeverity(each.flatMap((rating) => rating.texts(key)))),
  );
  return named.find((severity) => severity !== null) ?? null;
};

const maxRatings = 1000;

const affectedRange = (affected: Part, ecosystem: string | null): string | null => {
  const ranges = affected
    .items('versions')
    .filter((version) => (version.text('status') ?? 'affected') === 'affected')
    .flatMap((version) => version.text('range') ?? version.text('version') ?? [])
    .map((range) => normalRange(range, ecosystem));
  return ranges.length === 0 ? null : ranges.join(' || ');
};

const isUnaffected = (affected: Part): boolean => {
  const versions = affected.items('versions');
  return versions.length > 0 && versions.every((version) => version.text('status') === 'unaffected');
};

const vulnerabilityEntries = (packages: ReadonlyMap<string, NamedPackage | null>, subject: string | null) =>
  ofObject('vulnerability', (vulnerability) => {
    const ids = idsOf([vulnerability.text('id'), ...vulnerability.texts('references', '*', 'id')]);
    if (ids.length === 0) return vulnerability.leaveOut('no-advisory');
    if (vulnerability.text('rejected') !== null) return vulnerability.leaveOut('withdrawn', ids[0]);
    const recommendation = vulnerability.longText('recommendation');
    const shared = {
      ids,
      severity: severityOf(vulnerability),
      status: statusFromAnalysis(vulnerability),
      discoveredAt: vulnerability.text('published'),
      updatedAt: vulnerability.text('updated'),
    };
    const affectedPackage = (affected: Part, ref: string) => {
      const named = packages.get(ref) ?? packages.get(fragmentOf(ref)) ?? packageFromPurl(fragmentOf(ref));
      if (named === null) return affected.leaveOut('unknown-component', ref);
      if ([ref, fragmentOf(ref)].includes(subject ?? ''))
        return affected.leaveOut('about-the-project', ids[0]);
      return affected.finding({
        ...shared,
        package: named.name,
        ecosystem: named.ecosystem,
        installed: named.version,
        fix: fixInSentences(recommendation, named.name),
        vulnerableRange: affectedRange(affected, named.ecosystem),
        excluded: isUnaffected(affected) && 'not-affected',
      });
    };
    const ofItem = ofObject('affected component', (each) => affectedPackage(each, each.text('ref') ?? ''));
    const entries = vulnerability.at('affects').entries(ofItem);
    // Some tools only give the vulnerability the `bom-ref` of the component.
    const ref = vulnerability.text('bom-ref') ?? '';
    if (entries.length === 0 && packages.has(ref)) return affectedPackage(vulnerability, ref);
    return entries.length === 0 ? vulnerability.leaveOut('no-package', ids[0]) : entries;
  });

/** CycloneDX in JSON: an SBOM with vulnerabilities, or VEX. An entry is an element of `affects`. */
export const cyclonedx: ReportFormat = {
  name: 'CycloneDX',
  recognizes: (document) => document.at('bomFormat').value === 'CycloneDX' && document.has('vulnerabilities'),
  entries: (document) => {
    const subject = document.at('metadata', 'component');
    const packages = packagesByRef([subject, ...document.items('components')]);
    return document.at('vulnerabilities').entries(vulnerabilityEntries(packages, subject.text('bom-ref')));
  },
  repos: (document) => [repoNameFrom(nameOf(document.at('metadata', 'component')))],
  scannedAt: (document) => document.text('metadata', 'timestamp'),
};
