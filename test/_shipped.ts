import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import type { Dataset } from '../src/fixtures/dataset.js';
import { type FixtureProblems, formatFileProblem } from '../src/fixtures/file-problem.js';
import { fixturesFromValues } from '../src/fixtures/fixtures-from-values.js';

const folder = fileURLToPath(new URL('../../fixtures/', import.meta.url));

const values = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name): unknown => JSON.parse(readFileSync(`${folder}${name}`, 'utf8')));

/** The shipped fixtures, in the order of their names. */
export const shippedDatasets: readonly Dataset[] = E.getOrElse<
  FixtureProblems,
  readonly Readonly<{ dataset: Dataset }>[]
>((problems) => {
  throw new Error(problems.map(formatFileProblem).join('\n'));
})(fixturesFromValues(values)).map(({ dataset }) => dataset);
