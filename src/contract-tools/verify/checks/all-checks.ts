import type { Check } from '../check.js';
import { combinationChecks } from './combination-checks.js';
import { agreementChecks, credentialChecks } from './credential-checks.js';
import { decisionChecks } from './decision-checks.js';
import { derivedValueChecks } from './derived-value-checks.js';
import { detailChecks } from './detail-checks.js';
import { envelopeChecks } from './envelope-checks.js';
import { falseCredentialChecks, parameterChecks } from './false-credential-checks.js';
import { findingFilterChecks } from './finding-filter-checks.js';
import { isolationChecks } from './isolation-checks.js';
import { pageSizeChecks } from './page-size-checks.js';
import { pagingChecks } from './paging-checks.js';
import { prChecks } from './pr-checks.js';
import { prCountChecks } from './pr-count-checks.js';
import { prStatusChecks } from './pr-status-checks.js';
import { repoChecks } from './repo-checks.js';
import { repoIdChecks } from './repo-id-checks.js';
import { repoTextChecks } from './repo-text-checks.js';
import { resourceChecks } from './resource-checks.js';
import { serviceChecks } from './service-checks.js';
import { shapeChecks } from './shape-checks.js';

/**
 * All checks, in this order: those that cost little and reveal the most come first. The checks that judge
 * every response of the run come last, after the requests of the decisions.
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
  ...combinationChecks,
  ...detailChecks,
  ...repoChecks,
  ...repoTextChecks,
  ...prChecks,
  ...credentialChecks,
  ...agreementChecks,
  ...falseCredentialChecks,
  ...parameterChecks,
  ...isolationChecks,
  ...derivedValueChecks,
  ...decisionChecks,
  ...envelopeChecks,
  ...serviceChecks,
];
