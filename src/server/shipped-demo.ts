import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { formatFileProblem } from '../storage/fixtures/file-problem.js';
import type { Fixture, FixtureProblems } from '../storage/fixtures/read-directory.js';
import { readFixtureFile } from '../storage/fixtures/read-file.js';
import { shippedFixtures } from './shipped-fixtures.js';

/** The demo tenant that comes with the package, read without the others, which are larger. */
export const shippedDemo = async (): Promise<E.Either<FixtureProblems, Fixture>> => {
  const { name, file, dataset } = await readFixtureFile(join(shippedFixtures, 'demo.json'));
  return E.isLeft(dataset)
    ? E.left(dataset.left.map(formatFileProblem))
    : E.right({ name, file, dataset: dataset.right });
};
