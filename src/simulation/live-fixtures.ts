import * as E from '#fp-ts/Either';
import { inTurn } from '../common/concurrency.js';
import type { Log } from '../common/log.js';
import { runLater } from '../common/timers.js';
import { formatProblem } from '../contract/codecs/problem.js';
import type { FixtureProblems } from '../fixtures/file-problem.js';
import type { FixtureStorage } from '../fixtures/fixture-storage.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import {
  changedFixture,
  fixtureNamed,
  knownFixture,
  playSteps,
  replaced,
  scenarioProblems,
} from './changed-fixtures.js';
import type { TenantLimits } from './on-demand-tenant.js';
import { type DatasetChange, patchOf, type Scenario } from './patches.js';
import { type ClockMode, clockControl, machineTime, type SimulatedClock } from './simulated-clock.js';
import { refusalLines } from './simulation.js';
import { maxWait, tenantsOnDemand } from './tenants-on-demand.js';

/** Fixtures that can be replaced while they are served, and be changed if they are kept. */
export type LiveFixtures = ReturnType<typeof liveFixtures>;

export type LiveDependencies = Readonly<{
  clock: SimulatedClock;
  log: Log;
  storage: Pick<
    FixtureStorage,
    | 'replace'
    | 'put'
    | 'remove'
    | 'setClock'
    | 'dateAnew'
    | 'datedAt'
    | 'whyRefused'
    | 'setCredentials'
    | 'releaseCredentials'
    | 'signedUp'
  >;
  /** Called after each change of the data or the clock, with the fixtures that are served from now on. */
  onChange: (fixtures: readonly Fixture[]) => void;
  closing: AbortSignal;
  /** Timed patches that play while the fixtures are served. */
  scenario: Scenario;
  tenantLimits: TenantLimits;
  /** Whether fixtures stay in memory, with their secrets in clear text, to be changed; default: true. */
  keepsFixtures?: boolean;
}>;

