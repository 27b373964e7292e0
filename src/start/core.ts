import { identitiesOf } from '../api/call.js';
import { endpoints } from '../api/endpoint.js';
import { freshAnswers } from '../api/handlers.js';
import type { ServiceRequest } from '../api/request.js';
import { sender } from '../api/response.js';
import { operationRow, routeTable } from '../api/routes.js';
import {
  createService as createServiceOf,
  presentAsJson,
  type Service,
  type ServiceParts,
} from '../api/service.js';
import type { CallerStorage, TriageStorage } from '../api/storage-port.js';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import { connectionCut, fetchDoor as doorTo } from './fetch.js';

export type { Call, Context, Layer, Row, Serve } from '../api/call.js';
export { memory } from '../api/memory.js';
export type { Answer, Outcome } from '../api/response.js';
export type { Service } from '../api/service.js';
export type { CallerStorage, TriageStorage } from '../api/storage-port.js';

type ReadStorage = CallerStorage & TriageStorage;

/** The four operations of the contract over a storage (contract, section 4). */
export const apiRows = (storage: ReadStorage, { log = () => {} }: Readonly<{ log?: Log }> = {}) => ({
  storage,
  rows: endpoints({ log, strict: false, answering: freshAnswers }).map(operationRow),
});

/** A service of rows alone. `layers` stand around all of them, the outermost first. */
export const createService = ({
  rows: { storage, rows },
  layers = [],
  clock = Date.now,
  log = () => {},
}: Readonly<{ rows: ReturnType<typeof apiRows>; clock?: Clock; log?: Log }> &
  Partial<Pick<ServiceParts, 'layers'>>): Service =>
  createServiceOf({
    table: routeTable(rows),
    layers,
    present: presentAsJson,
    context: { storage, clock },
    identities: identitiesOf(storage, clock),
    send: sender({ compression: null, basePath: '', crossSiteCookies: false }),
    log,
  });

/** A service as a function from `Request` to `Response`, for Node, Deno, Bun, workers and browsers. */
export const fetchDoor = (service: Service): ((request: Request) => Promise<Response>) => {
  const respond = doorTo((_: ServiceRequest) => service, {
    elapsed: () => 0,
    basePath: '',
    onRequest: () => {},
    mayControl: () => false,
  });
  const way = { cookiesFor: () => new Map<string, string>(), onCookie: () => {} };
  return async (request) => {
    const answer = await respond(request, way);
    if (typeof answer === 'string') throw connectionCut();
    return answer;
  };
};
