import { millisecondsOf, type Timestamp, timestampAt } from '../codecs/timestamp.js';
import type { ScanRecord } from '../records/scan.js';
import { earliest, hour, latest, millisecondsOrNone, minute, orAt } from './dates.js';
import { chanceOf, digest, integerBetween } from './digest.js';
import type { RepoHistory } from './repo-history.js';
import type { SparseScan } from './sparse-codecs.js';

/** A scan with its ids, as the author has written it. */
export type LinkedScan = Readonly<{ id: string; repoId: string; row: SparseScan }>;

/** A scan with everything that its author has left out. */
export const completeScan = (
  { id, repoId, row }: LinkedScan,
  history: RepoHistory,
  asOf: Timestamp,
): ScanRecord => {
  const chance = chanceOf(id);
  const now = millisecondsOf(asOf);
  const status = row.status ?? (typeof row.error === 'string' ? 'failed' : 'completed');
  const duration = integerBetween(20, 150, chance('duration')) * 1000;
  const startedAt = orAt(row.startedAt, () => {
    if (row.finishedAt !== undefined) return millisecondsOf(row.finishedAt) - duration;
    if (status === 'running') return now - Math.floor(duration / 2);
    // Less than a day ago, so that it has seen every finding whose date is made.
    return now - hour - duration - Math.floor(chance('age') * 21 * hour);
  });
  const started = millisecondsOf(startedAt);
  const finishedAt = orAt(row.finishedAt, () => {
    const end = started + duration;
    // The API needs a time for a running scan, too: that at which it will have finished.
    return status === 'running' ? end : Math.max(started, Math.min(end, now));
  });
  const { seen, drafting } =
    status === 'failed' ? nothing : history(Math.min(millisecondsOf(finishedAt), Math.max(now, started)));
  return {
    id,
    repoId,
    startedAt,
    finishedAt,
    status,
    findingsSeen: row.findingsSeen ?? seen,
    draftsOpened: row.draftsOpened ?? drafting,
    error: row.error !== undefined ? row.error : status === 'failed' ? failure : null,
  };
};

const nothing = { seen: 0, drafting: 0 };

const failure = 'The lock file could not be parsed: unexpected end of input.';

/** A scan that leaves no doubt that a repository was scanned: neither running nor failed. */
export const isFinished = ({ status }: Pick<ScanRecord, 'status'>): boolean =>
  status !== 'running' && status !== 'failed';

/**
 * The scan of a repository that has no finished one. It sees all findings, unless there are other scans: then
 * it is older, so that the last scan stays the one that the author has written.
 */
export const madeScan = (
  repoId: string,
  others: readonly ScanRecord[],
  history: RepoHistory,
  { asOf, lastDiscovery }: Readonly<{ asOf: Timestamp; lastDiscovery: number }>,
): ScanRecord => {
  const id = `scan_${digest(repoId)}`;
  const chance = chanceOf(id);
  const now = millisecondsOf(asOf);
  const duration = integerBetween(20, 150, chance('duration')) * 1000;
  const usual = now - integerBetween(5 * minute, 20 * hour, chance('age'));
  const bound = earliest(others.flatMap(({ startedAt }) => millisecondsOrNone(startedAt))) - hour;
  const end = Math.min(now, latest([usual, lastDiscovery]), bound);
  const { seen, drafting } = history(end);
  return {
    id,
    repoId,
    startedAt: timestampAt(end - duration),
    finishedAt: timestampAt(end),
    status: 'completed',
    findingsSeen: seen,
    draftsOpened: drafting,
    error: null,
  };
};

/** A scan that failed after another one. It has seen nothing. */
export const madeFailure = ({ repoId, finishedAt }: ScanRecord, asOf: Timestamp): ScanRecord => {
  const id = `scan_${digest(`failed ${repoId}`)}`;
  const chance = chanceOf(id);
  const [before, now] = [millisecondsOf(finishedAt), millisecondsOf(asOf)];
  const started = before + Math.floor((0.2 + 0.6 * chance('age')) * (now - before));
  return {
    id,
    repoId,
    startedAt: timestampAt(started),
    finishedAt: timestampAt(Math.min(now, started + integerBetween(5, 20, chance('duration')) * 1000)),
    status: 'failed',
    findingsSeen: 0,
    draftsOpened: 0,
    error: failure,
  };
};
