import type { LastScan, Repo } from '../contract/repo.js';
import type { RepoDetails } from '../records/details.js';
import type { ScanRecord } from '../records/scan.js';

/**
 * A repository as the contract shows it (section 2.1), in the contract's order; `lastScanRelative` says how long ago its
 * last scan began.
 */
export const repoView = (facts: RepoDetails, lastScanRelative: string): Repo => {
  const { repo, lastScan, openPrCount, openFixDraftId, openAdvisoryCount } = facts;
  return {
    id: repo.id,
    owner: repo.owner,
    repo: repo.repo,
    defaultBranch: repo.defaultBranch,
    isDemoRow: repo.isDemoRow,
    lastScan: lastScan && lastScanView(lastScan),
    scanStatusBadge: repo.scanStatusBadge,
    openPrCount,
    status: repo.status,
    openAdvisoryCount,
    lastScanAt: lastScan?.startedAt ?? null,
    lastScanRelative,
    hasOpenFixPr: openPrCount > 0,
    openFixDraftId,
    ownerInitial: initialOf(repo.owner),
  };
};

const lastScanView = (scan: ScanRecord): LastScan => ({
  id: scan.id,
  startedAt: scan.startedAt,
  finishedAt: scan.finishedAt,
  status: scan.status,
  findingsSeen: scan.findingsSeen,
  draftsOpened: scan.draftsOpened,
  error: scan.error,
});

/** The first letter (code point), in upper case whatever the language of the machine; empty for an empty name. */
const initialOf = (owner: string): string => (Array.from(owner)[0] ?? '').toUpperCase();
