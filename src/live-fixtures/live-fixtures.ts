import * as E from '#fp-ts/Either';
import { runLater } from '#platform';
import type { Log } from '../common/log.js';
import type { LiveData } from '../simulation/live-data.js';
import type { TenantLimits } from '../simulation/on-demand-tenant.js';
import type { Scenario } from '../simulation/scenario.js';
import {
  type ClockMode,
  changedMode,
  clockState,
  machineTime,
  type SimulatedClock,
} from '../simulation/simulated-clock.js';
import type { FixtureStorage } from '../storage/fixtures/fixture-storage.js';
import type { Fixture, FixtureProblems } from '../storage/fixtures/read-fixtures.js';
import { changedFixture, defaultMaxRows, replaced } from './changed-fixtures.js';
import { type FixtureState, loaded, stateAt } from './fixture-state.js';
import { scenarioProblems } from './play-scenario.js';
import { tenantsOnDemand } from './tenants-on-demand.js';

/** Fixtures that can be changed while they are served, all of them included. */
export type LiveFixtures = LiveData &
  Readonly<{
    /**
     * Reads fixtures and serves them from now on; no other change comes between. `right`: their number; null:
     * the server is stopping.
     */
    replace: (read: ReadFixtures) => Promise<E.Either<FixtureProblems, number> | null>;
    /** Resolves when the scenario has begun: its first steps may be due at once. */
    started: Promise<void>;
    /** Plays the steps of the scenario that are due. */
    catchUp: () => Promise<void>;
    /** Stops the scenario; changes that are in progress are carried out. */
    close: () => Promise<void>;
  }>;

/** Reads all fixtures. */
export type ReadFixtures = () => Promise<E.Either<FixtureProblems, readonly Fixture[]>>;

type Dependencies = Readonly<{
  clock: SimulatedClock;
  log: Log;
  storage: Pick<FixtureStorage, 'prepare' | 'added'>;
  /** Does one task after the other, reloads included. */
  inTurn: <A>(task: () => Promise<A>) => Promise<A>;
  /** Called with the fixtures that are served from now on. */
  onServed: (fixtures: readonly Fixture[]) => void;
  closing: AbortSignal;
  scenario: Scenario;
  tenantLimits: TenantLimits;
}>;

/** The longest time that a timer can wait for, in milliseconds. */
const maxWait = 2 ** 31 - 1;

/**
 * Fixtures that can be changed while they are served. One change follows the other, and none is seen in part:
 * the clock and the data change at the same moment. The scenario plays at once.
 */
export const liveFixtures = (
  { clock, log, storage, inTurn, onServed, closing, scenario, tenantLimits }: Dependencies,
  fixtures: readonly Fixture[],
  loadedAt: number,
): LiveFixtures => {
  let state = loaded(fixtures, loadedAt);
  let cancelTimer = (): void => {};
  const onDemand = tenantsOnDemand({
    clock,
    log,
    added: storage.added,
    limits: tenantLimits,
    originals: () => state.read,
    closing,
  });

  const played = (of: FixtureState, now: number): FixtureState => stateAt(scenario, log, of, now);

  const schedule = (): void => {
    cancelTimer();
    const next = scenario[state.played];
    if (next === undefined || closing.aborted || clock.mode()._tag === 'Frozen') return;
    const wait = Math.max(0, state.loadedAt + next.at - clock.now());
    cancelTimer = runLater(Math.min(wait, maxWait), () => void catchUp());
  };

  /** Serves a state, and sets the clock unless `mode` is null. False if the server is stopping. */
  const serve = async (
    next: FixtureState,
    mode: ClockMode | null,
    withSignUps: boolean,
  ): Promise<boolean> => {
    const isSame = next.served === state.served && next.loadedAt === state.loadedAt && !withSignUps;
    const datasets = next.served.map(({ dataset }) => dataset);
    const dating = { moment: next.loadedAt, withSignUps };
    const show = isSame ? () => {} : await storage.prepare(datasets, closing, dating);
    if (show === null) return false;
    if (mode !== null) clock.setMode(mode);
    show();
    if (next.served !== state.served) onServed(next.served);
    state = next;
    schedule();
    return true;
  };

  const moveTo = async (mode: ClockMode, isStart: boolean): Promise<void> => {
    const now = clock.timeIn(mode);
    await serve(played(isStart ? { ...state, loadedAt: now } : state, now), mode, isStart);
    await onDemand.sweep();
  };

  /** Starts over with these fixtures. */
  const load = (read: readonly Fixture[]): Promise<boolean> => {
    const now = clock.now();
    return serve(played(loaded(read, now), now), null, false);
  };

  const replace: LiveFixtures['replace'] = async (read) => {
    const found = await read();
    if (closing.aborted) return null;
    if (E.isLeft(found)) return found;
    const problems = scenarioProblems(scenario, found.right);
    if (problems.length > 0) return E.left(problems);
    if (state.served !== state.read) log('info', 'other fixtures were read: what was patched is gone');
    return (await load(found.right)) ? E.right(found.right.length) : null;
  };

  const catchUp = (): Promise<void> =>
    inTurn(async () => {
      await serve(played(state, clock.now()), null, false);
    });

  return {
    started: catchUp().then(schedule),
    clock: {
      state: () => clockState(clock),
      change: (change) =>
        inTurn(async () => {
          const mode = changedMode(clock, change);
          if (E.isLeft(mode)) return mode;
          await moveTo(mode.right, change.now !== undefined);
          return E.right(clockState(clock));
        }),
      release: () =>
        inTurn(async () => {
          await moveTo(machineTime, true);
          return clockState(clock);
        }),
    },
    tenants: {
      create: (wanted) => inTurn(() => onDemand.create(wanted)),
      list: onDemand.list,
      remove: (id) => inTurn(() => onDemand.remove(id)),
    },
    change: (tenant, change) =>
      inTurn(async () => {
        const made = onDemand.fixtures();
        const changed = changedFixture([...state.served, ...made], tenant, change, (fixture) =>
          made.includes(fixture) ? tenantLimits.maxRows : defaultMaxRows,
        );
        if (E.isLeft(changed)) return changed;
        const { before, after } = changed.right;
        if (made.includes(before)) return onDemand.replace(before, after);
        await serve({ ...state, served: replaced(state.served, before, after) }, null, false);
        return E.right(undefined);
      }),
    replace: (read) => inTurn(() => replace(read)),
    changed: () => {
      const isPatched = state.served !== state.read || onDemand.areChanged();
      if (clock.isChanged()) return isPatched ? 'clock, data' : 'clock';
      return isPatched ? 'data' : null;
    },
    reset: () => inTurn(async () => void (await load(state.read))),
    catchUp,
    close: async () => {
      cancelTimer();
      await inTurn(onDemand.close);
    },
  };
};
