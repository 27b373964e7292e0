import * as E from '#fp-ts/Either';
import { scenarioFromValue } from '../in-process/scenario-from-value.js';
import { readScenarioFile } from '../server/fixture-backend.js';
import type { Scenario } from '../simulation/scenario.js';
import type { TriageApiOptions } from './options.js';
import { pathOf } from './path-of.js';

/** Loads a scenario: from a file, or from a value. `left`: one line for each problem. */
export const loadScenario = async (
  scenario: TriageApiOptions['scenario'],
): Promise<E.Either<readonly string[], Scenario>> => {
  if (typeof scenario !== 'string' && !(scenario instanceof URL)) return scenarioFromValue(scenario);
  const file = pathOf('scenario', scenario);
  return E.isLeft(file) ? file : readScenarioFile(file.right);
};
