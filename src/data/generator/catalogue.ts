import { groupBy } from '../../common/sort-and-group.js';
import type { Severity } from '../../contract/enums.js';
import { type Advisory, advisories } from '../advisories/advisories.js';
import type { NonEmpty, Random, Weighted } from './random.js';

/** The published advisories of some ecosystems, by severity. */
export type Catalogue = Readonly<{
  all: NonEmpty<Advisory>;
  bySeverity: ReadonlyMap<Severity, NonEmpty<Advisory>>;
}>;

const catalogueOf = (ecosystems: readonly string[]): Catalogue => {
  const found = advisories.filter(({ ecosystem }) => ecosystems.includes(ecosystem));
  const bySeverity = new Map<Severity, NonEmpty<Advisory>>();
  for (const [severity, group] of groupBy(found, (advisory) => advisory.severity))
    bySeverity.set(severity, nonEmpty(group));
  return { all: nonEmpty(found), bySeverity };
};

const nonEmpty = <A>([first, ...rest]: readonly A[]): NonEmpty<A> => {
  if (first === undefined) throw new RangeError('there is no advisory of this kind');
  return [first, ...rest];
};

/** What a repository may be written in, and how many of a hundred are. */
export const catalogues: NonEmpty<Weighted<Catalogue>> = [
  [55, catalogueOf(['npm'])],
  [20, catalogueOf(['Maven'])],
  [13, catalogueOf(['PyPI', 'npm'])],
  [7, catalogueOf(['RubyGems', 'npm'])],
  [5, catalogueOf(['NuGet', 'npm'])],
];

/** Every published advisory. */
export const wholeCatalogue = catalogueOf(advisories.map(({ ecosystem }) => ecosystem));

/** An advisory of a severity; of another one if the catalogue has none of it. */
export const advisoryOf = ({ all, bySeverity }: Catalogue, severity: Severity, random: Random): Advisory =>
  random.pick(bySeverity.get(severity) ?? all);

/**
 * A version before the fixed one: the last number of it that is not zero is one less. For most advisories,
 * it is the last affected release.
 */
export const versionBefore = (fixed: string): string => {
  const [, start = '', last = '1', zeros = '', end = ''] =
    /^(.*?)([1-9]\d*)((?:\.0)*)(\D*)$/.exec(fixed) ?? [];
  const before = `${start}${Number(last) - 1}${zeros}`;
  // 2.12.6.1 follows 2.12.6.
  return (before.split('.').length > 3 ? before.replace(/\.0$/, '') : before) + end;
};
