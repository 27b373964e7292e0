import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { type Problem, problem } from '../codecs/problem.js';
import type { Dataset } from '../records/dataset.js';
import { duplicateProblem, uniquenessCheck } from '../records/unique-values.js';
import { validateDataset } from '../records/validate-dataset.js';
import type { DatasetChange } from '../simulation/dataset-patch.js';
import type { ChangeRefused } from '../simulation/live-data.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';

/** The most rows that a tenant may have after a change: what is changed at run time stays bounded. */
export const defaultMaxRows = 1_000_000;

/** The tenant with this name, or else with this user id. */
export const tenantNamed = (fixtures: readonly Fixture[], name: string): Fixture | undefined =>
  fixtures.find((fixture) => fixture.name === name) ??
  fixtures.find(({ dataset }) => dataset.user.id === name);

/**
 * The fixtures after a change of one tenant. The changed dataset has to be as valid as a file: `left` lists
 * every problem. `maxRows`: the most rows that the tenant may have.
 */
export const changedFixtures = (
  fixtures: readonly Fixture[],
  name: string,
  change: DatasetChange,
  maxRows = defaultMaxRows,
): E.Either<ChangeRefused, readonly Fixture[]> =>
  pipe(
    changedFixture(fixtures, name, change, () => maxRows),
    E.map(({ before, after }) => replaced(fixtures, before, after)),
  );

/** Fixtures with one in the place of another. */
export const replaced = (fixtures: readonly Fixture[], before: Fixture, after: Fixture): readonly Fixture[] =>
  fixtures.map((fixture) => (fixture === before ? after : fixture));

/** One of the fixtures before a change, and after it, as `changedFixtures` makes it. */
export const changedFixture = (
  fixtures: readonly Fixture[],
  name: string,
  change: DatasetChange,
  maxRowsOf: (fixture: Fixture) => number,
): E.Either<ChangeRefused, Readonly<{ before: Fixture; after: Fixture }>> => {
  const tenant = tenantNamed(fixtures, name);
  if (tenant === undefined)
    return E.left({ _tag: 'UnknownTenant', known: fixtures.map((fixture) => fixture.name) });
  const invalid = (problems: readonly Problem[]): E.Either<ChangeRefused, never> =>
    E.left({ _tag: 'InvalidChange', problems });
  const changed = change(tenant.dataset);
  if (E.isLeft(changed)) return invalid(changed.left);
  const valid = validateDataset(changed.right);
  const problems = [
    ...(E.isLeft(valid) ? valid.left : rowProblems(valid.right, maxRowsOf(tenant))),
    ...duplicatesWithOthers(fixtures, tenant, changed.right),
  ];
  if (E.isLeft(valid) || problems.length > 0) return invalid(problems);
  return E.right({ before: tenant, after: { ...tenant, dataset: valid.right } });
};

const duplicatesWithOthers = (
  fixtures: readonly Fixture[],
  tenant: Fixture,
  changed: unknown,
): readonly Problem[] => {
  const duplicatesIn = uniquenessCheck();
  for (const fixture of fixtures) if (fixture !== tenant) duplicatesIn(fixture.dataset, fixture.name);
  return duplicatesIn(changed, tenant.name).map((duplicate) =>
    duplicateProblem(duplicate, duplicate.first.source),
  );
};

const rowProblems = (
  { scans, fixDrafts, pullRequests, repos }: Dataset,
  maxRows: number,
): readonly Problem[] => {
  const rows = repos.length + scans.length + fixDrafts.length + pullRequests.length;
  return rows <= maxRows
    ? []
    : [problem([], `${rows} rows; a tenant that is changed at run time has at most ${maxRows}`)];
};
