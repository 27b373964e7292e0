import type { Check } from '../check.js';
import { combinationChecks } from './combination-checks.js';
import {
  agreementChecks,
  credentialChecks,
  falseCredentialChecks,
  isolationChecks,
  parameterChecks,
} from './credential-checks.js';
import { findingFilterChecks, prCountChecks, prStatusChecks, repoIdChecks } from './filter-checks.js';
import { envelopeChecks, pageSizeChecks, pagingChecks } from './paging-checks.js';
import { derivedValueChecks, prChecks, repoChecks } from './relation-checks.js';
import { bodyChecks, detailChecks, fieldChecks } from './resource-checks.js';
import { decisionChecks, serviceChecks } from './service-checks.js';

/**
 * All checks, in this order: those that cost little and reveal the most come first. The checks that judge
 * every response of the run come last, after the requests of the decisions.
 */
export const allChecks: readonly Check[] = [
  ...bodyChecks,
  ...fieldChecks,
  ...pagingChecks,
  ...pageSizeChecks,
  ...repoIdChecks,
  ...findingFilterChecks,
  ...prStatusChecks,
  ...prCountChecks,
  ...combinationChecks,
  ...detailChecks,
  ...repoChecks,
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
