import type { FindingStatus, Severity } from '../../../contract/enums.js';
import type {
  FixDraftRecord,
  PullRequestRecord,
  RepoRecord,
  ScanRecord,
} from '../../../records/row-records.js';
import type { Advisory } from '../../advisories/advisories.js';
import type { Catalogue } from '../catalogue.js';
import type { Random } from '../random.js';
import type { RepoKind } from '../repo-kind.js';
import type { TenantSpec } from '../tenant-spec.js';

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
