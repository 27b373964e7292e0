import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { compareVersions, idsOf, worstSeverity } from '../advisory-texts.js';
import { ecosystemFrom, packageFromPurl } from '../package-and-repo-names.js';
import {
  decodeEntry,
  type Entry,
  type Fix,
  finding,
  Items,
  Line,
  leaveOut,
  type ReportFinding,
  type ReportFormat,
  usable,
  usableItems,
} from '../report.js';

const Event = t.type({
  introduced: usable(Line),
  fixed: usable(Line),
  last_affected: usable(Line),
});
type Event = t.TypeOf<typeof Event>;

/** The versions of a package that an OSV advisory affects. */
const OsvVersions = t.type({
  ranges: usableItems(t.type({ type: usable(Line), events: usableItems(Event) })),
  versions: usableItems(Line),
  database_specific: usable(t.type({ last_known_affected_version_range: usable(Line) })),
});
type OsvVersions = t.TypeOf<typeof OsvVersions>;

type Interval = Readonly<{ from: string; end: string }>;

/** The intervals of a range, whose events come in the order of the versions. */
const intervalsOf = (events: readonly Event[], lastKnown: string): readonly Interval[] => {
  const intervals: Interval[] = [];
  let from: string | null = null;
  for (const { introduced, fixed, last_affected } of events) {
    if (introduced !== undefined) {
      if (from !== null) intervals.push({ from, end: '' });
      from = introduced;
    }
    if (fixed !== undefined || last_affected !== undefined) {
      intervals.push({ from: from ?? '0', end: fixed === undefined ? `<= ${last_affected}` : `< ${fixed}` });
      from = null;
    }
  }
  return from === null ? intervals : [...intervals, { from, end: lastKnown }];
};

const expression = ({ from, end }: Interval): string =>
  [from === '0' && end !== '' ? '' : `>= ${from}`, end].filter((part) => part !== '').join(', ');

/** How many single versions a range lists before it becomes one from the first to the last. */
const maxListed = 10;

const rangeOfVersions = (versions: readonly string[]): string => {
  const sorted = versions.toSorted(compareVersions);
  return sorted.length <= maxListed
    ? sorted.map((version) => `= ${version}`).join(' || ')
    : `>= ${sorted[0]}, <= ${sorted.at(-1)}`;
};

/** The vulnerable range and the fix. Ranges of commits are no versions, and are left aside. */
export const osvRange = ({
  ranges,
  versions,
  database_specific,
}: OsvVersions): Readonly<{ vulnerableRange: string | null; fix: Fix | null }> => {
  const ofVersions = ranges.filter(({ type }) => type !== 'GIT');
  const intervals = ofVersions.flatMap(({ events }) =>
    intervalsOf(events, database_specific?.last_known_affected_version_range ?? ''),
  );
  const fixed = ofVersions.flatMap(({ events }) => events.flatMap((event) => event.fixed ?? []));
  const listed = versions.length === 0 ? null : rangeOfVersions(versions);
  const vulnerableRange = intervals.length === 0 ? listed : intervals.map(expression).join(' || ');
  if (fixed.length > 0) return { vulnerableRange, fix: { kind: 'versions', versions: fixed } };
  return { vulnerableRange, fix: vulnerableRange === null ? null : { kind: 'none' } };
};

const Severity = t.type({ score: Line });

/** Where databases write the severity as a word. */
const OwnSeverity = usable(t.type({ severity: usable(Line) }));

const OsvAdvisory = t.type(
  {
    id: Line,
    aliases: usableItems(Line),
    withdrawn: usable(Line),
    published: usable(Line),
    modified: usable(Line),
    severity: usableItems(Severity),
    database_specific: OwnSeverity,
    affected: Items,
  },
  'OSV advisory',
);

const Affected = t.type({
  package: usable(t.type({ name: usable(Line), ecosystem: usable(Line), purl: usable(Line) })),
  severity: usableItems(Severity),
  database_specific: OwnSeverity,
  ecosystem_specific: OwnSeverity,
});
type Affected = t.TypeOf<typeof Affected>;

const AffectedPackage = t.intersection([Affected, OsvVersions], 'affected package');

const Identified = t.type({ id: t.string });

