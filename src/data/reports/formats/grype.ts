import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { idsOf } from '../advisory-texts.js';
import { ecosystemFrom, packageFromPurl, repoNameFrom } from '../package-and-repo-names.js';
import {
  type ConvertedReport,
  decodeEntry,
  type Entry,
  type Fix,
  finding,
  Items,
  Line,
  leaveOut,
  type ReportFormat,
  usable,
  usableItems,
} from '../report.js';

const Report = t.type({
  matches: t.UnknownArray,
  ignoredMatches: Items,
  source: usable(t.type({ target: usable(t.union([Line, t.type({ userInput: Line })])) })),
  descriptor: usable(t.type({ timestamp: usable(Line) })),
});

const Identified = t.type({ id: Line });

const Match = t.type(
  {
    vulnerability: t.type({
      id: usable(Line),
      severity: usable(Line),
      fix: usable(t.type({ versions: usableItems(Line), state: usable(Line) })),
    }),
    relatedVulnerabilities: usableItems(Identified),
    matchDetails: usableItems(t.type({ found: t.type({ versionConstraint: Line }) })),
    artifact: t.type({
      name: usable(Line),
      version: usable(Line),
      type: usable(Line),
      purl: usable(Line),
    }),
  },
  'match',
);
type Match = t.TypeOf<typeof Match>;

const MatchShape = t.type({ vulnerability: t.UnknownRecord, artifact: t.unknown });

const recognizes = (document: unknown): boolean =>
  t.UnknownRecord.is(document) &&
  Array.isArray(document.matches) &&
  (document.matches.length === 0
    ? ['descriptor', 'source', 'distro'].some((key) => key in document)
    : document.matches.some(MatchShape.is));

/** `< 4.17.21 (semver)` without the scheme; null for `none (unknown)`. */
const rangeOf = ({ matchDetails }: Match): string | null =>
  matchDetails
    .map(({ found }) => found.versionConstraint.replace(/\s*\([^()]*\)$/, ''))
    .find((range) => range !== '' && range !== 'none') ?? null;

const fixOf = ({ vulnerability: { fix } }: Match): Fix | null => {
  if (fix === undefined) return null;
  if (fix.versions.length > 0) return { kind: 'versions', versions: fix.versions };
  return fix.state === 'not-fixed' || fix.state === 'wont-fix' ? { kind: 'none' } : null;
};

const entryOf = (value: unknown, index: number): Entry => {
  const path = ['matches', index];
  const decoded = decodeEntry(Match, value, path);
  if (E.isLeft(decoded)) return decoded;
  const { vulnerability, relatedVulnerabilities, artifact } = decoded.right;
  const purl = packageFromPurl(artifact.purl ?? '');
  const name = purl?.name ?? artifact.name;
  const ids = idsOf([vulnerability.id, ...relatedVulnerabilities.map(({ id }) => id)]);
  if (name === undefined) return E.left(leaveOut('no-package', path));
  if (ids.length === 0) return E.left(leaveOut('no-advisory', path, name));
  return E.right(
    finding({
      package: name,
      ids,
      ecosystem: purl?.ecosystem ?? (artifact.type === undefined ? null : ecosystemFrom(artifact.type)),
      severity: vulnerability.severity ?? null,
      vulnerableRange: rangeOf(decoded.right),
      fix: fixOf(decoded.right),
      installed: artifact.version ?? purl?.version ?? null,
    }),
  );
};

const convertedReport = (document: unknown): ConvertedReport => {
  const report = decodeEntry(Report, document, []);
  if (E.isLeft(report)) return { repos: [], scannedAt: null, entries: [report] };
  const { matches, ignoredMatches, source, descriptor } = report.right;
  const target = source?.target;
  const repo = repoNameFrom((typeof target === 'object' ? target.userInput : target) ?? '');
  return {
    repos: repo === null ? [] : [repo],
    scannedAt: descriptor?.timestamp ?? null,
    entries: [
      ...matches.map(entryOf),
      ...ignoredMatches.map((_, index): Entry => E.left(leaveOut('ignored', ['ignoredMatches', index]))),
    ],
  };
};

/** `grype -o json`. An entry is a match. */
export const grype: ReportFormat = { name: 'Grype', recognizes, isLines: false, convert: convertedReport };
