import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { FindingStatus } from '../../../contract/enums.js';
import { idsOf } from '../advisory-ids.js';
import {
  type Component,
  componentsByRef,
  packageOfComponent,
  repoOfComponent,
} from '../cyclonedx-components.js';
import { type ConvertedReport, type Entry, type Fix, finding, type ReportFormat } from '../report.js';
import { worstSeverity } from '../severity.js';
import { decodeEntry, Items, Line, leaveOut, usable, usableItems } from '../usable.js';
import { rangeFromVers } from '../vers.js';

const Report = t.type({
  bomFormat: t.literal('CycloneDX'),
  metadata: usable(t.type({ timestamp: usable(Line), component: t.unknown })),
  components: t.unknown,
  vulnerabilities: Items,
});

const Affected = t.type({
  ref: Line,
  versions: usableItems(t.type({ version: usable(Line), range: usable(Line), status: usable(Line) })),
});
type Affected = t.TypeOf<typeof Affected>;

const Vulnerability = t.type(
  {
    id: usable(Line),
    references: usableItems(t.type({ id: Line })),
    ratings: usableItems(t.type({ score: usable(t.number), severity: usable(Line) })),
    recommendation: usable(t.string),
    published: usable(Line),
    updated: usable(Line),
    rejected: usable(Line),
    analysis: usable(t.type({ state: usable(Line) })),
    affects: Items,
  },
  'vulnerability',
);
type Vulnerability = t.TypeOf<typeof Vulnerability>;

const statuses: Readonly<Record<string, FindingStatus>> = {
  resolved: 'resolved',
  resolved_with_pedigree: 'resolved',
  false_positive: 'resolved',
  not_affected: 'resolved',
  exploitable: 'escalated',
  in_triage: 'pending',
};

const statusOf = ({ analysis }: Vulnerability): FindingStatus => {
  const state = analysis?.state ?? '';
  return (Object.hasOwn(statuses, state) ? statuses[state] : undefined) ?? 'pending';
};

/** Generators of these documents write `Upgrade lodash to version 4.17.21`. */
const fixOf = ({ recommendation }: Vulnerability): Fix | null => {
  const [, versions = ''] =
    /\bto versions? (v?\d[\w.+:~-]*(?:, ?v?\d[\w.+:~-]*)*)/i.exec((recommendation ?? '').slice(0, 2000)) ??
    [];
  return versions === ''
    ? null
    : { kind: 'versions', versions: versions.split(/, ?/).map((each) => each.replace(/\.$/, '')) };
};

/** The words of the ratings, or their scores if no rating has a word. */
const severityOf = ({ ratings }: Vulnerability): string | null =>
  worstSeverity(ratings.flatMap(({ severity }) => severity ?? [])) ??
  worstSeverity(ratings.flatMap(({ score }) => (score === undefined ? [] : String(score))));

const affectedRange = ({ versions }: Affected): string | null => {
  const ranges = versions
    .filter(({ status }) => status === undefined || status === 'affected')
    .flatMap(({ version, range }) => (range === undefined ? (version ?? []) : rangeFromVers(range)))
    .map((range) => (/^[<>=~^*]/.test(range) ? range : `= ${range}`));
  return ranges.length === 0 ? null : ranges.join(' || ');
};

const isUnaffected = ({ versions }: Affected): boolean =>
  versions.length > 0 && versions.every(({ status }) => status === 'unaffected');

const entriesOf = (
  value: unknown,
  index: number,
  componentOf: (ref: string) => Component | null,
): readonly Entry[] => {
  const path = ['vulnerabilities', index];
  const decoded = decodeEntry(Vulnerability, value, path);
  if (E.isLeft(decoded)) return [decoded];
  const vulnerability = decoded.right;
  const ids = idsOf([vulnerability.id, ...vulnerability.references.map(({ id }) => id)]);
  if (ids.length === 0) return [E.left(leaveOut('no-advisory', path))];
  if (vulnerability.rejected !== undefined) return [E.left(leaveOut('withdrawn', path, ids[0]))];
  if (vulnerability.affects.length === 0) return [E.left(leaveOut('no-package', path, ids[0]))];
  const [severity, fix, status] = [severityOf(vulnerability), fixOf(vulnerability), statusOf(vulnerability)];
  return vulnerability.affects.map((each, position): Entry => {
    const place = [...path, 'affects', position];
    const affected = decodeEntry(Affected, each, place);
    if (E.isLeft(affected)) return affected;
    const component = componentOf(affected.right.ref);
    const named = component === null ? null : packageOfComponent(component);
    if (component === null || named === null)
      return E.left(leaveOut('unknown-component', place, affected.right.ref));
    if (isUnaffected(affected.right)) return E.left(leaveOut('not-affected', place, named.name));
    return E.right(
      finding({
        package: named.name,
        ids,
        ecosystem: named.ecosystem,
        severity,
        vulnerableRange: affectedRange(affected.right),
        fix,
        installed: component.version ?? null,
        status,
        discoveredAt: vulnerability.published ?? null,
        updatedAt: vulnerability.updated ?? null,
      }),
    );
  });
};

const convertedReport = (document: unknown): ConvertedReport => {
  const report = decodeEntry(Report, document, []);
  if (E.isLeft(report)) return { repos: [], scannedAt: null, entries: [report] };
  const { metadata, components, vulnerabilities } = report.right;
  const repo = repoOfComponent(metadata?.component);
  const componentOf = componentsByRef(metadata?.component, components);
  return {
    repos: repo === null ? [] : [repo],
    scannedAt: metadata?.timestamp ?? null,
    entries: vulnerabilities.flatMap((each, index) => entriesOf(each, index, componentOf)),
  };
};

/** CycloneDX in JSON: an SBOM with vulnerabilities, or VEX. An entry is an element of `affects`. */
export const cyclonedx: ReportFormat = {
  name: 'CycloneDX',
  recognizes: (document) => t.type({ bomFormat: t.literal('CycloneDX') }).is(document),
  isLines: false,
  convert: convertedReport,
};
