import { FindingStatus, type Severity, valuesOf } from '../../contract/enums.js';
import { type Advisory, advisories } from '../../fixtures/advisories.js';
import { findingStatus } from '../../fixtures/defaults.js';
import type { SparseOwnPullRequest, SparseRepo } from '../../fixtures/fixture-format.js';
import {
  at,
  type Chance,
  type NonEmpty,
  nonEmpty,
  pick,
  type Weighted,
  weighted,
} from '../../fixtures/made-up-values.js';
import { severities } from '../../fixtures/severities.js';

/**
 * How a repository is doing: `busy` has findings that nobody works on, `tended` has a fix under way for each,
 * `healthy` has none left; the last scan of the others failed, was partial, is still running, or never began.
 */
export type RepoKind = 'busy' | 'tended' | 'healthy' | 'failed' | 'partial' | 'scanning' | 'never';

/** A finding whose values are to be chosen. */
type FindingPlace = Readonly<{
  /** Its index among the findings of the tenant. */
  index: number;
  /** Its index among those of its repository. */
  nth: number;
  hasPr: boolean;
  /** How many findings before it in its repository have pull requests. */
  withPrBefore: number;
  kind: RepoKind;
  /** How many findings before it are like it in having pull requests, if it is one of the first. */
  turn: number | undefined;
}>;

/** `ciStatus` follows from the status if it is not chosen. `prState` is that of its last pull request. */
export type FindingChoices = Readonly<{
  status: FindingStatus;
  ciStatus?: string | undefined;
  prState?: string | null | undefined;
}>;

/** A pull request whose values are to be chosen. */
type PullRequestPlace = Readonly<{ index: number; isLast: boolean; finding: FindingChoices }>;

/** How a distribution chooses values. What it leaves out is completed as in every fixture. */
export type Rules = Readonly<{
  kind: (repo: number, chance: Chance) => RepoKind;
  /** How many findings a repository has, in relation to the others of a tenant that has `findings`. */
  weight: (kind: RepoKind, repo: number, findings: number) => number;
  scanCount: (repo: number) => number;
  /** The advisories that a repository may have. */
  advisories: (repo: number, chance: Chance) => readonly Advisory[];
  severity: (index: number, chance: Chance) => Severity;
  /** Whether a finding rather has another severity than an advisory that its repository already has. */
  isVaried: boolean;
  finding: (place: FindingPlace, chance: Chance) => FindingChoices;
  pullRequest: (place: PullRequestPlace, chance: Chance) => Partial<SparseOwnPullRequest>;
  repo: (repo: number, kind: RepoKind) => Partial<SparseRepo>;
}>;

/**
 * The first findings of a tenant walk through all values, so that small tenants have them, too; after that,
 * chance decides.
 */
export const walkedFindings = 48;

const allKinds: NonEmpty<RepoKind> = ['busy', 'tended', 'never', 'failed', 'partial', 'scanning', 'healthy'];
const kindWeights: NonEmpty<Weighted<RepoKind>> = [
  [45, 'busy'],
  [20, 'healthy'],
  [15, 'tended'],
  [7, 'never'],
  [5, 'failed'],
  [5, 'partial'],
  [3, 'scanning'],
];

const firstSeverities: NonEmpty<Severity> = ['medium', 'high', 'critical', 'low', 'medium', 'medium', 'high'];
/** The most common first. */
const severityWeights = nonEmpty(
  severities
    .map(({ severity, generated }): Weighted<Severity> => [generated, severity])
    .sort(([left], [right]) => right - left),
);

const firstStatuses: NonEmpty<FindingStatus> = ['pending', 'escalated', 'pending', 'resolved'];
/** Of findings without a pull request. */
const statusWeights: NonEmpty<Weighted<FindingStatus>> = [
  [78, 'pending'],
  [12, 'resolved'],
  [10, 'escalated'],
];

type State = string | null;
/** The state of the last pull request of a finding. */
const firstStates: NonEmpty<State> = [
  'open',
  'merged',
  'closed',
  null,
  'cancelled',
  'open',
  'merged',
  'merged',
];
const stateWeights: NonEmpty<Weighted<State>> = [
  [48, 'merged'],
  [38, 'open'],
  [5, 'closed'],
  [5, 'cancelled'],
  [4, null],
];
const openWeights: NonEmpty<Weighted<State>> = [
  [82, 'open'],
  [13, 'draft'],
  [5, 'merge queued'],
];

const lastState = ({ kind, nth, withPrBefore, turn }: FindingPlace, chance: Chance): State => {
  if (kind === 'healthy') return 'merged';
  // By turns, so that one with two pull requests has an open one.
  if (kind === 'tended') return withPrBefore % 2 === 0 ? 'open' : 'merged';
  if (turn !== undefined) return at(firstStates, turn);
  const state = weighted(stateWeights, chance('state'));
  // Where there is no doubt that something needs review, some states are none that the API knows.
  return state === 'open' && kind === 'busy' && nth > 8 ? weighted(openWeights, chance('open')) : state;
};

