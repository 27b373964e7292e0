import * as E from '#fp-ts/Either';
import { formatProblem } from '../codecs/problem.js';
import { escapeControlCharacters } from '../common/escape-control-characters.js';
import { patchOf } from '../simulation/dataset-patch.js';
import type { ChangeRefused } from '../simulation/live-data.js';
import type { Scenario, ScenarioStep } from '../simulation/scenario.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { changedFixtures } from './changed-fixtures.js';

/** How many steps are due when so many milliseconds have passed since the data was loaded. */
export const dueSteps = (scenario: Scenario, elapsed: number): number => {
  const next = scenario.findIndex(({ at }) => at > elapsed);
  return next === -1 ? scenario.length : next;
};

/** Fixtures after some steps, and why steps were left out, one line for each problem. */
export type Played = Readonly<{ fixtures: readonly Fixture[]; problems: readonly string[] }>;

/** Plays steps. One that the data does not allow is left out. */
export const playSteps = (steps: Scenario, fixtures: readonly Fixture[]): Played =>
  steps.reduce(
    (before: Played, step): Played => {
      const changed = afterStep(step, before.fixtures);
      return E.isLeft(changed)
        ? { fixtures: before.fixtures, problems: [...before.problems, ...changed.left] }
        : { fixtures: changed.right, problems: before.problems };
    },
    { fixtures, problems: [] },
  );

/** Why a scenario cannot be played over these fixtures: every problem of all steps. */
export const scenarioProblems = (scenario: Scenario, fixtures: readonly Fixture[]): readonly string[] =>
  playSteps(scenario, fixtures).problems;

const afterStep = (
  { tenant, patch, index }: ScenarioStep,
  fixtures: readonly Fixture[],
): E.Either<readonly string[], readonly Fixture[]> => {
  const only = fixtures.length === 1 ? fixtures[0]?.name : undefined;
  return E.mapLeft((refused: ChangeRefused) => linesOf(refused, index))(
    changedFixtures(fixtures, tenant ?? only ?? '', patchOf(patch)),
  );
};

const linesOf = (refused: ChangeRefused, index: number): readonly string[] =>
  refused._tag === 'UnknownTenant'
    ? [`scenario /${index}/tenant: expected one of ${refused.known.join(', ')}`]
    : refused.problems.map((problem) =>
        escapeControlCharacters(`scenario /${index}/patch: ${formatProblem(problem)}`),
      );
