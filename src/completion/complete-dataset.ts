import * as E from 'fp-ts/lib/Either.js';
import { UnknownRecord } from 'io-ts';
import { type Problem, problem, problemsOf } from '../codecs/problem.js';
import { Dataset } from '../records/dataset.js';
import { referenceProblems } from '../records/validate-dataset.js';
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

/** The same as a valid dataset. A complete one costs no more than its validation. */
export const readDataset = (value: unknown, name: string): E.Either<readonly Problem[], Dataset> => {
  const complete = withAllKeys(value);
  if (Dataset.is(complete)) {
    const problems = referenceProblems(complete);
    return problems.length === 0 ? E.right(complete) : E.left(problems);
  }
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
    ...completeRows(file, links, asOf),
  });
};

/** The value with every key of a dataset: only then can the codec of the dataset recognize it at a glance. */
const withAllKeys = (value: unknown): unknown =>
  UnknownRecord.is(value)
    ? {
        $schema: undefined,
        asOf: undefined,
        sessions: [],
        apiTokens: [],
        repos: [],
        scans: [],
        fixDrafts: [],
        pullRequests: [],
        ...Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)),
      }
    : value;

/** Who reads a fixture has to put the extended one in its place before it is completed. */
const extendsProblems = (value: unknown): readonly Problem[] =>
  ['extends', 'remove']
    .filter((key) => UnknownRecord.is(value) && Object.hasOwn(value, key) && value[key] !== undefined)
    .map((key) =>
      key === 'extends'
        ? problem([key], 'the extended fixture is not known here')
        : problem([key], 'only a fixture that extends another one can remove rows of it'),
    );
