import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { DemoTemplate } from '../accounts/demo-rows.js';
import { formatFileProblem } from '../storage/fixtures/file-problem.js';
import { freshenRows } from '../storage/fixtures/freshen.js';
import type { Fixture, FixtureProblems } from '../storage/fixtures/read-directory.js';
import { readFixtureFile } from '../storage/fixtures/read-file.js';
import { shippedFixtures } from './shipped-fixtures.js';

/** Whether new accounts start with the rows of this fixture: the one in `demo.json`. */
export const isDemoFixture = ({ name }: Fixture): boolean => name === 'demo';

/** The demo fixture of the package. The other, larger ones are not read. */
export const readShippedDemo = async (): Promise<E.Either<FixtureProblems, Fixture>> => {
  const { name, file, dataset } = await readFixtureFile(join(shippedFixtures, 'demo.json'));
  return E.isLeft(dataset)
    ? E.left(dataset.left.map(formatFileProblem))
    : E.right({ name, file, dataset: dataset.right });
};

/** The rows of the demo fixture, with dates relative to a moment in milliseconds. */
export const demoTemplate = ({ dataset }: Fixture): ((now: number) => DemoTemplate) => {
  const { asOf, repos, scans, fixDrafts, pullRequests } = dataset;
  const rows = { repos, scans, fixDrafts, pullRequests };
  return (now) => (asOf === undefined ? rows : freshenRows(rows, asOf, now));
};
