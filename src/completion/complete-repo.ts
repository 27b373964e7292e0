import type { FixDraftRecord } from '../records/fix-draft.js';
import type { RepoRecord } from '../records/repo.js';
import { compareScans } from '../records/row-order.js';
import type { ScanRecord } from '../records/scan.js';
import type { LinkedRepo } from './link-repos.js';
import type { SparseRepo } from './sparse-codecs.js';

/** Whether the author says that a repository was never scanned, so that no scan is made up for it. */
export const isNeverScanned = (row: SparseRepo | undefined): boolean =>
  row?.scanStatusBadge === neverScanned.scanStatusBadge || row?.status === neverScanned.status;

/** Whether the author says that the last scan of a repository failed. */
export const isFailing = (row: SparseRepo | undefined): boolean =>
  row?.scanStatusBadge === failing.scanStatusBadge ||
  (row?.scanStatusBadge === undefined && row?.status === failing.status);

const neverScanned = { scanStatusBadge: 'never_scanned', status: 'not_scanned' };
const failing = { scanStatusBadge: 'failed', status: 'blocked' };

/** Pairs that belong together, whatever the scans and findings are. */
const pairs: readonly State[] = [
  neverScanned,
  failing,
  { scanStatusBadge: 'attention', status: 'needs_review' },
  { scanStatusBadge: 'healthy', status: 'clear' },
];

/** A repository with everything that its author has left out. `row` is undefined if it has no row. */
export const completeRepo = (
  { id, owner, repo }: LinkedRepo,
  row: SparseRepo | undefined,
  scans: readonly ScanRecord[],
  findings: readonly FixDraftRecord[],
): RepoRecord => {
  const state = stateOf(scans, findings);
  const { scanStatusBadge, status } = row ?? {};
  const fitting = pairs.find((pair) =>
    scanStatusBadge === undefined ? pair.status === status : pair.scanStatusBadge === scanStatusBadge,
  );
  return {
    id,
    owner,
    repo,
    defaultBranch: row?.defaultBranch ?? 'main',
    isDemoRow: row?.isDemoRow ?? false,
    scanStatusBadge: scanStatusBadge ?? (fitting ?? state).scanStatusBadge,
    status: status ?? (fitting ?? state).status,
  };
};

type State = Pick<RepoRecord, 'scanStatusBadge' | 'status'>;

const stateOf = (scans: readonly ScanRecord[], findings: readonly FixDraftRecord[]): State => {
  const last = scans.reduce<ScanRecord | undefined>(
    (found, scan) => (found === undefined || compareScans(scan, found) < 0 ? scan : found),
    undefined,
  );
  if (last === undefined) return neverScanned;
  const unresolved = findings.filter(({ status }) => status !== 'resolved');
  const needsReview = unresolved.some(({ status }) => status !== 'drafting');
  const status = needsReview ? 'needs_review' : unresolved.length > 0 ? 'fix_open' : 'clear';
  if (last.status === 'failed') return failing;
  if (last.status === 'running') return { scanStatusBadge: 'scanning', status };
  if (last.status === 'partial') return { scanStatusBadge: 'partial', status };
  return { scanStatusBadge: needsReview ? 'attention' : 'healthy', status };
};
