import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { shippedFixtures } from '../server/shipped-fixtures.js';
import { fixturesFromValues } from '../storage/fixtures/fixtures-from-values.js';
import { type Fixture, type FixtureProblems, readFixtures } from '../storage/fixtures/read-fixtures.js';
import type { TriageApiOptions } from './options.js';

/**
 * Loads fixtures: from a directory, from values, or by default those of the package. `left`: one line for
 * each problem.
 */
export const loadFixtures = async (
  fixtures: TriageApiOptions['fixtures'] = shippedFixtures,
): Promise<E.Either<FixtureProblems, readonly Fixture[]>> => {
  if (typeof fixtures === 'string') return readFixtures(fixtures)();
  if (!(fixtures instanceof URL)) return fixturesFromValues(fixtures);
  return fixtures.protocol === 'file:'
    ? readFixtures(fileURLToPath(fixtures))()
    : E.left([`fixtures: expected a file: URL, got "${fixtures.protocol}"`]);
};
