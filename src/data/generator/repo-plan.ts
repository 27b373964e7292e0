import type { Advisory } from '../advisories/advisories.js';
import type { Catalogue } from './catalogue.js';
import { rowId } from './ids.js';
import { repoName } from './names.js';
import { randomFor } from './random.js';
import type { RepoKind } from './repo-kind.js';
import { type PlannedScan, planScans } from './scan-plan.js';
import type { TenantPlan } from './tenant-plan.js';

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
