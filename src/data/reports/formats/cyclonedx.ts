import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { FindingStatus } from '../../../contract/enums.js';
import { idsOf, worstSeverity } from '../advisory-texts.js';
import { packageFromPurl, percentDecoded, repoNameFrom } from '../package-and-repo-names.js';
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

/**
 * A range of the `vers` scheme, such as `vers:npm/>=4.0.0|<4.3.1`, as a range expression. A constraint that
 * sets a lower bound begins an alternative, as does a single version. Any other text stays as it is.
 */
export const rangeFromVers = (text: string): string => {
  const [, constraints] = /^vers:[\w.+-]+\/(.+)$/s.exec(text) ?? [];
  if (constraints === undefined) return text;
  if (constraints.trim() === '*') return '*';
  const alternatives: string[] = [];
  let isOpen = false;
  for (const constraint of constraints
    .split('|')
    .map((each) => each.trim())
    .slice(0, maxConstraints)) {
    const [, operator = '', version = ''] = /^(>=|<=|!=|<|>|=)?\s*(\S+)$/.exec(constraint) ?? [];
    if (version === '' || operator === '!=') continue;
    const comparison = `${operator === '' ? '=' : operator} ${version}`;
    if (isOpen && operator.startsWith('<')) alternatives.push(`${alternatives.pop()}, ${comparison}`);
    else alternatives.push(comparison);
    isOpen = operator.startsWith('>');
  }
  return alternatives.length === 0 ? text : alternatives.join(' || ');
};

/** How many constraints are read; no range has more. */
const maxConstraints = 100;

/** A component of a CycloneDX document. */
const Component = t.type({
  'bom-ref': usable(Line),
  purl: usable(Line),
  group: usable(Line),
  name: usable(Line),
  version: usable(Line),
  components: Items,
});
type Component = t.TypeOf<typeof Component>;

const decodedComponent = (value: unknown): Component | null =>
  E.getOrElse((): Component | null => null)(Component.decode(value));

/** How deeply components may be nested. */
const maxDepth = 50;

/**
 * Finds the component that an affected `ref` of a document names: by its `bom-ref`, by its package URL, or as
 * the fragment of a BOM-Link, which names a component of another document. A `ref` that is a package URL
 * names a package even if no component has it. Null if nothing is found.
 */
const componentsByRef = (subject: unknown, components: unknown): ((ref: string) => Component | null) => {
  const byRef = new Map<string, Component>();
  const add = (value: unknown, depth: number): void => {
    const component = decodedComponent(value);
    if (component === null) return;
    for (const key of [component['bom-ref'], component.purl])
      if (key !== undefined && !byRef.has(key)) byRef.set(key, component);
    if (depth < maxDepth) for (const inner of component.components) add(inner, depth + 1);
  };
  add(subject, 0);
  for (const each of Array.isArray(components) ? components : []) add(each, 0);
  return (ref) => {
    const fragment = ref.startsWith('urn:cdx:') ? percentDecoded(ref.slice(ref.indexOf('#') + 1)) : ref;
    return byRef.get(ref) ?? byRef.get(fragment) ?? componentOfPurl(fragment);
  };
};

const componentOfPurl = (purl: string): Component | null => {
  const named = packageFromPurl(purl);
  return named === null ? null : decodedComponent({ purl, name: named.name, version: named.version });
};

/** The package that a component is; null if it has no name. */
const packageOfComponent = ({
  purl,
  group,
  name,
}: Component): Readonly<{ name: string; ecosystem: string | null }> | null => {
  const named = packageFromPurl(purl ?? '');
  if (named !== null) return named;
  if (name === undefined) return null;
  return { name: group === undefined ? name : `${group}/${name}`, ecosystem: null };
};

/** The repository that the subject of a document stands for. */
const repoOfComponent = (subject: unknown): string | null => {
  const component = decodedComponent(subject);
  if (component?.name === undefined) return null;
  return repoNameFrom(
    component.group === undefined ? component.name : `${component.group}/${component.name}`,
  );
};

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
