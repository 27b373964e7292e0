import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import { decodeScenario, type Scenario } from '../simulation/scenario.js';
import { formatFileProblem, readJsonFile } from '../storage/fixtures/json-file.js';
import { shippedFixtures } from './shipped-fixtures.js';

/** Where the scenarios of the package are. */
const shippedScenarios = join(shippedFixtures, 'scenarios');

/** The file of a scenario: a name without a slash or an extension is one of the package. */
const scenarioFile = (nameOrFile: string): string =>
  /^[a-z-]+$/.test(nameOrFile) ? join(shippedScenarios, `${nameOrFile}.json`) : nameOrFile;

/** Reads a scenario by its name or from a file. `left`: every problem, with its place in the file. */
export const readScenarioFile = async (
  nameOrFile: string,
): Promise<E.Either<readonly string[], Scenario>> => {
  const json = await readJsonFile(scenarioFile(nameOrFile));
  if (E.isLeft(json)) return E.left(json.left.map(formatFileProblem));
  const { content, locate } = json.right;
  const decoded = decodeScenario(content);
  return E.isLeft(decoded) ? E.left(locate(decoded.left).map(formatFileProblem)) : decoded;
};
