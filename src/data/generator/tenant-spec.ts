import type { Timestamp } from '../../contract/codecs/timestamp.js';
import type { Distribution } from './distribution.js';

/** What to generate. The same specification generates the same tenant, byte for byte, on every platform. */
export type TenantSpec = Readonly<{
  distribution: Distribution;
  /** A whole number from 0 to 4294967295. */
  seed: number;
  /** The number of the tenant among those of the same seed, from 1. */
  tenant: number;
  repos: number;
  findings: number;
  prs: number;
  /** When the data is up to date. */
  asOf: Timestamp;
}>;

/** Why no tenant has these sizes; null if one can. */
export const sizeProblem = ({
  repos,
  findings,
  prs,
}: Pick<TenantSpec, 'repos' | 'findings' | 'prs'>): string | null => {
  if (findings > 0 && repos === 0) return 'findings need a repository';
  return prs > 0 && findings === 0 ? 'pull requests need a finding' : null;
};
