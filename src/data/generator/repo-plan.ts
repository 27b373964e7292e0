import { maxIdentifierLength } from '../../contract/codecs/text-and-numbers.js';
import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import type { Advisory } from '../advisories/advisories.js';
import { at, type NonEmpty, randomFor } from './random.js';
import type { Catalogue, FindingChoices, RepoKind } from './rules/rules.js';
import { blockSize, countsBefore, prCounts } from './shares.js';
import { repoName, type TenantPlan, type TenantSpec } from './tenant-plan.js';

type Collection = 'repo' | 'scan' | 'fix' | 'pr';

/** The id of a row, such as `fix_0001`. `index` counts from 0. */
export const rowId = ({ distribution }: TenantSpec, collection: Collection, index: number): string => {
  const number = String(index + 1).padStart(4, '0');
  return distribution === 'edge' ? at(oddForms, index)(collection, number) : `${collection}_${number}`;
};

/** Ids that a client has to encode in a path and escape in a page. Each ends in the number of the row. */
const oddForms: NonEmpty<(collection: Collection, number: string) => string> = [
  (collection, number) => `${collection}_${number}`,
  (collection, number) => `${collection}/${number}`,
  (collection, number) => `${collection} ${number}`,
  (collection, number) => `${collection}%2F${number}`,
  (collection, number) => `${collection}?a=1&b=2#${number}`,
  (collection, number) => `${collection}-é-日本語-عربي-👩‍💻-${number}`,
  (collection, number) => `"<b>${collection}</b>'\\${number}`,
  (collection, number) => number.padStart(maxIdentifierLength, `${collection}-`),
];

/** A scan of a repository, before its findings are counted. Times are in milliseconds since the epoch. */
type PlannedScan = Readonly<{
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
const planScans = (spec: TenantSpec, repo: number, kind: RepoKind): readonly PlannedScan[] => {
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

/** What is known of a repository before its findings are generated. */
export type RepoPlan = Readonly<{
  index: number;
  id: string;
  owner: string;
  name: string;
  kind: RepoKind;
  /** The indexes of its first finding, and of the one after its last. */
  first: number;
  end: number;
  scans: readonly PlannedScan[];
  /** The indexes of the scans that could find something, and so the newest and the oldest of them. */
  finders: readonly number[];
  catalogue: Catalogue;
  /** The advisories of its first findings, none of them twice. */
  distinct: readonly Advisory[];
}>;

/** Plans one repository of a tenant. */
export const planRepo = (plan: TenantPlan, index: number): RepoPlan => {
  const { spec, rules, names, starts } = plan;
  const random = randomFor(spec.seed, spec.tenant, 'repo', index);
  const kind = rules.kind(spec, index);
  const scans = planScans(spec, index, kind);
  const catalogue = rules.catalogue(index, random);
  const [first = 0, end = 0] = [starts[index], starts[index + 1]];
  return {
    index,
    id: rowId(spec, 'repo', index),
    owner: index % 7 === 6 ? `${names.organisation}-labs` : names.organisation,
    name: repoName(names, index),
    kind,
    first,
    end,
    scans,
    finders: Array.from(scans.keys()).filter((scan) => {
      const status = scans[scan]?.status;
      return status === 'completed' || status === 'partial';
    }),
    catalogue,
    distinct: distinctAdvisories(plan, catalogue, first, end),
  };
};

/** More than this would leave no choice of a severity that few advisories have. */
const maxDistinct = 24;

const distinctAdvisories = (
  { spec, rules }: TenantPlan,
  { all, bySeverity }: Catalogue,
  first: number,
  end: number,
): readonly Advisory[] => {
  const random = randomFor(spec.seed, spec.tenant, 'advisories', first);
  const chosen = new Set<Advisory>();
  for (let index = first; index < Math.min(end, first + maxDistinct); index += 1) {
    const isFree = (advisory: Advisory): boolean => !chosen.has(advisory);
    const wanted = (bySeverity.get(rules.severity(index, random)) ?? all).filter(isFree);
    const free = wanted.length > 0 ? wanted : all.filter(isFree);
    const advisory = free[random.below(free.length)];
    if (advisory === undefined) break;
    chosen.add(advisory);
  }
  return Array.from(chosen);
};

/** What happened to a finding, in numbers. Its row, its pull requests and the counts of scans follow. */
export type Story = FindingChoices &
  Readonly<{
    /** The index among the findings of the tenant. */
    index: number;
    alike: number;
    prCount: number;
    /** The index of the scan of its repository that discovered it. */
    scan: number;
    discoveredAt: number;
    updatedAt: number;
    reconciledAt: number | null;
    /** From 0 to 1, with two decimals. */
    reachability: number;
    exploitSignal: number;
  }>;

/** The stories of a repository in order. `isWanted` tells by the number of pull requests which ones. */
export function* storiesOf(
  plan: TenantPlan,
  repo: RepoPlan,
  isWanted: (prCount: number) => boolean = () => true,
): Iterable<Story> {
  let counts: readonly number[] = [];
  let before = countsBefore(plan.spec, 0);
  for (let index = repo.first; index < repo.end; index += 1) {
    const inBlock = index % blockSize;
    if (inBlock === 0 || index === repo.first) {
      const block = Math.floor(index / blockSize);
      counts = prCounts(plan.spec, block);
      before = countsBefore(plan.spec, block);
    }
    const prCount = counts[inBlock] ?? 0;
    if (!isWanted(prCount)) continue;
    const alike = counts.slice(0, inBlock).filter((count) => count > 0 === prCount > 0).length;
    yield storyOf(plan, repo, index, alike + (prCount > 0 ? before.some : before.none), prCount);
  }
}

/** Objects are written out, because spreading others into them would take most of the time. */
const storyOf = (
  { spec, rules, asOf }: TenantPlan,
  { first, kind, catalogue, distinct, scans, finders }: RepoPlan,
  index: number,
  alike: number,
  prCount: number,
): Story => {
  const random = randomFor(spec.seed, spec.tenant, 'finding', index);
  const nth = index - first;
  const choices = rules.finding({ spec, index, nth, alike, prCount, kind, catalogue, distinct, random });
  // The first scan found half of them; each later one found what was new.
  const oldest = finders.at(-1) ?? 0;
  const scan = random.percent(50) ? oldest : (finders[random.below(finders.length)] ?? oldest);
  const { startedAt = 0, finishedAt = 0 } = scans[scan] ?? {};
  const discoveredAt = startedAt + random.below(finishedAt - startedAt);
  const updatedAt = discoveredAt + random.below(asOf - discoveredAt);
  const isDone = choices.status === 'resolved';
  const reconciledAt = updatedAt + random.below(9 * minute);
  return {
    index,
    alike,
    prCount,
    advisory: choices.advisory,
    status: choices.status,
    ciStatus: choices.ciStatus,
    scan,
    discoveredAt,
    updatedAt,
    reconciledAt: isDone ? Math.min(reconciledAt, asOf) : null,
    reachability: random.below(101) / 100,
    exploitSignal: scoreBelow(random.below(101), random.below(101)),
  };
};

/** Most findings have weak signs of exploitation: the product of two scores from 0 to 100, from 0 to 1. */
const scoreBelow = (left: number, right: number): number => Math.round((left * right) / 100) / 100;
