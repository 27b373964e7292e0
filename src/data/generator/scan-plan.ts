import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import { type NonEmpty, randomFor } from './random.js';
import type { RepoKind } from './repo-kind.js';
import type { TenantSpec } from './tenant-spec.js';

/** A scan of a repository, before its findings are counted. Times are in milliseconds since the epoch. */
export type PlannedScan = Readonly<{
  startedAt: number;
  finishedAt: number;
  status: 'completed' | 'failed' | 'partial' | 'running';
  error: string | null;
}>;

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const day = 24 * hour;

const failures: NonEmpty<string> = [
  'Clone failed: the access of the service to the repository was withdrawn.',
  'The scan ran out of time after 600 s while resolving dependencies.',
  'The lock file package-lock.json could not be parsed: unexpected end of input at line 48213.',
  'The registry answered 503 five times; the scan was given up.',
];

const omission = '2 of 3 manifests read; apps/legacy/bower.json has a format that is not supported.';

/** The scans of a repository, the last one first. The first one of all has always completed. */
export const planScans = (spec: TenantSpec, repo: number, kind: RepoKind): readonly PlannedScan[] => {
  if (kind === 'never') return [];
  const { distribution, seed, tenant } = spec;
  const random = randomFor(seed, tenant, 'scan', repo);
  const count = distribution === 'realistic' ? 3 + random.below(6) : 2;
  const interval = random.pick([day, 2 * day, 7 * day, 7 * day]);
  const asOf = millisecondsOf(spec.asOf);
  const running = kind === 'scanning';
  const last =
    asOf - (running ? 2 * minute + random.below(2 * minute) : 5 * minute + random.below(20 * hour));
  return Array.from({ length: count }, (_, age): PlannedScan => {
    const startedAt = age === 0 ? last : last - age * interval - random.below(hour);
    const duration = 20 * second + random.below(3 * minute);
    const hasFailed = age === 0 ? kind === 'failed' : age < count - 1 && random.percent(6);
    const failure = random.pick(failures);
    if (age === 0 && running)
      // A scan has to have an end, and that of one that runs is not in the past.
      return { startedAt, finishedAt: asOf + 30 * minute, status: 'running', error: null };
    const finishedAt = startedAt + duration;
    if (hasFailed) return { startedAt, finishedAt, status: 'failed', error: failure };
    return age === 0 && kind === 'partial'
      ? { startedAt, finishedAt, status: 'partial', error: omission }
      : { startedAt, finishedAt, status: 'completed', error: null };
  });
};