/** Whether a value looks like an OSV advisory. */
const isOsvAdvisory = (value: unknown): boolean =>
  Identified.is(value) &&
  'modified' in value &&
  ('affected' in value || 'schema_version' in value || 'withdrawn' in value);

/** The package of an advisory that a scanner has found, and what the scanner adds. */
type ScannedPackage = Readonly<{
  name: string;
  ecosystem: string | null;
  installed: string | null;
  /** The ids of the same vulnerability in other databases. */
  ids: readonly string[];
  /** The CVSS score, for an advisory that names no severity. */
  score: string | null;
}>;

const nameOf = ({ package: named }: Affected): string | undefined =>
  named?.name ?? (named?.purl === undefined ? undefined : packageFromPurl(named.purl)?.name);

const ecosystemOf = ({ package: named }: Affected): string | null => {
  const purl = named?.purl === undefined ? null : packageFromPurl(named.purl);
  return named?.ecosystem === undefined ? (purl?.ecosystem ?? null) : ecosystemFrom(named.ecosystem);
};

/** A word says more than a vector, and what is said of the package more than what is said of them all. */
const severityOf = (ofAdvisory: OwnSeverities, affected: readonly Affected[]): string | null => {
  const words = affected.flatMap((each) => [
    each.ecosystem_specific?.severity ?? [],
    each.database_specific?.severity ?? [],
  ]);
  const vectors = affected.flatMap((each) => each.severity.map(({ score }) => score));
  return worstSeverity(words.flat()) ?? ofAdvisory.word ?? worstSeverity(vectors) ?? ofAdvisory.vector;
};

/** What an advisory says about its severity as a whole. */
type OwnSeverities = Readonly<{ word: string | null; vector: string | null }>;

const ownSeverities = ({ severity, database_specific }: t.TypeOf<typeof OsvAdvisory>): OwnSeverities => ({
  word: database_specific?.severity ?? null,
  vector: worstSeverity(severity.map(({ score }) => score)),
});

/**
 * The entries of an OSV advisory: one for each affected package or, for a package that a scanner has found,
 * one for this package.
 */
const osvEntries = (
  value: unknown,
  path: readonly (string | number)[],
  scanned?: ScannedPackage,
): readonly Entry[] => {
  const decoded = decodeEntry(OsvAdvisory, value, path);
  if (E.isLeft(decoded)) return [decoded];
  const { id, aliases, withdrawn, published, modified } = decoded.right;
  if (withdrawn !== undefined) return [E.left(leaveOut('withdrawn', path, id))];
  const ofAdvisory = ownSeverities(decoded.right);
  const ids = idsOf([id, ...aliases]);
  const shared = { discoveredAt: published ?? null, updatedAt: modified ?? null };
  const affected = decoded.right.affected.map((each, index) =>
    decodeEntry(AffectedPackage, each, [...path, 'affected', index]),
  );
  if (scanned !== undefined) {
    const own = affected
      .filter(E.isRight)
      .map(({ right }) => right)
      .filter(isOf(scanned));
    const ranges = own.map(osvRange);
    return [
      E.right<never, ReportFinding>(
        finding({
          ...shared,
          ...joinedRanges(ranges),
          package: scanned.name,
          ecosystem: scanned.ecosystem,
          ids: idsOf([id, ...aliases, ...scanned.ids]),
          severity: severityOf(ofAdvisory, own) ?? scanned.score,
          installed: scanned.installed,
        }),
      ),
    ];
  }
  if (affected.length === 0) return [E.left(leaveOut('no-package', path, id))];
  return affected.map((each, index): Entry => {
    if (E.isLeft(each)) return each;
    const name = nameOf(each.right);
    if (name === undefined) return E.left(leaveOut('no-package', [...path, 'affected', index], id));
    return E.right(
      finding({
        ...shared,
        ...osvRange(each.right),
        package: name,
        ecosystem: ecosystemOf(each.right),
        ids,
        severity: severityOf(ofAdvisory, [each.right]),
      }),
    );
  });
};

const isOf =
  ({ name, ecosystem }: ScannedPackage) =>
  (affected: Affected): boolean =>
    nameOf(affected)?.toLowerCase() === name.toLowerCase() &&
    (ecosystem === null || ecosystemOf(affected)?.split(':')[0] === ecosystem.split(':')[0]);

