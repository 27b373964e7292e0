import {
  all,
  before,
  complement,
  intersection,
  onlyVersion,
  parseRange,
  type Range,
  textOfRange,
  union,
} from './ranges.js';
import type { Fix, ReportFinding } from './report.js';
import { type VersionOrder, versionOrder } from './versions.js';

/** The range of a finding that has no fix, such as `fixedRange`. */
const noFixedVersion = 'no fixed version';

/** A fix as tools write it: versions such as `1.5.13, 1.3.15`, a range, or words for none, as `not fixed`. */
export const fixFrom = (text: string): Fix => {
  const range = text.trim();
  // npm writes `<0.0.0` if no version is fixed.
  if (/^<\s*0\.0\.0$/.test(range)) return [];
  if (/(?:^|[\s,|])[<>=~^*[(]/.test(range)) return range;
  return range.split(/[\s,]+/).filter((version) => /\d/.test(version));
};

/** What a report says of the versions of a package. */
type Statement = Pick<ReportFinding, 'vulnerableRange' | 'fix' | 'installed'>;

/** The first of the fixed versions after the one that was found. */
const nextFix = (order: VersionOrder, fixed: readonly string[], installed: string | null) =>
  fixed.toSorted(order).find((version) => installed === null || order(version, installed) > 0);

/** Where the branch begins whose fix this is, after the fix of another one: 2.0.0 for 2.0.1 after 1.2.3. */
const branchStart = (order: VersionOrder, fixed: string, last: string): string => {
  if (!/^v?\d+(?:\.\d+)+$/.test(fixed)) return fixed;
  const numbers = fixed.split('.');
  const starts = numbers.slice(1, 3).map((_, index) => {
    return numbers
      .slice(0, 3)
      .map((number, at) => (at <= index ? number : '0'))
      .join('.');
  });
  return starts.find((start) => order(start, last) > 0 && order(start, fixed) < 0) ?? fixed;
};

/** Where a report says that a package is fixed; null if it does not, or says so in a way not understood. */
const fixedBy = (
  { fix = null, installed = null }: Statement,
  ecosystem: string | null,
  isBranched: boolean,
) => {
  if (fix === null || fix.length === 0) return null;
  if (typeof fix === 'string') return parseRange(fix, ecosystem);
  const order = versionOrder(ecosystem);
  // A version that was found after all fixes is of a branch of which no fix is known.
  const end = nextFix(order, fix, installed) === undefined && installed !== null ? before(installed) : null;
  const intervals = fix.toSorted(order).map((version, index, all) => {
    const next = all[index + 1];
    const isLast = next === undefined || !isBranched;
    return { from: before(version), to: isLast ? end : before(branchStart(order, next, version)) };
  });
  return union(order, [intervals]);
};

/** What is vulnerable by a report without a range: the versions before the next fix, else what was found. */
const vulnerableBefore = ({ fix = null, installed = null }: Statement, ecosystem: string | null): Range => {
  const order = versionOrder(ecosystem);
  const found = installed === null ? [] : onlyVersion(installed);
  if (fix === null) return found;
  if (typeof fix === 'string') {
    const unfixed = complement(parseRange(fix, ecosystem) ?? all);
    return installed === null || intersection(order, [found, unfixed]).length > 0 ? unfixed : found;
  }
  const next = nextFix(order, fix, installed);
  return next === undefined ? found : [{ from: null, to: before(next) }];
};

/** The words of a report for a range where it has them, else ours. */
const textAsReported = (range: Range, texts: readonly string[], ecosystem: string | null): string => {
  const isReported = (text: string): boolean =>
    /^[<>=][^|]*$/.test(text) && JSON.stringify(parseRange(text, ecosystem)) === JSON.stringify(range);
  return (range.length === 1 ? texts.find(isReported) : undefined) ?? textOfRange(range);
};

const isNamed = ({ vulnerableRange = null }: Statement): boolean => vulnerableRange !== null;

/** The range of the fixed versions, none of which is vulnerable; null if nothing is known of them. */
const fixedRangeOf = (
  statements: readonly Statement[],
  vulnerable: Range,
  ecosystem: string | null,
): string | null => {
  const order = versionOrder(ecosystem);
  const fixes = statements.flatMap(({ fix = null }) => (fix === null ? [] : [fix]));
  const texts = fixes.filter((fix) => typeof fix === 'string');
  // What was found is vulnerable, even if a range of another source lacks it.
  const found = statements.flatMap(({ installed }) => (installed ? onlyVersion(installed) : []));
  const unfixed = complement(union(order, [vulnerable, found]));
  if (fixes.length === 0) {
    // That some versions were found to be vulnerable says nothing of those after them.
    if (!/[<>]/.test(textOfRange(vulnerable))) return null;
    const later = unfixed.filter(({ from }) => from !== null);
    return later.length === 0 ? noFixedVersion : textOfRange(later);
  }
  // A range tells where branches begin; that single versions are vulnerable does not.
  const isBranched = !statements.some(({ vulnerableRange }) => /[<>~^*[(]/.test(vulnerableRange ?? ''));
  const known = (each: readonly Statement[]): readonly Range[] =>
    each.map((one) => fixedBy(one, ecosystem, isBranched)).filter((range) => range !== null);
  const anywhere = known(statements);
  if (anywhere.length === 0) return texts.length === 0 ? noFixedVersion : texts.join(' || ');
  // Those of a single report are all of it.
  const others = statements.length === 1 ? [] : statements.filter((each) => !isNamed(each));
  const fixed = intersection(order, [union(order, anywhere), ...known(others), unfixed]);
  return fixed.length === 0 ? noFixedVersion : textAsReported(fixed, texts, ecosystem);
};

/**
 * The ranges of a finding of which several reports say something; null where nothing is known. What one of
 * them says is vulnerable is so, and what is fixed is fixed by all that they say. No version is in both.
 */
export const mergeRanges = (statements: readonly Statement[], ecosystem: string | null) => {
  const named = statements.flatMap(({ vulnerableRange }) => vulnerableRange ?? []);
  const others = statements.filter((each) => !isNamed(each));
  const ranges = named.map((text) => ({ text, range: parseRange(text, ecosystem) }));
  const vulnerable = union(versionOrder(ecosystem), [
    ...ranges.flatMap(({ range }) => (range === null ? [] : [range])),
    // Versions that were found say something beside a range, fixed ones that the range has said better.
    ...others.map((each) => vulnerableBefore(named.length > 0 ? { ...each, fix: null } : each, ecosystem)),
  ]);
  const texts = [
    ...(vulnerable.length === 0 ? [] : [textAsReported(vulnerable, named, ecosystem)]),
    ...new Set(ranges.flatMap(({ text, range }) => (range === null ? [text] : []))),
  ];
  return {
    vulnerableRange: texts.length === 0 ? null : texts.join(' || '),
    fixedRange: fixedRangeOf(statements, vulnerable, ecosystem),
  };
};
