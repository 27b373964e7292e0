import * as E from 'fp-ts/lib/Either.js';
import { readScenarioFile } from '../server/read-scenario.js';
import { jsonCopy } from '../simulation/json-copy.js';
import { decodeScenario, type Scenario } from '../simulation/scenario.js';
import type { TriageApiOptions } from './options.js';
import { linesAbout } from './or-throw.js';
import { pathOf } from './path-of.js';

/** Loads a scenario: from a file, or from a value. `left`: one line for each problem. */
export const loadScenario = async (
  scenario: TriageApiOptions['scenario'],
): Promise<E.Either<readonly string[], Scenario>> => {
  if (scenario === undefined) return E.right([]);
  if (typeof scenario === 'string' || scenario instanceof URL) {
    const file = pathOf('scenario', scenario);
    return E.isLeft(file) ? file : readScenarioFile(file.right);
  }
  const copy = jsonCopy(scenario);
  if (E.isLeft(copy)) return E.left([`scenario: ${copy.left}`]);
  const decoded = decodeScenario(copy.right);
  return E.isLeft(decoded) ? E.left(linesAbout('scenario', decoded.left)) : decoded;
};
