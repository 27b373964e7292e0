import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import type { Dataset } from '../records/dataset.js';
import { extendedNames, fixturesFromValues } from '../storage/fixtures/fixtures-from-values.js';
import { shippedNames } from '../storage/fixtures/read-content.js';
import {
  type Fixture,
  type FixtureProblems,
  readFixtureFile,
  readFixtures,
} from '../storage/fixtures/read-fixtures.js';
import { shippedFixtures } from '../storage/fixtures/shipped-fixtures.js';
import type { TriageApiOptions } from './options.js';
import { pathOf } from './path-of.js';

/**
 * Loads fixtures: from a directory, from values, or by default those of the package. `left`: one line for
 * each problem.
 */
export const loadFixtures = async (
  fixtures: TriageApiOptions['fixtures'] = shippedFixtures,
): Promise<E.Either<FixtureProblems, readonly Fixture[]>> => {
  if (typeof fixtures !== 'string' && !(fixtures instanceof URL)) {
    const shipped = await shippedDatasets(extendedNames(fixtures));
    return E.isLeft(shipped) ? shipped : fixturesFromValues(fixtures, shipped.right);
  }
  const directory = pathOf('fixtures', fixtures);
  return E.isLeft(directory) ? directory : readFixtures(directory.right)();
};

/** The shipped fixtures with these names; all of them if one is unknown, so that a message can name them. */
const shippedDatasets = async (
  names: readonly string[],
): Promise<E.Either<FixtureProblems, ReadonlyMap<string, Dataset>>> => {
  if (names.length === 0) return E.right(new Map());
  const all = await shippedNames();
  const datasets = new Map<string, Dataset>();
  for (const name of names.every((each) => all.includes(each)) ? names : all) {
    const fixture = await readFixtureFile(join(shippedFixtures, `${name}.json`));
    if (E.isLeft(fixture)) return fixture;
    datasets.set(name, fixture.right.dataset);
  }
  return E.right(datasets);
};
