import { type VersionOrder, versionOrder } from './versions.js';

/** A cut between versions: before a version, or right after it. Null: before or after all versions. */
type Cut = Readonly<{ version: string; isAfter: boolean }> | null;

/** The versions between two cuts. */
type Interval = Readonly<{ from: Cut; to: Cut }>;

/** Intervals in their order, none of which touches the next one. */
export type Range = readonly Interval[];

export const before = (version: string): Cut => ({ version, isAfter: false });
const after = (version: string): Cut => ({ version, isAfter: true });

export const all: Range = [{ from: null, to: null }];
export const onlyVersion = (version: string): Range => [{ from: before(version), to: after(version) }];

/** The versions in any of these ranges. */
export const union = (order: VersionOrder, ranges: readonly Range[]): Range => {
  const compare = (l: NonNullable<Cut>, r: NonNullable<Cut>): number =>
    order(l.version, r.version) || Number(l.isAfter) - Number(r.isAfter);
  const sorted = ranges
    .flat()
    .filter(({ from, to }) => from === null || to === null || compare(from, to) < 0)
    .toSorted(({ from: l }, { from: r }) =>
      l === null || r === null ? Number(l !== null) - Number(r !== null) : compare(l, r),
    );
  const merged: Interval[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    const isApart = last?.to && next.from && compare(last.to, next.from) < 0;
    if (last === undefined || isApart) merged.push(next);
    else if (last.to !== null && (next.to === null || compare(next.to, last.to) > 0))
      merged[merged.length - 1] = { from: last.from, to: next.to };
  }
  return merged;
};

/** The versions outside of a range. */
export const complement = (range: Range): Range => {
  const gaps = [...range, null].map((next, index) => {
    const last = range[index - 1];
    return {
      from: last?.to ?? null,
      to: next?.from ?? null,
      isEmpty: last?.to === null || next?.from === null,
    };
  });
  return gaps.filter(({ isEmpty }) => !isEmpty).map(({ from, to }) => ({ from, to }));
};

/** The versions in all of these ranges. */
export const intersection = (order: VersionOrder, ranges: readonly Range[]): Range =>
  complement(union(order, ranges.map(complement)));

/** The first of these numbers, the last one of which is increased: 1.3.0 for two numbers of 1.2.3. */
const increased = (version: string, count: number): string => {
  const numbers = /\d+(?:\.\d+)*/.exec(version)?.[0].split('.') ?? [];
  const kept = numbers.slice(0, count).map(Number);
  const padded = Array.from({ length: Math.min(numbers.length, 3) - kept.length }, () => 0);
  return [...kept.slice(0, -1), (kept.at(-1) ?? 0) + 1, ...padded].join('.');
};

/** How many numbers of a version stay the same in the range of `^`: up to the first one that is not zero. */
const caretCount = (version: string): number =>
  Math.max(1, version.split('.').findIndex((part) => /[1-9]/.test(part)) + 1);

const tildeCount = (version: string): number => Math.min(2, version.split('.').length);

/** The range of a comparator such as `>= 1.2`, `~> 1.2.3` or `1.x`. */
const rangeOfComparator = (operator: string, text: string): Range => {
  const version = text.replace(/(?:\.[*x])+$/i, '');
  const isPrefix = version !== text;
  if (/^[*x]$/i.test(version)) return all;
  const upTo = (count: number): Range => [{ from: before(version), to: before(increased(version, count)) }];
  const count = version.split('.').length;
  if (operator === '^') return upTo(caretCount(version));
  if (operator === '~') return upTo(tildeCount(version));
  if (operator === '~>' || operator === '~=') return upTo(Math.max(1, count - 1));
  if (operator === '<') return [{ from: null, to: before(version) }];
  if (operator === '<=') return [{ from: null, to: after(version) }];
  if (operator === '>') return [{ from: after(version), to: null }];
  // Nothing comes before these.
  const isBeginning = /^v?0(?:\.0)*(?:-0)?$/.test(version);
  if (operator === '>=') return [{ from: isBeginning ? null : before(version), to: null }];
  const only = isPrefix ? upTo(count) : onlyVersion(version);
  return operator === '!=' ? complement(only) : only;
};

