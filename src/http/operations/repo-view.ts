import type { LastScan, Repo } from '../../contract/repo.js';
import type { RepoDetails, ScanRecord } from '../../records/row-records.js';

/**
 * A repository as the contract shows it (section 2.1); `lastScanRelative` says how long ago its last scan
 * started.
 */
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

/**
 * The first letter (code point) in upper case, whatever the locale of the machine; empty for an empty name.
 */
const initialOf = (owner: string): string => (Array.from(owner)[0] ?? '').toUpperCase();
