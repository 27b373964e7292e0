import { groupBy } from '../../../common/sort-and-group.js';
import type { FindingStatus, Severity } from '../../../contract/enums.js';
import type {
  FixDraftRecord,
  PullRequestRecord,
  RepoRecord,
  ScanRecord,
} from '../../../records/row-records.js';
import { type Advisory, advisories } from '../../advisories/advisories.js';
import type { NonEmpty, Random, Weighted } from '../random.js';
import type { TenantSpec } from '../tenant-plan.js';

/**
 * How a repository is doing: `busy` has findings that nobody works on, `tended` has a fix under way for each,
 * `healthy` has none left; the last scan of the others failed, was partial, is still running, or never began.
 */
export type RepoKind = 'busy' | 'tended' | 'healthy' | 'failed' | 'partial' | 'scanning' | 'never';

/** One of each kind. The first two are those with the most findings. */
export const everyKind: NonEmpty<RepoKind> = [
  'busy',
  'tended',
  'never',
  'failed',
  'partial',
  'scanning',
  'healthy',
];

/** How many of a hundred repositories are of a kind. */
export const kindWeights: NonEmpty<Weighted<RepoKind>> = [
  [45, 'busy'],
  [20, 'healthy'],
  [15, 'tended'],
  [7, 'never'],
  [5, 'failed'],
  [5, 'partial'],
  [3, 'scanning'],
];

/** The badge of a repository of each kind. */
export const badges: Readonly<Record<RepoKind, string>> = {
  busy: 'attention',
  tended: 'attention',
  healthy: 'healthy',
  failed: 'failed',
  partial: 'partial',
  scanning: 'scanning',
  never: 'never_scanned',
};

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

/** A finding whose values are to be chosen. Indexes count from 0. */
export type FindingPlace = Readonly<{
  spec: TenantSpec;
  /** Its index among the findings of the tenant, and among those of its repository. */
  index: number;
  nth: number;
  /**
   * How many findings before it are like it in having pull requests, or in having none. Beyond the first
   * blocks of a tenant, only those of its own block are counted.
   */
  alike: number;
  prCount: number;
  kind: RepoKind;
  catalogue: Catalogue;
  /** The advisories of the first findings of the repository, none of them twice. */
  distinct: readonly Advisory[];
  random: Random;
}>;

export type FindingChoices = Readonly<{ advisory: Advisory; status: FindingStatus; ciStatus: string }>;

/** A pull request whose values are to be chosen. */
export type PullRequestPlace = Readonly<{
  /** Its index among the pull requests of the tenant. */
  index: number;
  /** Whether the finding has none after it. */
  isLast: boolean;
  finding: FindingChoices;
  findingPlace: Pick<FindingPlace, 'index' | 'alike'>;
  random: Random;
}>;

export type PullRequestChoices = Readonly<{ prState: string | null; ciStatus: string; hasCodemod: boolean }>;

/** What is true of the findings of a repository. */
export type Triage = Readonly<{ needsReview: boolean; hasOpenPr: boolean }>;

/** How a distribution chooses values. What follows from them, such as dates and references, is common. */
export type Rules = Readonly<{
  kind: (spec: TenantSpec, repo: number) => RepoKind;
  /** How many findings a repository has, in relation to the others of the tenant. */
  weight: (spec: TenantSpec, repo: number, kind: RepoKind) => number;
  catalogue: (repo: number, random: Random) => Catalogue;
  /** The severity of a finding, for the first ones of a repository, whose advisories differ. */
  severity: (index: number, random: Random) => Severity;
  finding: (place: FindingPlace) => FindingChoices;
  pullRequest: (place: PullRequestPlace) => PullRequestChoices;
  /** `triage` looks at the findings of the repository when it is called. */
  labels: (
    repo: number,
    kind: RepoKind,
    triage: () => Triage,
  ) => Pick<RepoRecord, 'scanStatusBadge' | 'status' | 'isDemoRow'>;
  /** What is different in a row once it is complete. */
  quirks: Readonly<{
    repo: (row: RepoRecord, index: number) => RepoRecord;
    scan: (row: ScanRecord, index: number) => ScanRecord;
    finding: (row: FixDraftRecord, index: number) => FixDraftRecord;
    pullRequest: (row: PullRequestRecord, index: number) => PullRequestRecord;
  }>;
}>;

/** Leaves rows as they are. */
export const noQuirks: Rules['quirks'] = {
  repo: (row) => row,
  scan: (row) => row,
  finding: (row) => row,
  pullRequest: (row) => row,
};
