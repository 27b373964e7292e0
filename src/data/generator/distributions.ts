import type { FindingStatus, Severity } from '../../contract/enums.js';
import { type Advisory, advisories } from '../../fixtures/advisories.js';
import { findingStatus } from '../../fixtures/defaults.js';
import type { SparseOwnPullRequest } from '../../fixtures/fixture-format.js';
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
  /** Its index among those of its repository. */
  nth: number;
  hasPr: boolean;
  /** How many findings before it in its repository have pull requests. */
  withPrBefore: number;
  kind: RepoKind;
  /** How many findings before it are like it in having pull requests, if it is one of the first. */
  turn: number | undefined;
}>;

/** `prState` is that of its last pull request. */
export type FindingChoices = Readonly<{ status: FindingStatus; prState?: string | null | undefined }>;

/** A pull request whose values are to be chosen. */
type PullRequestPlace = Readonly<{ isLast: boolean; finding: FindingChoices }>;

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
 * How values are chosen, as in an organisation of many teams: a few repositories have most findings, most
 * findings are of medium severity, and the pull requests of a finding are those that its status needs. What
 * is not chosen is completed as in every fixture.
 */
export const rules = {
  kind: (repo: number, chance: Chance): RepoKind =>
    repo < allKinds.length ? at(allKinds, repo) : weighted(kindWeights, chance('kind')),
  /** How many findings a repository has, in relation to the others of a tenant that has `findings`. */
  weight: (kind: RepoKind, repo: number, findings: number): number => {
    const share = Math.ceil(10_000 / (repo + 1));
    if (kind === 'never' || (kind === 'healthy' && findings < fewFindings)) return 0;
    return kind === 'healthy' ? Math.ceil(share / 8) : share;
  },
  scanCount: (repo: number): number => 3 + (repo % 6),
  /** The advisories that a repository may have. */
  advisories: (repo: number, chance: Chance): readonly Advisory[] => {
    // The largest repository is one whose ecosystem has advisories of every severity.
    const known = repo === 0 ? ['npm'] : weighted(ecosystems, chance('ecosystems'));
    return advisories.filter(({ ecosystem }) => known.includes(ecosystem));
  },
  severity: (index: number, chance: Chance): Severity =>
    index < walkedFindings ? at(firstSeverities, index) : weighted(severityWeights, chance('severity')),
  finding: (place: FindingPlace, chance: Chance): FindingChoices => {
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
  pullRequest: ({ isLast, finding }: PullRequestPlace, chance: Chance): Partial<SparseOwnPullRequest> => {
    const prState = isLast ? finding.prState : pick(['closed', 'cancelled'], chance('state'));
    const hasCodemod = chance('codemod') < 0.22;
    return prState === null ? { prState, hasCodemod, reconciledAt: null } : { prState, hasCodemod };
  },
};
