import { join } from 'node:path';
import type * as E from 'fp-ts/lib/Either.js';
import { type Fixture, type FixtureProblems, readFixtureFile } from '../storage/fixtures/read-fixtures.js';
import { shippedFixtures } from './shipped-fixtures.js';

/** The demo tenant that comes with the package, read without the others, which are larger. */
export const shippedDemo = (): Promise<E.Either<FixtureProblems, Fixture>> =>
  readFixtureFile(join(shippedFixtures, 'demo.json'));
