import * as E from 'fp-ts/lib/Either.js';
import { type Problem, problemsOf } from '../codecs/problem.js';
import { Dataset } from './dataset.js';
import { referenceProblems } from './references.js';

/**
 * Decodes one tenant's dataset and checks its references; `left`: every problem, those of the codec first. What must be unique
 * across tenants is `uniquenessCheck`'s to find.
 */
export const validateDataset = (value: unknown): E.Either<readonly Problem[], Dataset> => {
  const decoded = Dataset.decode(value);
  const problems = [...(E.isLeft(decoded) ? problemsOf(decoded.left) : []), ...referenceProblems(value)];
  return E.isRight(decoded) && problems.length === 0 ? decoded : E.left(problems);
};
