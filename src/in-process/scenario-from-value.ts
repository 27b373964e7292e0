import * as E from '#fp-ts/Either';
import { jsonCopy } from '../simulation/json-copy.js';
import { decodeScenario, type Scenario } from '../simulation/scenario.js';
import { linesAbout } from './or-throw.js';

/** Decodes a scenario that is given as a value. `left`: one line for each problem. */
export const scenarioFromValue = (value: unknown): E.Either<readonly string[], Scenario> => {
  if (value === undefined) return E.right([]);
  const copy = jsonCopy(value);
  if (E.isLeft(copy)) return E.left([`scenario: ${copy.left}`]);
  const decoded = decodeScenario(copy.right);
  return E.isLeft(decoded) ? E.left(linesAbout('scenario', decoded.left)) : decoded;
};
