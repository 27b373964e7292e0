import { identitiesOf, type Layer, type Present, type Row } from '../api/call.js';
import { endpoints } from '../api/endpoint.js';
import type { RequestRefused } from '../api/failures.js';
import { keptAnswers, type RoomForAnswers } from '../api/kept-answers.js';
import type { ServiceRequest } from '../api/request.js';
import { type SendSettings, sender } from '../api/response.js';
import { operationRow, type RouteTable, routeTable } from '../api/routes.js';
import { createService, presentAsJson, type Service } from '../api/service.js';
import type { CallerStorage, TriageStorage } from '../api/storage-port.js';
import type { ClockOf } from '../common/clock.js';
import type { Log } from '../common/log.js';
import { observers } from '../simulation/exchange.js';
import type { PageSimulation } from '../simulation/simulate-pages.js';
import { type SimulationSettings, simulationLayers } from '../simulation/simulation-layers.js';
import { delayed, guard } from './layers.js';
import { limitRate, type RateLimit } from './rate-limit.js';

/** What a service is composed of, besides what is served around the operations. */
export type ComposeSettings = SendSettings &
  SimulationSettings &
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
    /** What answers wrongly on purpose; null, the default: nothing does. */
    lying?: Layer | null;
    /** Limits the requests of each client; null: there is no limit. */
    rateLimit: RateLimit | null;
  }>;

/** What is served around the operations. Without any of it, failures are JSON. */
export type Site = Partial<
  Readonly<{
    rows: readonly Row[];
    present: Present;
    /** Told of requests that are refused before anybody looks at what they ask for. */
    onRefused: (request: ServiceRequest, refused: RequestRefused) => void;
    /** Sends browsers to the page that they have requested with a slash too many at the end. */
    withoutSlash: (table: RouteTable) => Layer;
    /** Whether a request is not worth listing. */
    isQuiet: (request: ServiceRequest, status: number) => boolean;
    /** Whether operators have rows of their own. */
    hasControls: boolean;
    /** Ends what is going on, so that a server can stop. */
    stop: () => void;
    simulated: PageSimulation;
  }>
>;

/** Puts a service together: what happens to every request, in this order. */
export const compose = (settings: ComposeSettings, site: Site = {}): Service => {
  const { storage, clock, log, strict, delay, rateLimit, lying } = settings;
  const { rows = [], present = presentAsJson, onRefused = () => {} } = site;
  const operations = endpoints({ log, strict, answering: keptAnswers(settings.room) });
  const table = routeTable([...operations.map(operationRow), ...rows]);
  const layers: readonly (Layer | null | undefined)[] = [
    lying,
    guard(present, onRefused),
    delay && delayed(delay),
    rateLimit && limitRate(rateLimit),
    ...simulationLayers(settings, rows, site.simulated ?? null),
    site.withoutSlash?.(table),
  ];
  return createService({
    table,
    layers: layers.flatMap((layer) => layer ?? []),
    present,
    context: { storage, clock },
    identities: identitiesOf(storage, clock),
    send: sender(settings),
    ...observers(settings, site),
    log,
  });
};
