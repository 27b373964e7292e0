import { compareCodePoints } from '../common/sort-and-group.js';
import type { FixDraftRecord, PullRequestRecord, RepoDetails, ScanRecord } from './row-records.js';

type Compare<A> = (left: A, right: A) => number;

/** Latest first. Timestamps have a fixed length and ASCII characters, so they sort as text. */
const compareLatest = (left: string, right: string): number => (left < right ? 1 : left > right ? -1 : 0);

/** The order of findings: `discoveredAt` descending, then id ascending. */
export const compareFixDrafts: Compare<FixDraftRecord> = (l, r) =>
  compareLatest(l.discoveredAt, r.discoveredAt) || compareCodePoints(l.id, r.id);

/** The order of pull requests: `createdAt` descending, then the pull request's own id ascending. */
export const comparePullRequests: Compare<PullRequestRecord> = (l, r) =>
  compareLatest(l.createdAt, r.createdAt) || compareCodePoints(l.id, r.id);

/** Scans of one repository, the last scan first: `startedAt` descending, then id descending. */
export const compareScans: Compare<ScanRecord> = (l, r) =>
  compareLatest(l.startedAt, r.startedAt) || compareCodePoints(r.id, l.id);

/** Open pull requests, the first of which gives `openFixDraftId`: `updatedAt` descending, then id. */
export const compareOpenPullRequests: Compare<PullRequestRecord> = (l, r) =>
  compareLatest(l.updatedAt, r.updatedAt) || compareCodePoints(l.id, r.id);

/** Repositories (contract, section 4.1): the latest scanned first, never scanned last, then id ascending. */
export const compareRepos: Compare<RepoDetails> = (l, r) =>
  compareLatest(l.lastScan?.startedAt ?? '', r.lastScan?.startedAt ?? '') ||
  compareCodePoints(l.repo.id, r.repo.id);
