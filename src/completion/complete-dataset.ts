import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { type Problem, problem, problemsOf } from '../codecs/problem.js';
import type { Dataset } from '../records/dataset.js';
import { completeDatasetOf } from '../records/validate-dataset.js';
import { completeAccount } from './complete-account.js';
import { completeRows } from './complete-rows.js';
import { defaultAsOf, FixtureFile } from './fixture-file.js';
import { linkRows } from './link-rows.js';

/**
 * Completes a fixture of which anything may be missing (docs/fixtures.md lists the defaults). `name` is that
 * of its file without `.json`; the user is made from it. What is given is never changed, the result does not
 * depend on the order of rows, and a complete fixture stays as it is. `left`: every problem, at its place in
 * the value.
 */
export const completeDataset = (value: unknown, name: string): E.Either<readonly Problem[], unknown> =>
  readDataset(value, name);

/**
 * The same as a valid dataset. A complete one costs no more than its validation. For the repositories
 * `scanned`, given by their ids, no scan is made.
 */
export const readDataset = (
  value: unknown,
  name: string,
  scanned: ReadonlySet<string> = new Set(),
): E.Either<readonly Problem[], Dataset> => {
  const complete = completeDatasetOf(value);
  if (complete !== null) return complete;
  const decoded = FixtureFile.decode(value);
  const links = linkRows(value, name);
  const problems = [
    ...(E.isLeft(decoded) ? problemsOf(decoded.left) : []),
    ...extendsProblems(value),
    ...links.problems,
  ];
  if (E.isLeft(decoded) || problems.length > 0) return E.left(problems);
  const file = decoded.right;
  const asOf = file.asOf ?? defaultAsOf;
  return E.right({
    $schema: file.$schema,
    asOf,
    ...completeAccount(file, name, asOf),
    ...completeRows(file, links, { asOf, scanned }),
  });
};

/** Who reads a fixture puts the extended one in its place before it is completed. */
const extendsProblems = (value: unknown): readonly Problem[] => {
  const { extends: extended, remove } = UnknownRecord.is(value) ? value : {};
  if (extended !== undefined)
    return typeof extended === 'string'
      ? [problem(['extends'], 'only fixture files in a directory can extend others')]
      : [];
  return remove === undefined
    ? []
    : [problem(['remove'], 'only a fixture that extends another one can remove rows of it')];
};
