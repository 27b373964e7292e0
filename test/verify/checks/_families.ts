import { allChecks } from '../../../src/verify/checks/all-checks.js';
import { failedChecks } from '../_judge.js';
import { type Mutant, mutated, type Real } from '../_mutation.js';
import { combinationMutants } from './mutants/_combination-mutants.js';
import { credentialMutants } from './mutants/_credential-mutants.js';
import { everydayMutants } from './mutants/_everyday-mutants.js';
import { falseCredentialMutants } from './mutants/_false-credential-mutants.js';
import { findingFilterMutants, prFilterMutants } from './mutants/_filter-mutants.js';
import { detailMutants, identityMutants } from './mutants/_identity-mutants.js';
import { isolationMutants } from './mutants/_isolation-mutants.js';
import { pagingMutants } from './mutants/_paging-mutants.js';
import { relationMutants } from './mutants/_relation-mutants.js';
import { serviceMutants } from './mutants/_service-mutants.js';
import { fieldMutants, shapeMutants } from './mutants/_shape-mutants.js';

/**
 * Servers with one mistake each, made from the correct one. Each must fail the checks that are listed with
 * it, which proves that these checks notice the mistake.
 */
export const families: Readonly<Record<string, readonly Mutant[]>> = {
  shape: shapeMutants,
  field: fieldMutants,
  paging: pagingMutants,
  'finding filter': findingFilterMutants,
  'pull request filter': prFilterMutants,
  combination: combinationMutants,
  detail: detailMutants,
  identity: identityMutants,
  relation: relationMutants,
  credential: credentialMutants,
  'false credential': falseCredentialMutants,
  isolation: isolationMutants,
  service: serviceMutants,
  everyday: everydayMutants,
};

/** The checks that do not notice a wrong server that is listed with them, as `name: id`. */
export const missedBy = async (real: Real, mutants: readonly Mutant[]): Promise<readonly string[]> => {
  const missed: string[] = [];
  for (const [name, mutation, ...fails] of mutants) {
    const send = mutated(real, mutation);
    // Those checks alone take a fraction of the time of all. A few judge what others have requested.
    const alone = await failedChecks(
      allChecks.filter(({ id }) => fails.includes(id)),
      send,
    );
    const failed = fails.every((id) => alone.includes(id)) ? alone : await failedChecks(allChecks, send);
    missed.push(...fails.filter((id) => !failed.includes(id)).map((id) => `${name}: ${id}`));
  }
  return missed;
};
