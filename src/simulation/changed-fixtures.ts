import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { rowCount } from '../api/row-records.js';
import { escapeControlCharacters } from '../common/messages.js';
import { formatProblem, type Problem, problem } from '../contract/codecs/problem.js';
import { completeFixture } from '../fixtures/complete-fixture.js';
import type { Dataset } from '../fixtures/dataset.js';
import { withFields } from '../fixtures/link-rows.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { uniquenessCheck } from '../fixtures/validate-dataset.js';
import { type KnownTenant, tenantNamed, unknownTenant } from './known-names.js';
import { type DatasetChange, patchOf, type Scenario } from './patches.js';
import { type ChangeRefused, refusalLines } from './simulation.js';

/** The most rows that a tenant may have after a change: what is changed at run time stays bounded. */
const defaultMaxRows = 1_000_000;

/** What the tenant of a fixture can be named by. */
export const knownFixture = ({ name, dataset: { user } }: Fixture): KnownTenant => ({
  name,
  id: user.id,
  email: user.email,
});

/** The fixture whose tenant a text names. */
export const fixtureNamed = (
  text: string,
  fixtures: readonly Fixture[],
): E.Either<ChangeRefused, Fixture> => {
  const found = tenantNamed(text, fixtures, knownFixture);
  return found === undefined
    ? E.left({ _tag: 'UnknownTenant', expected: unknownTenant(text, fixtures.map(knownFixture)) })
    : E.right(found);
};

/** Whether new accounts start with the rows of this fixture: the one in `demo.json`. */
export const isDemoFixture = ({ name }: Fixture): boolean => name === 'demo';

/** A fixture before and after a change. */
export type ChangedFixture = Readonly<{ before: Fixture; after: Fixture }>;

/**
 * Changes one of some fixtures, and completes what was changed as a file. It has to be as valid as one:
 * `left` lists every problem.
 */
export const changedFixture = (
  fixtures: readonly Fixture[],
  name: string,
  change: DatasetChange,
  maxRows = defaultMaxRows,
): E.Either<ChangeRefused, ChangedFixture> => {
  const named = fixtureNamed(name, fixtures);
  if (E.isLeft(named)) return named;
  const before = named.right;
  const changed = change(before.dataset, withFields);
  if (E.isLeft(changed)) return invalidChange(changed.left);
  const valid = completed(changed.right, before);
  const rows = E.isLeft(valid) ? 0 : rowCount(valid.right);
  const tooMany = `${rows} rows; a tenant that is changed at run time has at most ${maxRows}`;
  const problems = [
    ...(E.isLeft(valid) ? valid.left : []),
    ...(rows > maxRows ? [problem([], tooMany)] : []),
    ...duplicatesWithOthers(fixtures, before, changed.right),
  ];
  if (E.isLeft(valid) || problems.length > 0) return invalidChange(problems);
  return E.right({ before, after: { ...before, dataset: valid.right } });
};

/**
 * What a change has made of a fixture, complete. As with a file that extends another one, no scan is made for
 * the repositories that were there; and no user in the place of one that was removed.
 */
const completed = (
  changed: unknown,
  { name, dataset: { repos } }: Fixture,
): E.Either<readonly Problem[], Dataset> => {
  if (!UnknownRecord.is(changed)) return completeFixture(changed, name);
  const scanned = new Set(repos.map(({ id }) => id));
  const complete = (value: object) => completeFixture({ user: null, ...value }, name, scanned);
  // What is complete with `fixDrafts` is only validated. A problem names its place as the change did.
  const { findings: fixDrafts, ...others } = changed;
  const stored = complete(Object.hasOwn(changed, 'fixDrafts') ? changed : { ...others, fixDrafts });
  const whole = E.orElse(() => complete(changed))(stored);
  // Completion assumes a date where there is none, by which all dates would be shifted.
  return E.map((dataset: Dataset) =>
    changed.asOf === undefined ? { ...dataset, asOf: undefined } : dataset,
  )(whole);
};

export const invalidChange = (problems: readonly Problem[]): E.Either<ChangeRefused, never> =>
  E.left({ _tag: 'InvalidChange', problems });

/** Refuses a change for one reason. */
export const refuse = (message: string, path: readonly string[] = []): E.Either<ChangeRefused, never> =>
  invalidChange([problem(path, message)]);

const duplicatesWithOthers = (
  fixtures: readonly Fixture[],
  tenant: Fixture,
  changed: unknown,
): readonly Problem[] => {
  const duplicatesIn = uniquenessCheck();
  for (const fixture of fixtures) if (fixture !== tenant) duplicatesIn(fixture.dataset, fixture.name);
  return duplicatesIn(changed, tenant.name);
};

/** Fixtures with one in the place of another. */
export const replaced = (
  fixtures: readonly Fixture[],
  { before, after }: ChangedFixture,
): readonly Fixture[] => fixtures.map((fixture) => (fixture === before ? after : fixture));

/** Plays steps of a scenario. Those that the data does not allow are left out: a line for each problem. */
export const playSteps = (steps: Scenario, initial: readonly Fixture[]) => {
  let fixtures = initial;
  const problems: string[] = [];
  for (const { tenant, patch, index } of steps) {
    const only = fixtures.length === 1 ? fixtures[0]?.name : undefined;
    const changed = changedFixture(fixtures, tenant ?? only ?? '', patchOf(patch));
    if (E.isLeft(changed)) problems.push(...linesOf(index)(changed.left));
    else fixtures = replaced(fixtures, changed.right);
  }
  return { fixtures, problems };
};

/** Why a scenario cannot be played over these fixtures: every problem of all steps. */
export const scenarioProblems = (scenario: Scenario, fixtures: readonly Fixture[]): readonly string[] =>
  playSteps(scenario, fixtures).problems;

const linesOf = (index: number) =>
  refusalLines(`scenario /${index}/tenant`, (found) =>
    escapeControlCharacters(`scenario /${index}/patch: ${formatProblem(found)}`),
  );
