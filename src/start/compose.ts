import type { Layer, Row } from '../api/call.js';
import { endpoints } from '../api/endpoint.js';
import { keptAnswers, type RoomForAnswers } from '../api/kept-answers.js';
import type { ServiceRequest } from '../api/request.js';
import { type SendSettings, sender } from '../api/response.js';
import { operationRow, routeTable } from '../api/routes.js';
import { createService, presentAsJson, type Service } from '../api/service.js';
import type { CallerStorage, TriageStorage } from '../api/storage-port.js';
import type { ClockOf } from '../common/clock.js';
import type { Log } from '../common/log.js';
import type { Pages, WebDependencies } from '../pages/web.js';
import { journalObserver } from '../simulation/journal.js';
import { isControlPath } from '../simulation/paths.js';
import type { LiveData, Simulation } from '../simulation/simulation.js';
import { simulate, warnOfClock } from '../simulation/simulation-layers.js';
import { delayed, guard } from './layers.js';
import { limitRate, type RateLimit } from './rate-limit.js';

/** What a service is composed of, besides its pages. */
export type ComposeSettings = SendSettings &
  Readonly<{
    storage: CallerStorage & TriageStorage;
    clock: ClockOf;
    /** A monotonic clock in milliseconds that keeps running when that of the service is frozen. */
    elapsed: () => number;
    log: Log;
    /** Refuse unknown query parameters instead of ignoring them with a warning. */
    strict: boolean;
    /** Room for the answers of all operations. */
    room: RoomForAnswers;
    /** Milliseconds by which to delay the next request to the API; null: none is delayed. */
    delay: (() => number) | null;
    /** Limits the requests of each client; null: there is no limit. */
    rateLimit: RateLimit | null;
    /** What clients may have simulated; null: nothing. */
    simulation: Simulation | null;
    /** The clock and the data; null: they cannot be changed. */
    live: LiveData | null;
  }>;

/** Everything that the service and its pages depend on. */
export type ServiceDependencies = ComposeSettings & WebDependencies;

/**
 * Puts a service together: what happens to every request, in this order, and what is there to be requested.
 * `pages`: null, if there are none. `rows`: what there is besides them and the operations.
 */
export const compose = (
  settings: ComposeSettings,
  pages: Pages | null = null,
  rows: readonly Row[] = [],
): Service => {
  const { storage, clock, log, strict, delay, rateLimit, simulation, live } = settings;
  const present = pages?.present ?? presentAsJson;
  const operations = endpoints({ log, strict, answering: keptAnswers(settings.room) });
  const others = [...rows, ...(pages?.rows ?? [])];
  const table = routeTable([...operations.map(operationRow), ...others]);
  const layers: readonly (Layer | null)[] = [
    guard(present, pages?.onRefused ?? (() => {})),
    delay && delayed(delay),
    rateLimit && limitRate(rateLimit),
    simulation && live && warnOfClock(live),
    simulation && simulate(simulation, live, clock, pages?.simulated ?? null),
    pages ? pages.withoutSlash(table) : null,
  ];
  simulation?.names.serve({
    pages: others.filter(({ path }) => !isControlPath(path)).map(({ name }) => name),
    tenants: () => (live === null ? [] : [...live.known(), ...live.signedUp()]),
  });
  // The controls would fill the journal by being used, and pages that wait for a change by waiting.
  const isNoted = (request: ServiceRequest, status: number): boolean =>
    !isControlPath(request.path) && pages?.isQuiet(request, status) !== true;
  return createService({
    table,
    layers: layers.filter((layer) => layer !== null),
    present,
    context: { storage, clock },
    identities: { storage, clock },
    send: sender(settings),
    observe: simulation && journalObserver(simulation.journal, settings, isNoted),
    log,
  });
};
