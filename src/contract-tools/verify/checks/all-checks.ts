import type { Check } from '../check.js';
import { combinationChecks } from './combination-checks.js';
import {
  agreementChecks,
  credentialChecks,
  falseCredentialChecks,
  parameterChecks,
} from './credential-checks.js';
import { decisionChecks } from './decision-checks.js';
import { detailChecks } from './detail-checks.js';
import { findingFilterChecks, repoIdChecks } from './filter-checks.js';
import { isolationChecks } from './isolation-checks.js';
import { envelopeChecks, pageSizeChecks, pagingChecks } from './paging-checks.js';
import { prChecks, prCountChecks, prStatusChecks } from './pr-checks.js';
import { derivedValueChecks, repoChecks, repoTextChecks } from './repo-checks.js';
import { serviceChecks } from './service-checks.js';
import { resourceChecks, shapeChecks } from './shape-checks.js';

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
