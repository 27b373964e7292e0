import { worstSeverity } from '../advisory-texts.js';
import { ecosystemFrom, packageFromPurl } from '../package-and-repo-names.js';
import { normalRange } from '../ranges.js';
import { idsOf, ofObject, Part, type ReportFinding, type ReportFormat } from '../report.js';
import { type VersionOrder, versionOrder } from '../versions.js';

const affectedPackage = (affected: Part) => {
  const purl = packageFromPurl(affected.text('package', 'purl'));
  return {
    package: affected.text('package', 'name') ?? purl?.name ?? null,
    ecosystem: ecosystemFrom(affected.text('package', 'ecosystem')) ?? purl?.ecosystem ?? null,
  };
};

/** The kinds of events, in the order in which those of one version count. */
const eventKinds = ['fixed', 'introduced', 'last_affected'];

/** The intervals of a range, whose events are in any order. `lastKnown`: the end of the last one. */
const intervalsOf = (events: readonly Part[], lastKnown: string, order: VersionOrder): readonly string[] => {
  const found = events.flatMap((event) =>
    eventKinds.flatMap((kind) => event.texts(kind).map((version) => ({ kind, version }))),
  );
  const isWhole = found.some(({ kind }) => kind === 'introduced');
  const sorted = [...(isWhole ? [] : [{ kind: 'introduced', version: '0' }]), ...found].sort(
    (l, r) =>
      // 0 is before all versions, also before those that an ecosystem has before 0.
      Number(r.version === '0') - Number(l.version === '0') ||
      order(l.version, r.version) ||
      eventKinds.indexOf(l.kind) - eventKinds.indexOf(r.kind),
  );
  const intervals: string[] = [];
  let from: string | null = null;
  for (const { kind, version } of sorted) {
    if (kind === 'introduced') from ??= version;
    else if (from !== null) {
      intervals.push(`>= ${from}, ${kind === 'fixed' ? '<' : '<='} ${version}`);
      from = null;
    }
  }
  if (from !== null) intervals.push([`>= ${from}`, lastKnown].filter((part) => part !== '').join(', '));
  return found.length === 0 ? [] : intervals;
};

/** Ranges of commits are no versions, and are left aside. */
const versionRanges = (affected: Part): readonly Part[] =>
  affected.items('ranges').filter((range) => range.text('type') !== 'GIT');

const vulnerableRanges = (affected: Part): readonly string[] => {
  const order = versionOrder(affectedPackage(affected).ecosystem);
  const lastKnown = affected.text('database_specific', 'last_known_affected_version_range') ?? '';
  const intervals = versionRanges(affected).flatMap((range) =>
    intervalsOf(range.items('events'), lastKnown, order),
  );
  if (intervals.length > 0) return intervals;
  const versions = affected.texts('versions', '*').toSorted(order);
  // Of many versions, the first and the last say enough.
  if (versions.length > 10) return [`>= ${versions[0]}, <= ${versions.at(-1)}`];
  return versions.map((version) => `= ${version}`);
};

/** The vulnerable range and the fix of a package, which an advisory may list several times. */
const osvRange = (affected: readonly Part[]): Pick<ReportFinding, 'vulnerableRange' | 'fix'> => {
  const vulnerable = affected.flatMap(vulnerableRanges);
  const [ecosystem = null] = affected.map((each) => affectedPackage(each).ecosystem);
  const fixed = affected.flatMap(versionRanges).flatMap((range) => range.texts('events', '*', 'fixed'));
  return {
    vulnerableRange: vulnerable.length > 0 ? normalRange(vulnerable.join(' || '), ecosystem) : null,
    fix: vulnerable.length > 0 || fixed.length > 0 ? fixed : null,
  };
};

/** Whether a value looks like an OSV advisory. */
const isOsvAdvisory = (value: Part): boolean =>
  typeof value.at('id').value === 'string' &&
  value.has('modified') &&
  ['affected', 'schema_version', 'withdrawn'].some((key) => value.has(key));

