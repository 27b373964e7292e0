import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { fixFrom, idsIn, idsOf, lastVersion, upperBounds } from '../advisory-texts.js';
import {
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

/** The number of an advisory in the npm registry. */
const RegistryId = usable(t.union([t.number, Line]));

/** The ids of an advisory: those in its address, others, and at last its number in the npm registry. */
const idsOfAdvisory = (
  url: string | undefined,
  id: number | string | undefined,
  others: readonly string[] = [],
): readonly string[] => idsOf([...idsIn(url ?? ''), ...others, id === undefined ? undefined : String(id)]);

/** An advisory as the npm registry has it, in the reports of npm 6, pnpm and Yarn. */
const NpmAdvisory = t.type(
  {
    id: RegistryId,
    module_name: usable(Line),
    github_advisory_id: usable(Line),
    cves: usableItems(Line),
    url: usable(Line),
    severity: usable(Line),
    vulnerable_versions: usable(Line),
    patched_versions: usable(Line),
    created: usable(Line),
    updated: usable(Line),
    deleted: usable(Line),
  },
  'advisory',
);

/** The first versions after the vulnerable ones, for reports that name no fixed ones; null if not known. */
const fixAfter = (range: string): Fix | null => {
  const versions = upperBounds(range);
  if (versions.length > 0) return { kind: 'versions', versions };
  const last = lastVersion(range);
  return last === null ? null : { kind: 'range', range: `> ${last}` };
};

/** What becomes of an advisory of the npm registry. `name`: the package, if the advisory does not name it. */
const npmAdvisoryEntry = (value: unknown, path: readonly (string | number)[], name?: string): Entry => {
  const decoded = decodeEntry(NpmAdvisory, value, path);
  if (E.isLeft(decoded)) return decoded;
  const { id, github_advisory_id, cves, url, vulnerable_versions, patched_versions, ...rest } = decoded.right;
  const packageName = rest.module_name ?? name;
  const ids = idsOf([github_advisory_id, ...idsOfAdvisory(url, id, cves)]);
  if (!Line.is(packageName)) return E.left(leaveOut('no-package', path));
  if (ids.length === 0) return E.left(leaveOut('no-advisory', path, packageName));
  if (rest.deleted !== undefined) return E.left(leaveOut('withdrawn', path, packageName));
  return E.right(
    finding({
      package: packageName,
      ids,
      ecosystem: 'npm',
      severity: rest.severity ?? null,
      vulnerableRange: vulnerable_versions ?? null,
      fix: patched_versions === undefined ? fixAfter(vulnerable_versions ?? '') : fixFrom(patched_versions),
      discoveredAt: rest.created ?? null,
      updatedAt: rest.updated ?? null,
    }),
  );
};

/** An advisory in `via`. A text in its place names another package of the report. */
const Via = t.type(
  {
    source: RegistryId,
    name: usable(Line),
    url: usable(Line),
    severity: usable(Line),
    range: usable(Line),
  },
  'advisory',
);
type Via = t.TypeOf<typeof Via>;

const Package = t.type(
  {
    via: Items,
    fixAvailable: usable(t.union([t.boolean, t.type({ name: Line, version: Line })])),
  },
  'vulnerable package',
);
type Package = t.TypeOf<typeof Package>;

const NpmReport = t.type({ vulnerabilities: t.UnknownRecord });

const recognizesNpm = (document: unknown): boolean =>
  NpmReport.is(document) &&
  ('auditReportVersion' in document ||
    Object.values(document.vulnerabilities).some((each) => t.type({ via: t.Array }).is(each)));

/** The advisory names its range only, whose upper bound is the first fixed version. */
const fixOf = (name: string, range: string, { fixAvailable }: Package): Fix | null => {
  if (upperBounds(range).length > 0) return fixAfter(range);
  if (fixAvailable === false) return { kind: 'none' };
  return typeof fixAvailable === 'object' && fixAvailable.name === name
    ? { kind: 'versions', versions: [fixAvailable.version] }
    : fixAfter(range);
};

const entryOfVia = (
  key: string,
  packageOfKey: Package,
  via: Via,
  path: readonly (string | number)[],
): Entry => {
  const name = via.name ?? key;
  const ids = idsOfAdvisory(via.url, via.source);
  if (!Line.is(name)) return E.left(leaveOut('no-package', path));
  if (ids.length === 0) return E.left(leaveOut('no-advisory', path, name));
  return E.right(
    finding({
      package: name,
      ids,
      ecosystem: 'npm',
      severity: via.severity ?? null,
      vulnerableRange: via.range ?? null,
      fix: fixOf(name, via.range ?? '', packageOfKey),
    }),
  );
};

const entriesOf = ([key, value]: readonly [string, unknown]): readonly Entry[] => {
  const path = ['vulnerabilities', key];
  const decoded = decodeEntry(Package, value, path);
  if (E.isLeft(decoded)) return [decoded];
  if (decoded.right.via.length === 0) return [E.left(leaveOut('no-advisory', path, key))];
  return decoded.right.via.map((each, index): Entry => {
    const place = [...path, 'via', index];
    if (typeof each === 'string') return E.left(leaveOut('names-another-package', place, each));
    const via = decodeEntry(Via, each, place);
    return E.isLeft(via) ? via : entryOfVia(key, decoded.right, via.right, place);
  });
};

/** `npm audit --json` of npm 7 and later. An entry is an element of `via`. */
export const npmAudit: ReportFormat = {
  name: 'npm audit (npm 7 and later)',
  recognizes: recognizesNpm,
  isLines: false,
  convert: (document) => ({
    repos: [],
    scannedAt: null,
    entries: NpmReport.is(document) ? Object.entries(document.vulnerabilities).flatMap(entriesOf) : [],
  }),
};

const Npm6Report = t.type({ advisories: t.UnknownRecord });

/** An empty list of advisories is not enough to know the format by. */
const recognizesNpm6 = (document: unknown): boolean =>
  Npm6Report.is(document) &&
  ('metadata' in document ||
    'actions' in document ||
    Object.values(document.advisories).some((each) => t.type({ module_name: t.string }).is(each)));

/** `npm audit --json` of npm 6, `pnpm audit --json`, and `yarn npm audit --json` of Yarn 2 and 3. */
export const npm6Audit: ReportFormat = {
  name: 'npm audit (npm 6), pnpm audit, yarn npm audit (Yarn 2 and 3)',
  recognizes: recognizesNpm6,
  isLines: false,
  convert: (document) => ({
    repos: [],
    scannedAt: null,
    entries: Object.entries(Npm6Report.is(document) ? document.advisories : {}).map(([key, value]) =>
      npmAdvisoryEntry(value, ['advisories', key]),
    ),
  }),
};

const BulkAdvisory = t.type({ vulnerable_versions: t.string });

/** Whether each value is a list, and one of them has an advisory. */
const recognizesBulk = (document: unknown): boolean =>
  t.UnknownRecord.is(document) &&
  Object.values(document).every(Array.isArray) &&
  Object.values(document).some((list) => Array.isArray(list) && list.some(BulkAdvisory.is));

/** Advisories by the name of the package, as `yarn npm audit` of Yarn 4.0.0 writes them. */
export const bulkAdvisories: ReportFormat = {
  name: 'advisories of the npm registry by package (Yarn 4.0.0)',
  recognizes: recognizesBulk,
  isLines: false,
  convert: (document) => ({
    repos: [],
    scannedAt: null,
    entries: Object.entries(t.UnknownRecord.is(document) ? document : {}).flatMap(
      ([name, list]): readonly Entry[] =>
        Array.isArray(list) ? list.map((each, index) => npmAdvisoryEntry(each, [name, index], name)) : [],
    ),
  }),
};

const YarnLine = t.type({ value: t.unknown, children: t.UnknownRecord });

const AuditLine = t.type(
  {
    value: Line,
    children: t.type({
      ID: RegistryId,
      URL: usable(Line),
      Severity: usable(Line),
      'Vulnerable Versions': usable(Line),
      'Tree Versions': usableItems(Line),
    }),
  },
  'line of yarn npm audit',
);

const entryOfYarnLine = (document: unknown, index: number): Entry => {
  const decoded = decodeEntry(AuditLine, document, [index]);
  if (E.isLeft(decoded)) return decoded;
  const { value, children } = decoded.right;
  if (String(children.ID).endsWith('(deprecation)')) return E.left(leaveOut('deprecation', [index], value));
  const range = children['Vulnerable Versions'];
  const ids = idsOfAdvisory(children.URL, children.ID);
  if (ids.length === 0) return E.left(leaveOut('no-advisory', [index], value));
  return E.right(
    finding({
      package: value,
      ids,
      ecosystem: 'npm',
      severity: children.Severity ?? null,
      vulnerableRange: range ?? null,
      fix: fixAfter(range ?? ''),
      installed: children['Tree Versions'][0] ?? null,
    }),
  );
};

/** `yarn npm audit --json` of Yarn 4: an advisory a line. */
export const yarnAudit: ReportFormat = {
  name: 'yarn npm audit (Yarn 4)',
  recognizes: (document) => YarnLine.is(document) && 'value' in document,
  isLines: true,
  convert: (lines) => ({
    repos: [],
    scannedAt: null,
    entries: (Array.isArray(lines) ? lines : []).map(entryOfYarnLine),
  }),
};

const YarnClassicAdvisory = t.type({ data: t.type({ advisory: t.unknown }) }, 'audit advisory');

/** A line of Yarn 1. `auditSummary` counts, and the other types are messages. */
const YarnClassicLine = t.type({ type: t.string, data: t.unknown });

const yarnClassicTypes = [
  'auditAdvisory',
  'auditAction',
  'auditSummary',
  'info',
  'warning',
  'activityTick',
  'step',
];

const recognizesYarnClassic = (document: unknown): boolean =>
  YarnClassicLine.is(document) && yarnClassicTypes.includes(document.type);

/** `yarn audit --json` of Yarn 1: a line for each path to a vulnerable package. */
export const yarnClassicAudit: ReportFormat = {
  name: 'yarn audit (Yarn 1)',
  recognizes: recognizesYarnClassic,
  isLines: true,
  convert: (lines) => ({
    repos: [],
    scannedAt: null,
    entries: (Array.isArray(lines) ? lines : []).flatMap((document: unknown, index): readonly Entry[] => {
      if (!YarnClassicLine.is(document) || document.type !== 'auditAdvisory') return [];
      const line = decodeEntry(YarnClassicAdvisory, document, [index]);
      return [
        E.isLeft(line) ? line : npmAdvisoryEntry(line.right.data.advisory, [index, 'data', 'advisory']),
      ];
    }),
  }),
};
