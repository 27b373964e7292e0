import type { Check } from '../check.js';
import { agreementChecks } from './agreement-checks.js';
import { credentialChecks } from './credential-checks.js';
import { decisionChecks } from './decision-checks.js';
import { derivedValueChecks } from './derived-value-checks.js';
import { detailChecks } from './detail-checks.js';
import { envelopeChecks } from './envelope-checks.js';
import { findingFilterChecks } from './finding-filter-checks.js';
import { isolationChecks } from './isolation-checks.js';
import { pageSizeChecks } from './page-size-checks.js';
import { pagingChecks } from './paging-checks.js';
import { prChecks } from './pr-checks.js';
import { prCountChecks } from './pr-count-checks.js';
import { prStatusChecks } from './pr-status-checks.js';
import { repoChecks } from './repo-checks.js';
import { repoIdChecks } from './repo-id-checks.js';
import { resourceChecks } from './resource-checks.js';
import { serviceChecks } from './service-checks.js';
import { shapeChecks } from './shape-checks.js';

/**
 * All that is checked, in this order: what is cheap and tells the most comes first; what looks at every answer of the run comes
 * last, and the requests of decisions before it.
 */
export const allChecks: readonly Check[] = [
  ...shapeChecks,
  ...resourceChecks,
  ...pagingChecks,
  ...pageSizeChecks,
  ...repoIdChecks,
  ...findingFilterChecks,
  ...prStatusChecks,
  ...prCountChecks,
  ...detailChecks,
  ...repoChecks,
  ...prChecks,
  ...credentialChecks,
  ...agreementChecks,
  ...isolationChecks,
  ...derivedValueChecks,
  ...decisionChecks,
  ...envelopeChecks,
  ...serviceChecks,
];
