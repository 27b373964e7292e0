import type { FindingStatus, Severity } from '../../../contract/enums.js';
import { at, type NonEmpty, type Random, randomFor, type Weighted } from '../random.js';
import { walkedFindings } from '../shares.js';
import {
  advisoryOf,
  badges,
  catalogues,
  everyKind,
  type FindingChoices,
  type FindingPlace,
  kindWeights,
  noQuirks,
  type PullRequestChoices,
  type PullRequestPlace,
  type Rules,
  type Triage,
} from './rules.js';

const severities: NonEmpty<Weighted<Severity>> = [
  [54, 'medium'],
  [28, 'high'],
  [11, 'low'],
  [7, 'critical'],
];

/** Below this number of findings per tenant, healthy repositories have none, so that every status occurs. */
const fewFindings = 200;

/**
 * The first findings of a tenant walk through all values, so that small tenants have them, too; after that,
 * chance decides.
 */
const firstSeverities: NonEmpty<Severity> = ['medium', 'high', 'critical', 'low', 'medium', 'medium', 'high'];
const firstWithoutPr: NonEmpty<FindingStatus> = ['pending', 'escalated', 'pending', 'resolved'];
const firstWithPr: NonEmpty<FindingChoice & PullRequestChoices> = [
  { status: 'drafting', prState: 'open', ciStatus: 'running', hasCodemod: false },
  { status: 'resolved', prState: 'merged', ciStatus: 'passing', hasCodemod: true },
  { status: 'escalated', prState: 'closed', ciStatus: 'failing', hasCodemod: false },
  { status: 'escalated', prState: null, ciStatus: 'failing', hasCodemod: false },
  { status: 'escalated', prState: 'cancelled', ciStatus: 'failing', hasCodemod: false },
  { status: 'drafting', prState: 'open', ciStatus: 'passing', hasCodemod: true },
  { status: 'resolved', prState: 'merged', ciStatus: 'passing', hasCodemod: false },
  { status: 'resolved', prState: 'merged', ciStatus: 'passing', hasCodemod: false },
];
type FindingChoice = Pick<FindingChoices, 'status' | 'ciStatus'>;

const severity = (index: number, random: Random): Severity =>
  index < walkedFindings ? at(firstSeverities, index) : random.weighted(severities);

const statusOf = (place: FindingPlace): FindingStatus => {
  const { index, prCount, kind, random } = place;
  const chance = random.below(100);
  if (kind === 'healthy') return 'resolved';
  // By turns, so that one with two pull requests has an open one.
  if (kind === 'tended' && prCount > 0) return place.alike % 2 === 0 ? 'drafting' : 'resolved';
  if (kind === 'tended') return chance < 20 ? 'drafting' : 'resolved';
  if (index < walkedFindings)
    return prCount > 0 ? at(firstWithPr, place.alike).status : at(firstWithoutPr, place.alike);
  if (prCount === 0) return chance < 78 ? 'pending' : chance < 90 ? 'resolved' : 'escalated';
  return chance < 38 ? 'drafting' : chance < 86 ? 'resolved' : 'escalated';
};

/** The first values of a finding with pull requests, if it is one of the first and has their status. */
const firstValues = (place: Pick<FindingPlace, 'index' | 'alike'>, status: FindingStatus) => {
  const values = at(firstWithPr, place.alike);
  return place.index < walkedFindings && values.status === status ? values : null;
};

const ciStatuses: Readonly<Record<FindingStatus, NonEmpty<Weighted<string>>>> = {
  pending: [[1, 'none']],
  drafting: [
    [55, 'passing'],
    [38, 'running'],
    [7, 'failing'],
  ],
  escalated: [[1, 'failing']],
  resolved: [[1, 'passing']],
};

const unfinished: NonEmpty<Weighted<string>> = [
  [82, 'open'],
  [13, 'draft'],
  [5, 'merge queued'],
];

const abandoned: NonEmpty<string | null> = ['closed', 'cancelled', null];

const stateOf = ({ isLast, finding, findingPlace, random }: PullRequestPlace): string | null => {
  if (!isLast) return random.pick(['closed', 'cancelled']);
  if (finding.status === 'resolved') return 'merged';
  if (finding.status === 'escalated') return random.pick(abandoned);
  return findingPlace.index < walkedFindings ? 'open' : random.weighted(unfinished);
};

const triageStatus = ({ needsReview, hasOpenPr }: Triage): string =>
  needsReview ? 'needs_review' : hasOpenPr ? 'fix_open' : 'clear';

/**
 * Like an organisation of many teams: a few repositories have most findings, most findings are of medium
 * severity, and the pull requests of a finding are those that its status needs.
 */
export const realistic: Rules = {
  kind: ({ seed, tenant }, repo) =>
    repo < everyKind.length
      ? at(everyKind, repo)
      : randomFor(seed, tenant, 'repo', repo).weighted(kindWeights),
  weight: ({ findings }, repo, kind) => {
    const share = Math.ceil(10_000 / (repo + 1));
    if (kind === 'never' || (kind === 'healthy' && findings < fewFindings)) return 0;
    return kind === 'healthy' ? Math.ceil(share / 8) : share;
  },
  // The largest repository is one whose ecosystem has advisories of every severity.
  catalogue: (repo, random) => (repo === 0 ? catalogues[0][1] : random.weighted(catalogues)),
  severity,
  finding: (place) => {
    const { distinct, nth, catalogue, index, prCount, random } = place;
    const status = statusOf(place);
    const drawn = advisoryOf(catalogue, severity(index, random), random);
    const ciStatus = random.weighted(ciStatuses[status]);
    const advisory = distinct[nth] ?? drawn;
    if (prCount === 0) return { advisory, status, ciStatus: status === 'drafting' ? 'none' : ciStatus };
    return { advisory, status, ciStatus: firstValues(place, status)?.ciStatus ?? ciStatus };
  },
  pullRequest: (place) => {
    const { finding, findingPlace, isLast, random } = place;
    const chosen = {
      prState: stateOf(place),
      ciStatus: isLast ? finding.ciStatus : random.pick(['failing', 'passing', 'none']),
      hasCodemod: random.percent(22),
    };
    return (isLast ? firstValues(findingPlace, finding.status) : null) ?? chosen;
  },
  labels: (_, kind, triage) => {
    const status = kind === 'never' ? 'not_scanned' : kind === 'failed' ? 'blocked' : triageStatus(triage());
    const isClear = status === 'clear' && badges[kind] === 'attention';
    return { scanStatusBadge: isClear ? badges.healthy : badges[kind], status, isDemoRow: false };
  },
  quirks: noQuirks,
};
