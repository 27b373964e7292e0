import type { Log } from '../common/log.js';
import type { Scenario } from '../simulation/scenario.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { dueSteps, playSteps } from './play-scenario.js';

/** The fixtures at one moment. Each change makes another one of it. */
export type FixtureState = Readonly<{
  /** As they were read. */
  read: readonly Fixture[];
  /** As they are served. */
  served: readonly Fixture[];
  /** The clock's time when they were loaded: what `asOf` is shifted to, and what scenarios count from. */
  loadedAt: number;
  /** How many steps of the scenario have been played. */
  played: number;
}>;

/** Fixtures as they are loaded, before the first step of the scenario. */
export const loaded = (read: readonly Fixture[], loadedAt: number): FixtureState => ({
  read,
  served: read,
  loadedAt,
  played: 0,
});

/**
 * The state after the steps of the scenario that are due at a moment. To go back in time, all are played
 * again. Steps that do not fit the data are logged and left out.
 */
export const stateAt = (scenario: Scenario, log: Log, state: FixtureState, now: number): FixtureState => {
  const due = dueSteps(scenario, now - state.loadedAt);
  if (due === state.played) return state;
  const from = due > state.played ? state : loaded(state.read, state.loadedAt);
  const { fixtures: served, problems } = playSteps(scenario.slice(from.played, due), from.served);
  if (problems.length > 0) log('warn', 'a step of the scenario does not fit the data', { problems });
  return { ...from, served, played: due };
};
