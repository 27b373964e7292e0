import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { fixFrom, idsOf } from '../advisory-texts.js';
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
  ArtifactName: usable(Line),
  ArtifactType: usable(Line),
  CreatedAt: usable(Line),
  Results: Items,
});

const Result = t.type(
  {
    Type: usable(Line),
    Vulnerabilities: Items,
    Misconfigurations: Items,
    Secrets: Items,
    Licenses: Items,
  },
  'result',
);

const Vulnerability = t.type(
  {
    VulnerabilityID: usable(Line),
    VendorIDs: usableItems(Line),
    PkgName: usable(Line),
    PkgIdentifier: usable(t.type({ PURL: usable(Line) })),
    InstalledVersion: usable(Line),
    FixedVersion: usable(Line),
    Status: usable(Line),
    Severity: usable(Line),
    PublishedDate: usable(Line),
    LastModifiedDate: usable(Line),
  },
  'vulnerability',
);

const Target = t.type({ Target: t.string });

const isResult = (value: unknown): boolean =>
  Target.is(value) && ['Vulnerabilities', 'Class', 'Type'].some((key) => key in value);

/** Without findings, a report has no `Results`. */
const isReport = (value: unknown): boolean =>
  t.UnknownRecord.is(value) &&
  ((Array.isArray(value.Results) && ('SchemaVersion' in value || value.Results.some(isResult))) ||
    ('SchemaVersion' in value && 'ArtifactName' in value));

/** Trivy names a fixed version whenever it knows one. `Status` is about the fix, not about the finding. */
const fixOf = (fixedVersion: string | undefined): Fix =>
  fixedVersion === undefined ? { kind: 'none' } : fixFrom(fixedVersion);

const entryOf = (value: unknown, path: readonly (string | number)[], type: string | undefined): Entry => {
  const decoded = decodeEntry(Vulnerability, value, path);
  if (E.isLeft(decoded)) return decoded;
  const { VulnerabilityID, VendorIDs, PkgName, PkgIdentifier, FixedVersion, ...rest } = decoded.right;
  const purl = packageFromPurl(PkgIdentifier?.PURL ?? '');
  const name = PkgName ?? purl?.name;
  const ids = idsOf([VulnerabilityID, ...VendorIDs]);
  if (name === undefined) return E.left(leaveOut('no-package', path));
  if (ids.length === 0) return E.left(leaveOut('no-advisory', path, name));
  if (rest.Status === 'not_affected') return E.left(leaveOut('not-affected', path, name));
  return E.right(
    finding({
      package: name,
      ids,
      ecosystem: purl?.ecosystem ?? (type === undefined ? null : ecosystemFrom(type)),
      severity: rest.Severity ?? null,
      fix: fixOf(FixedVersion),
      installed: rest.InstalledVersion ?? null,
      discoveredAt: rest.PublishedDate ?? null,
      updatedAt: rest.LastModifiedDate ?? null,
    }),
  );
};

const otherKinds = ['Misconfigurations', 'Secrets', 'Licenses'] as const;

const entriesOf = (value: unknown, path: readonly (string | number)[]): readonly Entry[] => {
  const result = decodeEntry(Result, value, path);
  if (E.isLeft(result)) return [result];
  return [
    ...result.right.Vulnerabilities.map((each, index) =>
      entryOf(each, [...path, 'Vulnerabilities', index], result.right.Type),
    ),
    ...otherKinds.flatMap((kind) =>
      result.right[kind].map(
        (_, index): Entry => E.left(leaveOut('not-a-dependency', [...path, kind, index])),
      ),
    ),
  ];
};

const convertedReport = (document: unknown): ConvertedReport => {
  const decoded = decodeEntry(Report, Array.isArray(document) ? { Results: document } : document, []);
  if (E.isLeft(decoded)) return { repos: [], scannedAt: null, entries: [decoded] };
  const report = decoded.right;
  return {
    repos: [repoNameFrom(report.ArtifactName ?? '')].filter((repo) => repo !== null),
    scannedAt: report.CreatedAt ?? null,
    entries: report.Results.flatMap((each, index) =>
      entriesOf(each, Array.isArray(document) ? [index] : ['Results', index]),
    ),
  };
};

/** `trivy --format json`, also in the form of versions before 0.20, a list of results. */
export const trivy: ReportFormat = {
  name: 'Trivy',
  recognizes: (document) => (Array.isArray(document) ? document.some(isResult) : isReport(document)),
  isLines: false,
  convert: convertedReport,
};