const comparator = /(?:(>=|<=|!=|===?|~>|~=|[<>=^~])\s*)?([\w*][\w.+:!~^*-]*)/g;
/** An interval as Maven writes it: `[1.0,2.0)`, `(,1.0]`, `[1.0]`. */
const brackets = /([[(])\s*(?:([\w.+:~-]+)\s*)?(?:(,)\s*(?:([\w.+:~-]+)\s*)?)?([\])])/g;

const rangesOfBrackets = (text: string): readonly Range[] =>
  Array.from(text.matchAll(brackets), ([, open, from = '', comma, to = '', close]) => [
    {
      from: from === '' ? null : open === '[' ? before(from) : after(from),
      to: comma === undefined ? after(from) : to === '' ? null : close === ']' ? after(to) : before(to),
    },
  ]);

/**
 * The comparators of a list, in which a comma also separates alternatives: one begins where a lower bound is
 * not within the bounds before it.
 */
const alternativesOfList = (order: VersionOrder, comparators: readonly Range[]): readonly Range[] => {
  const found: Range[] = [];
  for (const each of comparators) {
    const last = found.at(-1) ?? [];
    const both = intersection(order, [last, each]);
    const isOpen = last[0]?.to === null && each[0]?.from !== null;
    if (both.length === 0 || isOpen) found.push(each);
    else found[found.length - 1] = both;
  }
  return found;
};

/** Databases of these ecosystems name several fixed ranges, which tools join with commas. */
const withLists = ['crates.io', 'RubyGems'];

/** The range of an alternative; null if it is not understood. `isList`: as in these databases. */
const parseAlternative = (text: string, order: VersionOrder, isList: boolean): Range | null => {
  const bracketed = rangesOfBrackets(text);
  if (bracketed.length > 0)
    return /[^\s,]/.test(text.replaceAll(brackets, '')) ? null : union(order, bracketed);
  const plain = text.replace(/^(\S+)\s+-\s+(\S+)$/, '>=$1 <=$2');
  const found = Array.from(plain.matchAll(comparator), ([, operator = '=', version = '']) => {
    return { operator, version, range: rangeOfComparator(operator, version) };
  });
  const areVersions = found.every(({ version }) => /\d|^[*x]$/i.test(version));
  if (!areVersions || /[^\s,]/.test(plain.replaceAll(comparator, ''))) return null;
  const comparators = found.map(({ range }) => range);
  if (found.every(({ operator }) => /^=*$/.test(operator))) return union(order, comparators);
  return isList ? union(order, alternativesOfList(order, comparators)) : intersection(order, comparators);
};

/**
 * The range that a text names: comparators, intervals of Maven, or the `vers` scheme. Null if it is not
 * understood, or no version is in it.
 */
export const parseRange = (text: string, ecosystem: string | null): Range | null => {
  const order = versionOrder(ecosystem);
  const vers = /^vers:[\w.+-]+\/(.*)$/s.exec(text)?.[1];
  const isList = vers !== undefined || withLists.includes(ecosystem ?? '');
  const parts = vers === undefined ? text.split('|') : [vers.replaceAll('|', ',')];
  const alternatives = parts.filter((part) => part.trim() !== '');
  const parsed = alternatives.map((part) => parseAlternative(part.trim(), order, isList));
  const understood = parsed.filter((range) => range !== null);
  const range = union(order, understood);
  return range.length === 0 || understood.length < parsed.length ? null : range;
};

const textOfInterval = ({ from, to }: Interval): string => {
  if (from !== null && to !== null && from.version === to.version) return `= ${from.version}`;
  const start = from === null ? [] : [`${from.isAfter ? '>' : '>='} ${from.version}`];
  const end = to === null ? [] : [`${to.isAfter ? '<=' : '<'} ${to.version}`];
  const bounds = [...start, ...end];
  return bounds.length === 0 ? '>= 0' : bounds.join(', ');
};

/** How many alternatives a range may have; further ones say no more to anybody. */
const maxAlternatives = 50;

/** A range as findings have it, such as `>= 1.0, < 1.5 || >= 2.0`. */
export const textOfRange = (range: Range): string =>
  range.slice(0, maxAlternatives).map(textOfInterval).join(' || ');

/** The same range as findings have it; as it is if it is not understood. */
export const normalRange = (text: string, ecosystem: string | null): string => {
  const range = parseRange(text, ecosystem);
  return range === null ? text : textOfRange(range);
};
