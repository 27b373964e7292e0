import type { Check } from '../check.js';
import { credentialChecks } from './credential-checks.js';
import { filterChecks } from './filter-checks.js';
import { combinationChecks, envelopeChecks, pagingChecks } from './paging-checks.js';
import { derivedValueChecks, relationChecks } from './relation-checks.js';
import { detailChecks, resourceChecks } from './resource-checks.js';
import { decisionChecks, serviceChecks } from './service-checks.js';

/**
 * All checks, in this order: those that cost little and reveal the most come first. The checks that judge
 * every response of the run come last, after the requests of the decisions.
 */
export const allChecks: readonly Check[] = [
  ...resourceChecks,
  ...pagingChecks,
  ...filterChecks,
  ...combinationChecks,
  ...detailChecks,
  ...relationChecks,
  ...credentialChecks,
  ...derivedValueChecks,
  ...decisionChecks,
  ...envelopeChecks,
  ...serviceChecks,
];

/** Those that the contract requires. */
export const requiredChecks = allChecks.filter(({ level }) => level === 'must');

/** The check of this id, or those whose ids begin with it and a dot. */
export const checksNamed = (id: string): readonly Check[] =>
  allChecks.filter((check) => `${check.id}.`.startsWith(`${id}.`));
