import type { FindingStatus, Severity } from '../../contract/enums.js';
import { advisoryOf, catalogues } from '../catalogue.js';
import { blockSize } from '../pr-share.js';
import { at, type NonEmpty, type Random, randomFor, type Weighted } from '../random.js';
import { badges, everyKind, kindWeights } from '../repo-kind.js';
import { type FindingPlace, noQuirks, type PullRequestPlace, type Rules, type Triage } from './rules.js';

const severities: NonEmpty<Weighted<Severity>> = [
  [54, 'medium'],
  [28, 'high'],
  [11, 'low'],
  [7, 'critical'],
];

/** Below this number of findings per tenant, healthy repositories have none, so that every status occurs. */
const fewFindings = 200;

/**
 * The first block of a tenant walks through all values, so that small tenants have them, too; after that,
 * chance decides.
 */
const first: Readonly<Record<'withPr' | 'withoutPr', NonEmpty<FindingStatus>>> = {
  withPr: ['drafting', 'resolved', 'escalated', 'escalated', 'escalated'],
  withoutPr: ['pending', 'escalated', 'pending', 'resolved'],
};
const firstSeverities: NonEmpty<Severity> = ['medium', 'high', 'critical', 'low', 'medium', 'medium', 'high'];
const abandoned: NonEmpty<string | null> = ['closed', 'cancelled', null];

const severity = (index: number, random: Random): Severity =>
  index < blockSize ? at(firstSeverities, index) : random.weighted(severities);

const statusOf = ({ index, alike, prCount, kind, random }: FindingPlace): FindingStatus => {
  const chance = random.below(100);
  if (kind === 'healthy') return 'resolved';
  if (kind === 'tended') return chance < (prCount > 0 ? 60 : 20) ? 'drafting' : 'resolved';
  if (index < blockSize) return at(prCount > 0 ? first.withPr : first.withoutPr, alike);
  if (prCount === 0) return chance < 78 ? 'pending' : chance < 90 ? 'resolved' : 'escalated';
  return chance < 38 ? 'drafting' : chance < 86 ? 'resolved' : 'escalated';
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

const stateOf = ({ isLast, finding, findingPlace, random }: PullRequestPlace): string | null => {
  const isFirst = findingPlace.index < blockSize;
  if (!isLast) return random.pick(['closed', 'cancelled']);
  if (finding.status === 'resolved') return 'merged';
  if (finding.status === 'drafting') return isFirst ? 'open' : random.weighted(unfinished);
  return isFirst ? at(abandoned, findingPlace.alike) : random.pick(abandoned);
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
    const { distinct, nth, catalogue, index, random } = place;
    const status = statusOf(place);
    const drawn = advisoryOf(catalogue, severity(index, random), random);
    const ciStatus =
      status === 'drafting' && place.prCount === 0 ? 'none' : random.weighted(ciStatuses[status]);
    return { advisory: distinct[nth] ?? drawn, status, ciStatus };
  },
  pullRequest: (place) => {
    const { finding, isLast, random } = place;
    const prState = stateOf(place);
    const hasCodemod = random.percent(22);
    const ciStatus = isLast ? finding.ciStatus : random.pick(['failing', 'passing', 'none']);
    return { prState, hasCodemod, ciStatus };
  },
  labels: (_, kind, triage) => {
    const status = kind === 'never' ? 'not_scanned' : kind === 'failed' ? 'blocked' : triageStatus(triage());
    const isClear = status === 'clear' && badges[kind] === 'attention';
    return { scanStatusBadge: isClear ? badges.healthy : badges[kind], status, isDemoRow: false };
  },
  quirks: noQuirks,
};