/** A word says more than a vector, and what is said of the package more than what is said of them all. */
const severitiesOf = (advisory: Part): ((affected: readonly Part[]) => string | null) => {
  const word = advisory.text('database_specific', 'severity');
  const vector = worstSeverity(advisory.texts('severity', '*', 'score'));
  return (affected) => {
    const words = affected.flatMap((each) => [
      ...each.texts('ecosystem_specific', 'severity'),
      ...each.texts('database_specific', 'severity'),
    ]);
    const vectors = affected.flatMap((each) => each.texts('severity', '*', 'score'));
    return worstSeverity(words) ?? word ?? worstSeverity(vectors) ?? vector;
  };
};

/** What all findings of an advisory have in common. */
const sharedParts = (advisory: Part) => ({
  ids: idsOf([advisory.text('id'), ...advisory.texts('aliases', '*')]),
  discoveredAt: advisory.text('published'),
  updatedAt: advisory.text('modified'),
});

const advisoryEntries = ofObject('OSV advisory', (advisory) => {
  const shared = sharedParts(advisory);
  if (advisory.text('withdrawn') !== null) return advisory.leaveOut('withdrawn', shared.ids[0]);
  const severityOf = severitiesOf(advisory);
  const affected = ofObject('affected package', (each) =>
    each.finding({ ...shared, ...osvRange([each]), ...affectedPackage(each), severity: severityOf([each]) }),
  );
  const entries = advisory.at('affected').entries(affected);
  return entries.length === 0 ? advisory.leaveOut('no-package', shared.ids[0]) : entries;
});

const advisoriesOf = (document: Part): readonly Part[] => (document.isList ? document.items() : [document]);

/** Advisories in the format of OSV: one, or a list. An entry is an element of `affected`. */
export const osv: ReportFormat = {
  name: 'OSV advisories',
  recognizes: (document) => advisoriesOf(document).some(isOsvAdvisory),
  entries: (document) => advisoriesOf(document).flatMap(advisoryEntries),
};

/** The packages that a scanner has found, and what it knows of each vulnerability of them. */
const scannedPackage = ofObject('scanned package', (scanned) => {
  const name = scanned.text('package', 'name');
  const ecosystem = ecosystemFrom(scanned.text('package', 'ecosystem'));
  const groups = new Map(
    scanned.items('groups').flatMap((group) => group.texts('ids', '*').map((id) => [id, group])),
  );
  const isOwn = (affected: Part): boolean => {
    const named = affectedPackage(affected);
    const isEcosystem = ecosystem === null || named.ecosystem?.split(':')[0] === ecosystem.split(':')[0];
    return named.package?.toLowerCase() === name?.toLowerCase() && isEcosystem;
  };
  const vulnerability = ofObject('OSV advisory', (advisory) => {
    const shared = sharedParts(advisory);
    if (advisory.text('withdrawn') !== null) return advisory.leaveOut('withdrawn', shared.ids[0]);
    const own = advisory.items('affected').filter(isOwn);
    // The ids of the same vulnerability in other databases, and a score for an advisory without a severity.
    const group = groups.get(shared.ids[0] ?? '') ?? new Part(null);
    return advisory.finding({
      ...shared,
      ...osvRange(own),
      package: name,
      ecosystem,
      ids: [...shared.ids, ...group.texts('ids', '*'), ...group.texts('aliases', '*')],
      severity: severitiesOf(advisory)(own) ?? group.text('max_severity'),
      installed: scanned.text('package', 'version'),
    });
  });
  return [
    ...scanned.at('vulnerabilities').entries(vulnerability),
    ...scanned.at('license_violations').entries((each) => each.leaveOut('not-a-dependency', name)),
  ];
});

const scannedSource = ofObject('result', (source) => source.at('packages').entries(scannedPackage));

/** Keys of a report without results, which other tools have as well. */
const ownKeys =
  /^(?:results|experimental_config|experimental_generic_findings|image_metadata|license_summary)$/;

/** `osv-scanner --format json`. An entry is a vulnerability of a package. */
export const osvScanner: ReportFormat = {
  name: 'osv-scanner',
  recognizes: (document) => {
    const results = document.at('results');
    if (results.items().length > 0) return results.items().some((each) => each.at('packages').isList);
    return (
      (results.isList || (document.has('results') && results.value === null)) &&
      document.fields().every(({ path: [key] }) => ownKeys.test(key ?? ''))
    );
  },
  entries: (document) => document.at('results').entries(scannedSource),
};
