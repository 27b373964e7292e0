import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { idsIn, idsOf } from '../advisory-ids.js';
import { fixAfter } from '../npm-advisory.js';
import { type Entry, type Fix, finding, type ReportFormat } from '../report.js';
import { decodeEntry, Items, Line, leaveOut, usable } from '../usable.js';
import { upperBounds } from '../version-ranges.js';

/** An advisory in `via`. A text in its place names another package of the report. */
const Via = t.type(
  {
    source: usable(t.union([t.number, Line])),
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

const Report = t.type({ vulnerabilities: t.UnknownRecord });

const recognizes = (document: unknown): boolean =>
  Report.is(document) &&
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

const entryOf = (key: string, packageOfKey: Package, via: Via, path: readonly (string | number)[]): Entry => {
  const name = via.name ?? key;
  const ids = idsOf([...idsIn(via.url ?? ''), via.source === undefined ? undefined : String(via.source)]);
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
    return E.isLeft(via) ? via : entryOf(key, decoded.right, via.right, place);
  });
};

/** `npm audit --json` of npm 7 and later. An entry is an element of `via`. */
export const npmAudit: ReportFormat = {
  name: 'npm audit (npm 7 and later)',
  recognizes,
  isLines: false,
  convert: (document) => ({
    repos: [],
    scannedAt: null,
    entries: Report.is(document) ? Object.entries(document.vulnerabilities).flatMap(entriesOf) : [],
  }),
};
