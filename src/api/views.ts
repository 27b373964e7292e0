import type { Finding, FindingDetail } from '../contract/finding.js';
import type { Pr } from '../contract/pr.js';
import type { LastScan, Repo } from '../contract/repo.js';
import type {
  FixDraftDetails,
  FixDraftRecord,
  PullRequestDetails,
  RepoDetails,
  ScanRecord,
} from './row-records.js';

/** A finding as lists show it (contract, section 2.2): its fix draft, field by field. */
export const findingView = (draft: FixDraftRecord): Finding => draft;

/** A finding in full (contract, section 2.2): as in a list, with the number of its pull requests. */
export const findingDetailView = ({ draft, prCount }: FixDraftDetails): FindingDetail => ({
  ...draft,
  prCount,
});

/** A pull request (contract, section 2.3), under the id and with the package of its fix draft. */
export const prView = ({ pullRequest: { draftId, ...fields }, draft, repo }: PullRequestDetails): Pr => ({
  ...fields,
  id: draftId,
  repoId: draft.repoId,
  repo: { owner: repo.owner, repo: repo.repo },
  advisoryId: draft.advisoryId,
  package: draft.package,
});

/** A repository (contract, section 2.1); `lastScanRelative` says how long ago its last scan started. */
export const repoView = (
  { repo, lastScan, openPrCount, openFixDraftId, openAdvisoryCount }: RepoDetails,
  lastScanRelative: string,
): Repo => ({
  ...repo,
  lastScan: lastScan && lastScanView(lastScan),
  openPrCount,
  openAdvisoryCount,
  lastScanAt: lastScan?.startedAt ?? null,
  lastScanRelative,
  hasOpenFixPr: openPrCount > 0,
  openFixDraftId,
  ownerInitial: initialOf(repo.owner),
});

const lastScanView = ({ repoId, ...scan }: ScanRecord): LastScan => scan;

/** The first code point in upper case, whatever the locale of the machine; empty for an empty name. */
const initialOf = (owner: string): string => (Array.from(owner)[0] ?? '').toUpperCase();

const second = 1000;

const units = [
  { name: 'year', length: 365 * 24 * 3600 * second },
  { name: 'month', length: 30 * 24 * 3600 * second },
  { name: 'week', length: 7 * 24 * 3600 * second },
  { name: 'day', length: 24 * 3600 * second },
  { name: 'hour', length: 3600 * second },
  { name: 'minute', length: 60 * second },
];

/**
 * The time since a moment, as text: "just now" below a minute (and for a moment in the future, since clocks
 * differ), then whole minutes, hours, days, weeks, months of 30 days, years of 365. Both in milliseconds.
 */
export const relativeTime = (moment: number, now: number): string => {
  const passed = now - moment;
  const unit = units.find(({ length }) => passed >= length);
  if (unit === undefined) return 'just now';
  const count = Math.floor(passed / unit.length);
  return `${count} ${unit.name}${count === 1 ? '' : 's'} ago`;
};

/** Until when `relativeTime` gives the same text for this moment, as long as `now` does not go back. */
export const relativeTimeHoldsUntil = (moment: number, now: number): number => {
  const passed = now - moment;
  const index = units.findIndex(({ length }) => passed >= length);
  const unit = units[index];
  const longer = index === -1 ? units.at(-1) : units[index - 1];
  const nextCount = unit === undefined ? Infinity : (Math.floor(passed / unit.length) + 1) * unit.length;
  return moment + Math.min(nextCount, longer?.length ?? Infinity);
};
