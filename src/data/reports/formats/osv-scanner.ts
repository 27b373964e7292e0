import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { ecosystemFrom } from '../ecosystem.js';
import { osvEntries } from '../osv-advisory.js';
import type { Entry, ReportFormat } from '../report.js';
import { decodeEntry, Items, Line, leaveOut, usable, usableItems } from '../usable.js';

const Report = t.type({ results: t.union([t.UnknownArray, t.null]) });

const Source = t.type({ packages: Items }, 'result');

const ScannedPackage = t.type(
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
type ScannedPackage = t.TypeOf<typeof ScannedPackage>;

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

const Identified = t.type({ id: t.string });

const entriesOfPackage = (scanned: ScannedPackage, path: readonly (string | number)[]): readonly Entry[] => {
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
    const scanned = decodeEntry(ScannedPackage, each, place);
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
