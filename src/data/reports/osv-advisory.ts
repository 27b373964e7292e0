import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { idsOf } from './advisory-ids.js';
import { ecosystemFrom } from './ecosystem.js';
import { OsvVersions, osvRange } from './osv-range.js';
import { packageFromPurl } from './purl.js';
import { type Entry, finding, type ReportFinding } from './report.js';
import { worstSeverity } from './severity.js';
import { decodeEntry, Items, Line, leaveOut, usable, usableItems } from './usable.js';

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

/** Whether a value looks like an OSV advisory. */
export const isOsvAdvisory = (value: unknown): boolean =>
  t.type({ id: t.string }).is(value) &&
  'modified' in value &&
  ('affected' in value || 'schema_version' in value || 'withdrawn' in value);

/** The package of an advisory that a scanner has found, and what the scanner adds. */
export type ScannedPackage = Readonly<{
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
export const osvEntries = (
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
