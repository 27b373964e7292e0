import { blockSize, countsBefore, prCounts } from './pr-share.js';
import { randomFor } from './random.js';
import type { RepoPlan } from './repo-plan.js';
import type { FindingChoices } from './rules/rules.js';
import type { TenantPlan } from './tenant-plan.js';

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

const minute = 60_000;

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
