import * as E from '#fp-ts/Either';
import { Duration } from '../codecs/duration.js';
import { MomentOrDate } from '../in-process/common-options.js';
import type { LiveControls } from '../in-process/live-controls.js';
import type { OnDemandControls } from '../in-process/on-demand-controls.js';
import { decodeOrThrow, linesAbout } from '../in-process/or-throw.js';
import { TriageApiError } from '../in-process/triage-api-error.js';
import {
  type ClockChange,
  changedMode,
  clockState,
  machineTime,
  type SimulatedClock,
} from '../simulation/simulated-clock.js';
import type { GivenFixtures } from './options.js';

/** The controls of a server over a storage of one's own: its clock can be moved, its data not changed. */
export const storageControls = (
  clock: SimulatedClock,
  assertRunning: () => void,
): Readonly<{ live: LiveControls<GivenFixtures>; onDemand: OnDemandControls }> => {
  const moveClock = (what: string, change: Partial<ClockChange>): void => {
    assertRunning();
    const mode = changedMode(clock, { now: undefined, advance: undefined, running: undefined, ...change });
    if (E.isLeft(mode)) throw new TriageApiError(linesAbout(what, mode.left));
    clock.setMode(mode.right);
  };
  const refuse = (what: string) => async (): Promise<never> => {
    throw new TriageApiError([
      `${what}: only fixtures can be changed; this server serves the option storage`,
    ]);
  };
  return {
    live: {
      clock: {
        now: () => clockState(clock).now,
        set: async (moment) =>
          moveClock('clock.set', { now: decodeOrThrow('clock.set', MomentOrDate, moment) }),
        advance: async (duration) => {
          const text = typeof duration === 'number' ? `${duration}ms` : duration;
          moveClock('clock.advance', { advance: decodeOrThrow('clock.advance', Duration, text) });
        },
        run: async () => moveClock('clock.run', { running: true }),
        release: async () => {
          assertRunning();
          clock.setMode(machineTime);
        },
      },
      setFixtures: refuse('setFixtures'),
      patch: refuse('patch'),
      insert: refuse('insert'),
      remove: refuse('remove'),
      reset: refuse('reset'),
      catchUp: () => {},
    },
    onDemand: {
      createTenant: refuse('createTenant'),
      removeTenant: refuse('removeTenant'),
      find: () => undefined,
    },
  };
};
