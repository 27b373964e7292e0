import * as E from 'fp-ts/lib/Either.js';
import { shippedFixtures } from '../server/shipped-fixtures.js';
import { fixturesFromValues } from '../storage/fixtures/fixtures-from-values.js';
import { type Fixture, type FixtureProblems, readFixtures } from '../storage/fixtures/read-fixtures.js';
import type { TriageApiOptions } from './options.js';
import { pathOf } from './path-of.js';

/**
 * Loads fixtures: from a directory, from values, or by default those of the package. `left`: one line for
 * each problem.
 */
export const loadFixtures = async (
  fixtures: TriageApiOptions['fixtures'] = shippedFixtures,
): Promise<E.Either<FixtureProblems, readonly Fixture[]>> => {
  if (typeof fixtures !== 'string' && !(fixtures instanceof URL)) return fixturesFromValues(fixtures);
  const directory = pathOf('fixtures', fixtures);
  return E.isLeft(directory) ? directory : readFixtures(directory.right)();
};
