import { keepWithin } from '../common/kept-values.js';
import type { Log } from '../common/log.js';
import { clientGone } from '../protocol/client-gone.js';
import { endpoints } from '../protocol/endpoints.js';
import { noteRequests } from '../protocol/note-requests.js';
import { notedOperation, unknownOperation } from '../protocol/operation-note.js';
import { operationRoutes } from '../protocol/operation-routes.js';
import { identify } from '../protocol/request-id.js';
import { serveOperations } from '../protocol/serve-operations.js';
import { emptyEndpointOf } from '../protocol/simulate/empty-endpoints.js';
import { emptyLists } from '../protocol/simulate/empty-lists.js';
import { simulateOperations } from '../protocol/simulate/simulate-operations.js';
import { unexpectedFailures } from '../protocol/unexpected-failures.js';
import type { LiveData } from '../simulation/live-data.js';
import type { RateLimit } from '../simulation/rate-limit.js';
import type { SimulatedClock } from '../simulation/simulated-clock.js';
import type { Simulation } from '../simulation/simulation.js';
import type { Storage } from '../storage/port.js';
import type { Answer } from './answer.js';
import { answerOthers } from './answer-others.js';
import type { FetchRequest } from './fetch-request.js';
import { fetchTransport } from './fetch-transport.js';

type Dependencies = Readonly<{
  storage: Storage;
  live: LiveData;
  clock: SimulatedClock;
  simulation: Simulation;
  rateLimit: RateLimit | null;
  log: Log;
  strict: boolean;
  delay: number;
}>;

/** How much of what has been rendered is kept, in bytes: about. */
const renderCache = 32 * 2 ** 20;

const operationOf = (request: FetchRequest): string => notedOperation(request) ?? unknownOperation;

/** Answers requests to the operations, and to all other paths, in the way of the server. */
export const answerRequests = ({
  storage,
  live,
  clock: { now: clock },
  simulation,
  rateLimit,
  log,
  strict,
  delay,
}: Dependencies): ((request: FetchRequest) => Promise<Answer>) => {
  const elapsed = (): number => performance.now();
  const keep = keepWithin(renderCache);
  const over = (rows: Storage) => endpoints({ storage: rows, clock, log, strict, keep });
  const routeOf = operationRoutes(over(storage));
  const note = noteRequests<FetchRequest>(simulation.journal, {
    clock,
    elapsed,
    operationOf,
    statusOf: ({ sent }) => sent.status ?? clientGone,
  });
  const transport = fetchTransport();
  const emptyEndpoint = emptyEndpointOf(() => over(emptyLists(storage)));
  const serve = serveOperations({
    transport,
    begin: identify,
    refusal: () => null,
    unexpected: unexpectedFailures(log, operationOf),
    delay: () => delay,
    simulate: simulateOperations({ transport, simulation, live, rateLimit, storage, clock, emptyEndpoint }),
    note,
    elapsed,
  });
  const others = answerOthers({
    simulation,
    isOperation: (path) => routeOf(path) !== null,
    delay,
    note,
    elapsed,
  });
  return (request) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const route = isRead && request.isWellFormed ? routeOf(request.path) : null;
    return route === null ? others(request) : serve(request, route);
  };
};