/** What a repository may be written in. */
const ecosystems: NonEmpty<Weighted<readonly string[]>> = [
  [55, ['npm']],
  [20, ['Maven']],
  [13, ['PyPI', 'npm']],
  [7, ['RubyGems', 'npm']],
  [5, ['NuGet', 'npm']],
];

/** Below this number of findings per tenant, healthy repositories have none, so that every status occurs. */
const fewFindings = 200;

/**
 * Like an organisation of many teams: a few repositories have most findings, most findings are of medium
 * severity, and the pull requests of a finding are those that its status needs.
 */
export const realistic: Rules = {
  kind: (repo, chance) =>
    repo < allKinds.length ? at(allKinds, repo) : weighted(kindWeights, chance('kind')),
  weight: (kind, repo, findings) => {
    const share = Math.ceil(10_000 / (repo + 1));
    if (kind === 'never' || (kind === 'healthy' && findings < fewFindings)) return 0;
    return kind === 'healthy' ? Math.ceil(share / 8) : share;
  },
  scanCount: (repo) => 3 + (repo % 6),
  advisories: (repo, chance) => {
    // The largest repository is one whose ecosystem has advisories of every severity.
    const known = repo === 0 ? ['npm'] : weighted(ecosystems, chance('ecosystems'));
    return advisories.filter(({ ecosystem }) => known.includes(ecosystem));
  },
  severity: (index, chance) =>
    index < walkedFindings ? at(firstSeverities, index) : weighted(severityWeights, chance('severity')),
  isVaried: true,
  finding: (place, chance) => {
    if (place.hasPr) {
      const prState = lastState(place, chance);
      return { prState, status: findingStatus({}, [{ prState }]) };
    }
    if (place.kind === 'healthy' || place.kind === 'tended') return { status: 'resolved' };
    const { turn } = place;
    return {
      status: turn === undefined ? weighted(statusWeights, chance('status')) : at(firstStatuses, turn),
    };
  },
  pullRequest: ({ isLast, finding }, chance) => {
    const prState = isLast ? finding.prState : pick(['closed', 'cancelled'], chance('state'));
    const hasCodemod = chance('codemod') < 0.22;
    return prState === null ? { prState, hasCodemod, reconciledAt: null } : { prState, hasCodemod };
  },
  repo: () => ({}),
};

const statuses = nonEmpty(valuesOf(FindingStatus));
const ciStatuses: NonEmpty<string> = ['passing', 'failing', 'running', 'none'];
const prStates: NonEmpty<State> = ['open', 'merged', 'closed', 'cancelled', null];
const repoStatuses: NonEmpty<string> = ['needs_review', 'fix_open', 'clear', 'blocked', 'not_scanned'];

/** The kinds with different badges. The status of the fourth is each of the five in turn. */
const labels: NonEmpty<readonly [kind: RepoKind, scanStatusBadge: string, status: string | null]> = [
  ['busy', 'attention', 'needs_review'],
  ['healthy', 'healthy', 'clear'],
  ['scanning', 'scanning', 'fix_open'],
  ['failed', 'failed', 'blocked'],
  ['partial', 'partial', null],
  ['never', 'never_scanned', 'not_scanned'],
];

/**
 * Every value as often as every other: each is chosen by the index of its row, whatever the other values of
 * the row are, and together they walk through all combinations.
 */
export const uniform: Rules = {
  kind: (repo) => at(labels, repo)[0],
  weight: (kind) => (kind === 'never' ? 0 : 1),
  scanCount: () => 2,
  advisories: () => advisories,
  severity: (index) => at(nonEmpty(severities), index).severity,
  isVaried: false,
  finding: ({ index }) => ({
    status: at(statuses, index + Math.floor(index / 4)),
    ciStatus: at(ciStatuses, index + Math.floor(index / 16)),
  }),
  pullRequest: ({ index }) => ({
    prState: at(prStates, index),
    ciStatus: at(ciStatuses, index),
    hasCodemod: (index + Math.floor(index / 20)) % 2 === 1,
  }),
  repo: (repo, kind) => {
    const round = Math.floor(repo / labels.length);
    const [, scanStatusBadge, status] = labels.find(([each]) => each === kind) ?? at(labels, repo);
    return {
      scanStatusBadge,
      status: status ?? at(repoStatuses, round),
      isDemoRow: (repo + round) % 2 === 1,
    };
  },
};

/** By turns; the fifth has no scan, and the sixth nothing but scans. */
const edgeKinds: NonEmpty<RepoKind> = [
  'busy',
  'busy',
  'busy',
  'busy',
  'never',
  'failed',
  'partial',
  'scanning',
  'healthy',
];

/** Uniform, but one repository has nearly all findings. */
export const edge: Rules = {
  ...uniform,
  kind: (repo) => at(edgeKinds, repo),
  weight: (kind, repo) => (kind === 'never' || kind === 'failed' ? 0 : repo === 0 ? 1_000_000 : 1000),
};