const joinedRanges = (
  ranges: readonly ReturnType<typeof osvRange>[],
): Pick<ReportFinding, 'vulnerableRange' | 'fix'> => {
  const vulnerable = ranges.flatMap(({ vulnerableRange }) => vulnerableRange ?? []);
  const versions = ranges.flatMap(({ fix }) => (fix?.kind === 'versions' ? fix.versions : []));
  return {
    vulnerableRange: vulnerable.length === 0 ? null : vulnerable.join(' || '),
    fix: versions.length > 0 ? { kind: 'versions', versions } : (ranges[0]?.fix ?? null),
  };
};

/** Advisories in the format of OSV: one, or a list. An entry is an element of `affected`. */
export const osv: ReportFormat = {
  name: 'OSV advisories',
  recognizes: (document) =>
    Array.isArray(document) ? document.some(isOsvAdvisory) : isOsvAdvisory(document),
  isLines: false,
  convert: (document) => ({
    repos: [],
    scannedAt: null,
    entries: Array.isArray(document)
      ? document.flatMap((each: unknown, index) => osvEntries(each, [index]))
      : osvEntries(document, []),
  }),
};

const Report = t.type({ results: t.union([t.UnknownArray, t.null]) });

const Source = t.type({ packages: Items }, 'result');

const PackageResult = t.type(
  {
    package: t.type({ name: Line, version: usable(Line), ecosystem: usable(Line) }),
    vulnerabilities: Items,
    license_violations: Items,
    groups: usableItems(
      t.type({ ids: usableItems(Line), aliases: usableItems(Line), max_severity: usable(Line) }),
      Number.POSITIVE_INFINITY,
    ),
  },
  'scanned package',
);
type PackageResult = t.TypeOf<typeof PackageResult>;

/** Keys of a report without results, which other tools have as well. */
const ownKeys = [
  'results',
  'experimental_config',
  'experimental_generic_findings',
  'image_metadata',
  'license_summary',
];

const recognizes = (document: unknown): boolean => {
  if (!Report.is(document)) return false;
  const results = document.results ?? [];
  return results.length === 0
    ? Object.keys(document).every((key) => ownKeys.includes(key))
    : results.some((each) => t.type({ packages: t.Array }).is(each));
};

const entriesOfPackage = (scanned: PackageResult, path: readonly (string | number)[]): readonly Entry[] => {
  const { name, version, ecosystem } = scanned.package;
  const groups = new Map(scanned.groups.flatMap((group) => group.ids.map((id) => [id, group] as const)));
  return [
    ...scanned.vulnerabilities.flatMap((vulnerability, index) => {
      const id = Identified.is(vulnerability) ? vulnerability.id : '';
      const group = groups.get(id);
      return osvEntries(vulnerability, [...path, 'vulnerabilities', index], {
        name,
        ecosystem: ecosystem === undefined ? null : ecosystemFrom(ecosystem),
        installed: version ?? null,
        ids: [...(group?.ids ?? []), ...(group?.aliases ?? [])],
        score: group?.max_severity ?? null,
      });
    }),
    ...scanned.license_violations.map(
      (_, index): Entry => E.left(leaveOut('not-a-dependency', [...path, 'license_violations', index], name)),
    ),
  ];
};

const entriesOf = (result: unknown, index: number): readonly Entry[] => {
  const path = ['results', index];
  const source = decodeEntry(Source, result, path);
  if (E.isLeft(source)) return [source];
  return source.right.packages.flatMap((each, position): readonly Entry[] => {
    const place = [...path, 'packages', position];
    const scanned = decodeEntry(PackageResult, each, place);
    return E.isLeft(scanned) ? [scanned] : entriesOfPackage(scanned.right, place);
  });
};

/** `osv-scanner --format json`. An entry is a vulnerability of a package. */
export const osvScanner: ReportFormat = {
  name: 'osv-scanner',
  recognizes,
  isLines: false,
  convert: (document) => ({
    repos: [],
    scannedAt: null,
    entries: Report.is(document) ? (document.results ?? []).flatMap(entriesOf) : [],
  }),
};