/** The fixtures at one moment. Each change makes another one of it. */
type FixtureState = Readonly<{
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
const loaded = (read: readonly Fixture[], loadedAt: number): FixtureState => ({
  read,
  served: read,
  loadedAt,
  played: 0,
});

/**
 * Fixtures that can be changed while they are served. One change follows the other, and none is seen in part:
 * the clock and the data change at the same moment. The scenario plays at once.
 */
export const liveFixtures = (
  dependencies: LiveDependencies,
  fixtures: readonly Fixture[],
  loadedAt: number,
) => {
  const { clock, log, storage, onChange, closing, scenario, keepsFixtures = true } = dependencies;
  const oneByOne = inTurn();
  const kept = (next: FixtureState): FixtureState => (keepsFixtures ? next : loaded([], next.loadedAt));
  let state = kept(loaded(fixtures, loadedAt));
  let cancelTimer = (): void => {};
  const onDemand = tenantsOnDemand({
    ...dependencies,
    inTurn: oneByOne,
    originals: () => state.read,
    onChange: () => onChange(state.served),
  });

  const all = (): readonly Fixture[] => [...state.served, ...onDemand.fixtures()];
  const isPatched = (): boolean => state.served !== state.read || onDemand.areChanged();
  const isChangedFixture = (fixture: Fixture): boolean =>
    state.served.includes(fixture)
      ? fixture !== state.read[state.served.indexOf(fixture)]
      : onDemand.isChanged(fixture.name);

  /**
   * The state after the steps of the scenario that are due at a moment. To go back in time, all are played
   * again. Steps that do not fit the data are logged and left out.
   */
  const played = (before: FixtureState, now: number): FixtureState => {
    const next = scenario.findIndex(({ at }) => at > now - before.loadedAt);
    const due = next === -1 ? scenario.length : next;
    if (due === before.played) return before;
    const from = due > before.played ? before : loaded(before.read, before.loadedAt);
    const { fixtures, problems } = playSteps(scenario.slice(from.played, due), from.served);
    if (problems.length > 0) log('warn', 'a step of the scenario does not fit the data', { problems });
    return { ...from, served: fixtures, played: due };
  };

  const schedule = (): void => {
    cancelTimer();
    const next = scenario[state.played];
    if (next === undefined || closing.aborted || clock.mode().frozenAt !== null) return;
    const wait = Math.max(0, state.loadedAt + next.at - clock.now());
    cancelTimer = runLater(Math.min(wait, maxWait), () => void catchUp());
  };

  const serve = (next: FixtureState): void => {
    const isSame = next.served === state.served && next.loadedAt === state.loadedAt;
    state = kept(next);
    if (!isSame) {
      const datasets = next.served.map(({ dataset }) => dataset);
      storage.replace(datasets, next.loadedAt);
      onChange(next.served);
    }
    schedule();
  };

  const moveTo = (newMode: ClockMode | null, isStart: boolean): void => {
    const mode = newMode ?? machineTime;
    const now = clock.timeIn(mode);
    const next = played(isStart ? { ...state, loadedAt: now } : state, now);
    clock.setMode(mode);
    if (isStart) {
      storage.dateAnew(now);
      onDemand.dateAnew(now);
    }
    serve(next);
    onChange(next.served);
  };

  /** Starts over with these fixtures. */
  const load = (read: readonly Fixture[]): void => {
    const now = clock.now();
    serve(played(loaded(read, now), now));
  };

  /** Gives one tenant the data that it had at first. The scenario goes on from where it is. */
  const resetTenant = (before: Fixture): void => {
    const after = state.read[state.served.indexOf(before)];
    if (after === undefined) {
      onDemand.reset(before.name);
      onChange(state.served);
    } else {
      const served = replaced(state.served, { before, after });
      const isAsRead = served.every((fixture, i) => fixture === state.read[i]);
      serve({ ...state, served: isAsRead ? state.read : served });
    }
  };

  /** Plays the steps of the scenario that are due. */
  const catchUp = (): Promise<void> => oneByOne(async () => serve(played(state, clock.now())));

  return {
    /** Resolves when the scenario has begun: its first steps may be due at once. */
    started: catchUp(),
    clock: clockControl(() => clock, moveTo, oneByOne),
    /** What the clock of a user shows, which is that of the server for most. */
    now: onDemand.now,
    tenants: onDemand,
    /** The fixtures that are served now; none if they are not kept. */
    served: () => state.served,
    /** Those whose data can be changed: tenants of fixtures, and those that were made. */
    known: () => all().map(knownFixture),
    /** The accounts that signed up, which rules and filters can name, too. */
    signedUp: () => storage.signedUp().map(({ id, email }) => ({ name: email, id, email })),
    whyRefused: storage.whyRefused,
    /** Makes the credentials of a user valid, expired or revoked. */
    setCredentials: storage.setCredentials,
    /** Why a patch would be refused now; a line each. */
    patchProblems: (tenant: string, patch: Readonly<Record<string, unknown>>): readonly string[] => {
      const changed = changedFixture(all(), tenant, patchOf(patch));
      return E.isLeft(changed) ? refusalLines(': tenant', formatProblem)(changed.left) : [];
    },
    /** Changes the data of one of those that are known. */
    change: (tenant: string, change: DatasetChange) =>
      oneByOne(async () => {
        const changed = changedFixture(all(), tenant, change);
        if (E.isLeft(changed)) return changed;
        if (state.served.includes(changed.right.before)) {
          serve({ ...state, served: replaced(state.served, changed.right) });
          return E.right(undefined);
        }
        const done = await onDemand.replace(changed.right);
        if (E.isRight(done)) onChange(state.served);
        return done;
      }),
    /**
     * Reads fixtures and serves them from now on; no other change comes between. `right`: their number; null:
     * the server is stopping.
     */
    replace: (read: () => Promise<E.Either<FixtureProblems, readonly Fixture[]>>) =>
      oneByOne(async (): Promise<E.Either<FixtureProblems, number> | null> => {
        const found = await read();
        if (closing.aborted) return null;
        if (E.isLeft(found)) return found;
        const problems = scenarioProblems(scenario, found.right);
        if (problems.length > 0) return E.left(problems);
        if (state.served !== state.read) log('info', 'other fixtures were read: what was patched is gone');
        load(found.right);
        return E.right(found.right.length);
      }),
    /** Whether a clock or data differs from the start. */
    isChanged: () => clock.isChanged() || state.served !== state.read || onDemand.areAltered(),
    /** What differs from the start for this tenant, for a header and the journal; null: nothing. */
    changed: (tenant: string | null) => {
      const hasOwn = tenant !== null && onDemand.hasClock(tenant);
      if (hasOwn || clock.isChanged()) return isPatched() ? 'clock, data' : 'clock';
      return isPatched() ? 'data' : null;
    },
    /** Goes back to the start; with a tenant, to its data and credentials. */
    reset: (tenant?: string) =>
      oneByOne(async () => {
        const named = tenant === undefined ? E.right(null) : fixtureNamed(tenant, all());
        if (E.isLeft(named)) return named;
        if (named.right !== null) {
          const { id } = named.right.dataset.user;
          const [hadClock, data] = [onDemand.hasClock(id), isChangedFixture(named.right)];
          const credentials = storage.releaseCredentials(id);
          resetTenant(named.right);
          return E.right({ tenants: 0, clock: hadClock, data, credentials });
        }
        const [tenants, wasMoved, data] = [onDemand.list().length, clock.isChanged(), isPatched()];
        await onDemand.removeAll();
        clock.restart();
        if (wasMoved) storage.dateAnew(clock.now());
        const credentials = storage.releaseCredentials();
        load(state.read);
        onChange(state.served);
        return E.right({ tenants, clock: wasMoved, data, credentials });
      }),
    /** How many steps of a scenario have played; null: there is none. */
    scenario: () => (scenario.length === 0 ? null : { played: state.played, steps: scenario.length }),
    catchUp,
    /** Stops the scenario; changes that are in progress are carried out. */
    close: async () => {
      cancelTimer();
      await oneByOne(onDemand.removeAll);
    },
  };
};
