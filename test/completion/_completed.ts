import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/codecs/problem.js';
import { readDataset } from '../../src/completion/complete-dataset.js';
import type { Dataset } from '../../src/records/dataset.js';

/** The completed fixture; throws its problems. */
export const completed = (value: unknown, name = 'team'): Dataset => {
  const dataset = readDataset(value, name);
  if (E.isLeft(dataset)) throw new Error(dataset.left.map(formatProblem).join('\n'));
  return dataset.right;
};

/** The problems of a fixture that cannot be completed, one line each. */
export const refused = (value: unknown, name = 'team'): readonly string[] => {
  const dataset = readDataset(value, name);
  return E.isLeft(dataset) ? dataset.left.map(formatProblem) : [];
};
