import * as E from 'fp-ts/lib/Either.js';
import { type Problem, problemsOf } from '../codecs/problem.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../codecs/timestamp.js';
import { Dataset, type TenantRows } from '../records/dataset.js';
import { referenceProblems } from '../records/validate-dataset.js';
import type { Seed } from './seed.js';

const year = 365 * 24 * 60 * 60 * 1000;

/**
 * A whole fixture file of rows as they were at a moment, with credentials that work at once. `left`: all for which `check`
 * would refuse it.
 */
export const datasetOf = (
  rows: TenantRows,
  { id, email, name, password, session, token }: Seed,
  asOf: Timestamp,
  schema: string | undefined,
): E.Either<readonly Problem[], Dataset> => {
  const expiresAt = timestampAt(millisecondsOf(asOf) + year);
  const candidate = {
    ...(schema === undefined ? {} : { $schema: schema }),
    asOf,
    user: { id, email, name, password },
    sessions: [{ id: 'ses_1', value: session, createdAt: asOf, expiresAt }],
    apiTokens: [{ id: 'tok_1', name: 'recorded', token, createdAt: asOf, expiresAt: null, revokedAt: null }],
    ...rows,
  };
  const decoded = Dataset.decode(candidate);
  const problems = [...(E.isLeft(decoded) ? problemsOf(decoded.left) : []), ...referenceProblems(candidate)];
  return E.isRight(decoded) && problems.length === 0 ? decoded : E.left(problems);
};
