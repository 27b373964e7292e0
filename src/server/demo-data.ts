import { join } from 'node:path';
import type * as E from '#fp-ts/Either';
import type { DemoTemplate } from '../accounts/demo-rows.js';
import { type Fixture, type FixtureProblems, readFixtureFile } from '../storage/fixtures/read-fixtures.js';
import { shiftRows } from '../storage/fixtures/shift-rows.js';
import { shippedFixtures } from './shipped-fixtures.js';

/** The demo fixture of the package. The other, larger ones are not read. */
export const readShippedDemo = (): Promise<E.Either<FixtureProblems, Fixture>> =>
  readFixtureFile(join(shippedFixtures, 'demo.json'));

/** The rows of the demo fixture, with dates relative to a moment in milliseconds. */
export const demoTemplate = ({ dataset }: Fixture): ((now: number) => DemoTemplate) => {
  const { asOf, repos, scans, fixDrafts, pullRequests } = dataset;
  const rows = { repos, scans, fixDrafts, pullRequests };
  return (now) => (asOf === undefined ? rows : shiftRows(rows, asOf, now));
};
