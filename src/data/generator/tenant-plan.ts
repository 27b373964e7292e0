import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import type { Distribution } from './distribution.js';
import { type TenantNames, tenantNames } from './names.js';
import { randomFor } from './random.js';
import { edge } from './rules/edge.js';
import { realistic } from './rules/realistic.js';
import type { Rules } from './rules/rules.js';
import { uniform } from './rules/uniform.js';
import { startsByWeight } from './share-out.js';
import type { TenantSpec } from './tenant-spec.js';

/** What is known of a tenant before its rows are generated: a few bytes for each repository. */
export type TenantPlan = Readonly<{
  spec: TenantSpec;
  rules: Rules;
  names: TenantNames;
  /** `asOf` in milliseconds since the epoch. */
  asOf: number;
  /** The index of the first finding of each repository, and at the end the number of findings. */
  starts: readonly number[];
}>;

const rulesOf: Readonly<Record<Distribution, Rules>> = { realistic, uniform, edge };

export const planTenant = (spec: TenantSpec): TenantPlan => {
  const rules = rulesOf[spec.distribution];
  const weights = Array.from({ length: spec.repos }, (_, repo) =>
    rules.weight(spec, repo, rules.kind(spec, repo)),
  );
  return {
    spec,
    rules,
    asOf: millisecondsOf(spec.asOf),
    names: tenantNames(randomFor(spec.seed, spec.tenant, 'tenant')),
    starts: startsByWeight(spec.findings, weights),
  };
};
