import * as t from 'io-ts';
import { compareVersions } from './compare-versions.js';
import type { Fix } from './report.js';
import { Line, usable, usableItems } from './usable.js';

const Event = t.type({
  introduced: usable(Line),
  fixed: usable(Line),
  last_affected: usable(Line),
});
type Event = t.TypeOf<typeof Event>;

/** The versions of a package that an OSV advisory affects. */
export const OsvVersions = t.type({
  ranges: usableItems(t.type({ type: usable(Line), events: usableItems(Event) })),
  versions: usableItems(Line),
  database_specific: usable(t.type({ last_known_affected_version_range: usable(Line) })),
});
export type OsvVersions = t.TypeOf<typeof OsvVersions>;

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
