import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { millisecondsOf } from '../codecs/timestamp.js';
import { shownTarget } from '../protocol/shown-target.js';
import { JournalFilter, journalEntries } from '../simulation/journal-entry.js';
import { frozenAt, type SimulatedClock } from '../simulation/simulated-clock.js';
import type { Simulation } from '../simulation/simulation.js';
import { MomentOrDate } from './common-options.js';
import type { Controls, Faults } from './controls.js';
import { StorageState } from './failing-storage.js';
import type { LiveControls } from './live-controls.js';
import type { OnDemandControls } from './on-demand-controls.js';
import { decodeOrThrow, rightOrThrow } from './or-throw.js';
import type { Tenant } from './tenant.js';

type Dependencies<F> = Readonly<{
  clock: SimulatedClock;
  simulation: Simulation;
  live: LiveControls<F>;
  onDemand: OnDemandControls;
  /** The tenants that are served now. */
  tenants: () => readonly Tenant[];
  setStorage: (state: StorageState) => void;
  /** Throws a `TriageApiError` once nothing can be changed any more. */
  assertRunning: () => void;
}>;

/** The controls. `session`, `token` and `tenants` are getters: they can change. */
export const makeControls = <F>({
  clock,
  simulation,
  live: { catchUp, ...live },
  onDemand: { find, ...onDemand },
  tenants,
  setStorage,
  assertRunning,
}: Dependencies<F>): Controls<F> => {
  const tenant: Controls<F>['tenant'] = (name) => {
    const found = tenants().find((each) => each.name === name) ?? find(name);
    const known = tenants()
      .map((each) => each.name)
      .join(', ');
    return rightOrThrow(
      E.fromNullable([`tenant: expected one of ${known}, got ${JSON.stringify(name)}`])(found),
    );
  };
  const first = (): Tenant => tenant(tenants()[0]?.name ?? '');
  return {
    get session() {
      return first().session;
    },
    get token() {
      return first().token;
    },
    get tenants() {
      return tenants();
    },
    tenant,
    ...live,
    ...onDemand,
    setNow: (moment) => {
      assertRunning();
      clock.setMode(frozenAt(millisecondsOf(decodeOrThrow('setNow', MomentOrDate, moment))));
      catchUp();
    },
    setStorage: (state) => {
      assertRunning();
      setStorage(decodeOrThrow('setStorage', StorageState, state));
    },
    faults: faultControls(simulation, assertRunning),
    requests: (filter = {}) =>
      journalEntries(simulation.journal, decodeOrThrow('requests', JournalFilter, filter), shownTarget),
  };
};

const faultControls = ({ faults }: Simulation, assertRunning: () => void): Faults => ({
  list: faults.list,
  remove: (id) => {
    assertRunning();
    return faults.remove(id);
  },
  clear: () => {
    assertRunning();
    faults.clear();
  },
  add: (rule) => {
    assertRunning();
    return rightOrThrow(
      pipe(
        faults.add(rule),
        E.mapLeft((problems) => problems.map((problem) => `faults.add: ${problem}`)),
      ),
    );
  },
});
