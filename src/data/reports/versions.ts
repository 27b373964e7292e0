/** Negative if the first version is the earlier one, zero if both are the same. */
export type VersionOrder = (left: string, right: string) => number;

type Split = (version: string) => readonly string[];

const matches =
  (parts: RegExp): Split =>
  (version) =>
    version.match(parts) ?? [];

/** A version without an epoch has the epoch 0. */
const withEpoch =
  (mark: string, split: Split): Split =>
  (version) =>
    split(/^\d+[:!]/.test(version) ? version : `0${mark}${version}`);

/** Numbers, then the identifiers of a pre-release. A word after a number, as in `1.0rc1`, begins one. */
const semanticParts: Split = (version) => {
  const [core = '', ...others] = version
    .replace(/\+.*$/s, '')
    .replace(/^([\d.]*\d)\.?(?=[a-z])/i, '$1-')
    .split('-');
  const identifiers = others.join('-').split('.');
  return [...(core.match(/\d+|[a-z]+/gi) ?? []), ...(others.length === 0 ? [] : ['-', ...identifiers])];
};

/** The last hyphen of a version of Debian begins the revision; it becomes a slash, which no version has. */
const debianParts: Split = (version) => version.replace(/-(?=[^-]*$)/, '/').match(/\d+|\D/g) ?? [];

/** Where two versions differ first, the one whose part comes first in this order is the earlier one. */
type Scheme = Readonly<{
  /**
   * Words, with synonyms after `=`. `$` is the end of a version, `#` a number, `*` any other word, `?` any
   * other character; these compare with their own kind by value.
   */
  order: string;
  split: Split;
  /** Whether `1.0` is another version than `1`. */
  hasZeros?: boolean;
  ecosystems: string;
}>;

const schemes: readonly Scheme[] = [
  {
    order: '- $ # *',
    split: semanticParts,
    ecosystems: 'npm, crates.io, go, pub, hex, nuget, swifturl, github actions',
  },
  {
    order: '* dev a=alpha b=beta rc=c=pre=preview $ + post=rev=r=- #',
    split: withEpoch('!', matches(/\d+|[a-z]+|\+|(?<=\d)-(?=\d)/gi)),
    ecosystems: 'pypi',
  },
  {
    order: 'alpha=a beta=b milestone=m rc=cr snapshot $=ga=final=release sp * - #',
    split: matches(/\d+|[a-z]+|(?<=\d)-(?=\d)/gi),
    ecosystems: 'maven',
  },
  { order: '* $ #', split: matches(/\d+|[a-z]+/gi), ecosystems: 'rubygems, cocoapods' },
  {
    order: '* dev alpha=a beta=b rc=c $ patch=pl=p #',
    split: (version) => version.replace(/\+.*$/s, '').match(/\d+|[a-z]+/gi) ?? [],
    ecosystems: 'packagist',
  },
  {
    order: '~ $ / # * ?',
    split: withEpoch(':', debianParts),
    hasZeros: true,
    ecosystems: 'debian, ubuntu',
  },
  {
    order: '_alpha _beta _pre _rc $ - _cvs _svn _git _hg _p * #',
    split: matches(/\d+|_?[a-z]+|-(?=r\d)/gi),
    hasZeros: true,
    ecosystems: 'alpine, wolfi, chainguard',
  },
  {
    order: '~ $ - ^ * #',
    split: withEpoch(':', matches(/\d+|[a-z]+|[~^-]/gi)),
    hasZeros: true,
    ecosystems:
      'red hat, centos, rocky linux, almalinux, oracle, amazon, fedora, suse, opensuse, photon, azure linux, rpm',
  },
];

/** For ecosystems that are not known: a word comes before the release, unless it names what follows one. */
const otherScheme = {
  order: '~ * $ + final=ga=release=post=sp=patch=r #',
  split: matches(/\d+|[a-z]+|[~+]/gi),
};

/** The parts of a version without the zeros at the end of its first numbers: `1.0` is `1`. */
const withoutZeros = (parts: readonly string[]): readonly string[] => {
  const end = parts.findIndex((part) => !/^\d/.test(part));
  const numbers = end === -1 ? parts : parts.slice(0, end);
  const last = numbers.findLastIndex((part) => /[1-9]/.test(part));
  return [...numbers.slice(0, last + 1), ...parts.slice(numbers.length)];
};

/** Most versions are numbers alone, whose parts are the same in every ecosystem, and are found at once. */
const plain = /^\d+(?:\.\d+)*$/;
const plainParts: Split = (version) => version.split('.');

const compareTexts: VersionOrder = (left, right) => (left < right ? -1 : Number(left > right));

/** Numbers may be longer than those of JavaScript are exact. */
const compareNumbers: VersionOrder = (left, right) => {
  const [l, r] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')];
  return l.length - r.length || compareTexts(l, r);
};

const orderOf = ({ order, split, hasZeros }: Omit<Scheme, 'ecosystems'>): VersionOrder => {
  const ranks = new Map(
    order.split(' ').flatMap((same, rank) => same.split('=').map((word) => [word, rank] as const)),
  );
  const kindOf = (part: string): string => {
    if (/^\d+$/.test(part)) return '#';
    const word = part.toLowerCase();
    return ranks.has(word) ? word : /^\w/.test(part) || !ranks.has('?') ? '*' : '?';
  };
  const partsOf = (version: string, parts: Split): readonly string[] =>
    hasZeros === true ? parts(version) : withoutZeros(parts(version.replace(/^v(?=\d)/i, '')));
  return (left, right) => {
    if (left === right) return 0;
    const parts = plain.test(left) && plain.test(right) ? plainParts : split;
    const l = partsOf(left, parts);
    const r = partsOf(right, parts);
    for (let index = 0; index < Math.max(l.length, r.length); index += 1) {
      const [a, b] = [l[index] ?? '$', r[index] ?? '$'];
      if (a === b) continue;
      const kind = kindOf(a);
      const byRank = (ranks.get(kind) ?? 0) - (ranks.get(kindOf(b)) ?? 0);
      const byValue = kind === '#' ? compareNumbers : compareTexts;
      const difference = byRank === 0 && '#*?'.includes(kind) ? byValue(a, b) : byRank;
      if (difference !== 0) return difference;
    }
    return 0;
  };
};

const orders = new Map(
  schemes.flatMap((scheme) => {
    const order = orderOf(scheme);
    return scheme.ecosystems.split(', ').map((ecosystem) => [ecosystem, order] as const);
  }),
);
const otherOrder = orderOf(otherScheme);

/** The order of the versions of an ecosystem as OSV names it, such as `npm` and `Debian:12`. */
export const versionOrder = (ecosystem: string | null): VersionOrder =>
  orders.get((ecosystem ?? '').split(':')[0]?.toLowerCase() ?? '') ?? otherOrder;
