import { compareCodePoints } from '../common/compare-code-points.js';
import type { RepoDetails } from './details.js';
import type { FixDraftRecord } from './fix-draft.js';
import type { PullRequestRecord } from './pull-request.js';
import type { ScanRecord } from './scan.js';

type Order<A> = (left: A, right: A) => number;

/** Timestamps are of one length and of ASCII digits, so their order as text is their order in time. */
const latest = (left: string, right: string): number => (left < right ? 1 : left > right ? -1 : 0);

/** Findings: `discoveredAt` descending, then id ascending. */
export const byDiscovery: Order<FixDraftRecord> = (l, r) =>
  latest(l.discoveredAt, r.discoveredAt) || compareCodePoints(l.id, r.id);

/** Pull requests: `createdAt` descending, then the pull request's own id ascending. */
export const byCreation: Order<PullRequestRecord> = (l, r) =>
  latest(l.createdAt, r.createdAt) || compareCodePoints(l.id, r.id);

/** Scans of one repository: the first is its last scan. `startedAt` descending, then id descending. */
export const byStart: Order<ScanRecord> = (l, r) =>
  latest(l.startedAt, r.startedAt) || compareCodePoints(r.id, l.id);

/** Open pull requests of one repository: the first names the open fix. `updatedAt` descending, then id ascending. */
export const byUpdate: Order<PullRequestRecord> = (l, r) =>
  latest(l.updatedAt, r.updatedAt) || compareCodePoints(l.id, r.id);

/** Repositories: the most recent scan first (contract, section 4.1), never scanned last, ties by id ascending. */
export const byLastScan: Order<RepoDetails> = (l, r) =>
  latest(l.lastScan?.startedAt ?? '', r.lastScan?.startedAt ?? '') || compareCodePoints(l.repo.id, r.repo.id);
