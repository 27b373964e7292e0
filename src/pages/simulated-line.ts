import { pathWithQuery, type ServiceRequest } from '../api/request.js';
import { withNoun } from '../common/messages.js';
import type { ClockControl } from '../simulation/simulated-clock.js';
import type { LiveData, Simulation } from '../simulation/simulation.js';
import type { SimulatedLine } from './layout.js';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A difference in time, in its two largest units: `+1 d 2 h`, `-30 s`. */
const difference = (milliseconds: number): string => {
  let rest = Math.abs(milliseconds);
  const parts = units.flatMap(([name, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return `${milliseconds < 0 ? '-' : '+'}${parts.slice(0, 2).join(' ') || '0 s'}`;
};

/** What a clock shows, if it is not the time of the machine. */
const clockFact = (name: string, { state, ahead }: ClockControl): readonly string[] => {
  const { now, running, simulated } = state();
  if (!simulated) return [];
  const moment = `${now.slice(0, 16).replace('T', ' ')} UTC`;
  return [running ? `${name} ${difference(ahead())}` : `${name} stands still at ${moment}`];
};

/**
 * Returns a function that tells what is simulated for who looks at a page; null: nothing, or it is not for
 * them to know. `simulation`: null, if there are no controls.
 */
export const simulatedLines =
  (simulation: Simulation | null, live: LiveData | null) =>
  (request: ServiceRequest): SimulatedLine | null => {
    if (simulation === null || !request.mayControl) return null;
    const rules = simulation.faults
      .list()
      .filter(({ off, times, applied }) => off !== true && (times === undefined || applied < times));
    const storage = simulation.storage.state();
    const tenant = request.notes.tenantId ?? '';
    const own = live?.tenants.hasClock(tenant) === true ? live.tenants.clock(tenant) : null;
    const scenario = live?.scenario() ?? null;
    const isPatched = scenario === null && live?.changed(null)?.includes('data') === true;
    const facts = [
      ...(live === null ? [] : clockFact('Clock', live.clock)),
      ...(own === null ? [] : clockFact('Clock of this tenant', own)),
      ...(rules.length === 0 ? [] : [withNoun(rules.length, 'rule active', 'rules active')]),
      ...(storage === 'fine' ? [] : [`Storage ${storage}`]),
      ...(scenario === null
        ? []
        : [`Scenario: ${scenario.played} of ${withNoun(scenario.steps, 'step', 'steps')}`]),
      ...(isPatched ? ['Data changed'] : []),
    ];
    // What is refused is no page, and each door makes another target of it.
    const isPage = request.method !== 'POST' && request.refused === null;
    return facts.length === 0 ? null : { facts, here: isPage ? pathWithQuery(request) : '' };
  };
